// SPDX-License-Identifier: Apache-2.0
#include "core/measure/values/value_gap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/formats/scalar_decoder.h"
#include "core/formats/scalar_type.h"

namespace etlens {
namespace {

constexpr size_t kGapBlock = 1024;

// All bytes of a tensor, and how its elements become numbers.
struct Operand {
  int scalar_type = 0;
  Bytes bytes;
  std::optional<Quantization> quantization;
  bool has_nan = false;

  void decode(int64_t element, int64_t step, size_t count, double* out) const {
    const auto size = static_cast<int64_t>(scalar_type_size(scalar_type));
    decode_strided(scalar_type, bytes.data() + element * size, step, count, out);
    if (quantization) {
      const auto zero = static_cast<double>(quantization->zero_point);
      for (size_t i = 0; i < count; ++i) out[i] = (out[i] - zero) * quantization->scale;
    }
    if (!has_nan) return;
    constexpr double kLargest = std::numeric_limits<double>::max();
    for (size_t i = 0; i < count; ++i)
      out[i] = std::isnan(out[i]) ? 0 : std::clamp(out[i], -kLargest, kLargest);
  }
};

Result<Operand> load(const StoredTensor& tensor, const std::optional<Quantization>& quantization) {
  Operand operand;
  operand.scalar_type = tensor.scalar_type;
  if (!is_decodable(tensor.scalar_type)) return undecodable(tensor.scalar_type);
  const bool is_floating_type = is_floating(tensor.scalar_type);
  if (!is_floating_type) operand.quantization = quantization;
  if (tensor.elements == 0) return operand;
  Result<Bytes> bytes = tensor.read(0, tensor.byte_size());
  if (!bytes) return std::move(bytes).error();
  operand.bytes = std::move(*bytes);
  if (!is_floating_type) return operand;
  std::array<double, kGapBlock> numbers;
  bool has_nan = false;
  for (uint64_t at = 0; at < tensor.elements && !has_nan; at += kGapBlock) {
    const size_t count = std::min<uint64_t>(kGapBlock, tensor.elements - at);
    operand.decode(static_cast<int64_t>(at), 1, count, numbers.data());
    for (size_t i = 0; i < count; ++i) has_nan |= std::isnan(numbers[i]);
  }
  operand.has_nan = has_nan;
  return operand;
}

// One dimension that both operands walk through together.
struct Axis {
  int64_t size = 0;
  int64_t value = 0;  // strides
  int64_t reference = 0;
};

// As few axes as possible: those that both operands run through in one go are one.
std::vector<Axis> axes_of(const AlignedShapes& shapes) {
  std::vector<Axis> axes;
  for (size_t d = 0; d < shapes.sizes.size(); ++d) {
    const Axis axis{shapes.sizes[d], shapes.value[d], shapes.reference[d]};
    if (axis.size == 1) continue;
    const bool joins = !axes.empty() && axes.back().value == axis.value * axis.size &&
                       axes.back().reference == axis.reference * axis.size;
    if (joins) axes.back() = {axes.back().size * axis.size, axis.value, axis.reference};
    else axes.push_back(axis);
  }
  if (axes.empty()) axes.push_back({1, 1, 1});
  return axes;
}

class Walk {
 public:
  Walk(const Operand& value, const Operand& reference, bool as_inspector)
      : value_(value), reference_(reference), as_inspector_(as_inspector) {}

  void run(const std::vector<Axis>& axes) {
    const Axis& inner = axes.back();
    std::vector<int64_t> index(axes.size() - 1);
    int64_t value = 0;
    int64_t reference = 0;
    for (;;) {
      for (int64_t at = 0; at < inner.size; at += kGapBlock) {
        const size_t count = static_cast<size_t>(std::min<int64_t>(kGapBlock, inner.size - at));
        value_.decode(value + at * inner.value, inner.value, count, values_.data());
        reference_.decode(reference + at * inner.reference, inner.reference, count,
                          references_.data());
        add(count);
      }
      size_t d = index.size();
      for (; d-- > 0;) {
        value += axes[d].value;
        reference += axes[d].reference;
        if (++index[d] < axes[d].size) break;
        value -= axes[d].value * axes[d].size;
        reference -= axes[d].reference * axes[d].size;
        index[d] = 0;
      }
      if (d == SIZE_MAX) return;
    }
  }

  Gap finish() {
    Gap gap;
    gap.elements = elements_;
    gap.worst = std::move(worst_);
    if (elements_ == 0 && !as_inspector_) {
      gap.snr = gap.psnr = std::numeric_limits<double>::infinity();
      gap.cosine = 1;
      return gap;
    }
    const auto n = static_cast<double>(elements_);
    gap.mse = squared_error_ / n;
    gap.l1 = absolute_error_;
    gap.l1_mean = absolute_error_ / n;
    gap.max_abs = max_abs_;
    const double power = reference_squares_ / n;
    gap.snr = decibels(power, gap.mse);
    gap.psnr = decibels(peak_ * peak_, gap.mse);
    const double norms = std::sqrt(reference_squares_) * std::sqrt(value_squares_);
    const bool both_zero = reference_squares_ == 0 && value_squares_ == 0;
    // Rounding must not make it more alike than alike.
    gap.cosine = both_zero ? 1 : norms == 0 ? 0 : std::clamp(products_ / norms, -1.0, 1.0);
    gap.noise = gap.mse == 0 ? 0 : gap.mse / (power + gap.mse);
    if (!std::isfinite(gap.noise)) gap.noise = 1;
    return gap;
  }

 private:
  // For the Inspector nothing divided by nothing is NaN, as in its arithmetic.
  double decibels(double signal, double noise) const {
    if (noise == 0 && !as_inspector_) return std::numeric_limits<double>::infinity();
    return 10 * std::log10(signal / noise);
  }

  void add(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      const double a = references_[i];
      const double b = values_[i];
      if (a == b && std::isinf(a) && !as_inspector_) continue;
      const double error = std::abs(a - b);
      squared_error_ += error * error;
      absolute_error_ += error;
      max_abs_ = error > max_abs_ || std::isnan(error) ? error : max_abs_;
      reference_squares_ += a * a;
      value_squares_ += b * b;
      products_ += a * b;
      peak_ = std::max(peak_, std::abs(a));
      if (error > least_of_worst_) remember({elements_ + i, b, a});
    }
    elements_ += count;
  }

  static bool is_worse(const WorstElement& a, const WorstElement& b) {
    return std::abs(a.reference - a.value) > std::abs(b.reference - b.value);
  }

  void remember(const WorstElement& element) {
    const auto at = std::upper_bound(worst_.begin(), worst_.end(), element, is_worse);
    worst_.insert(at, element);
    if (worst_.size() > Gap::kWorstElements) worst_.pop_back();
    if (worst_.size() == Gap::kWorstElements)
      least_of_worst_ = std::abs(worst_.back().reference - worst_.back().value);
  }

  const Operand& value_;
  const Operand& reference_;
  bool as_inspector_;
  std::array<double, kGapBlock> values_;
  std::array<double, kGapBlock> references_;
  uint64_t elements_ = 0;
  double squared_error_ = 0;
  double absolute_error_ = 0;
  double max_abs_ = 0;
  double reference_squares_ = 0;
  double value_squares_ = 0;
  double products_ = 0;
  double peak_ = 0;
  std::vector<WorstElement> worst_;
  double least_of_worst_ = 0;
};

}  // namespace

Result<Gap> compare_tensors(const StoredTensor& value, const StoredTensor& reference,
                            const GapOptions& options) {
  std::optional<AlignedShapes> shapes = align_shapes(value, reference);
  if (shapes && options.as_inspector && shapes->match != ShapeMatch::Equal) shapes.reset();
  if (!shapes) {
    return Error{ErrorCode::InvalidParams, "has shape " + shape_text(value.sizes) +
                                               ", its reference " + shape_text(reference.sizes)};
  }
  const Result<Operand> own = load(value, options.value);
  if (!own) return own.error();
  Result<Operand> other = load(reference, options.reference);
  if (!other) return std::move(other).error().with("the reference");
  Walk walk(*own, *other, options.as_inspector);
  if (value.elements > 0) walk.run(axes_of(*shapes));
  Gap gap = walk.finish();
  gap.shapes = shapes->match;
  return gap;
}

}  // namespace etlens
