// SPDX-License-Identifier: Apache-2.0
#include "core/measure/values/value_statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <type_traits>

#include "core/formats/scalar_decoder.h"
#include "core/formats/scalar_type.h"

namespace etlens {
namespace {

// Elements that are looked at together: their numbers stay in the first cache.
constexpr size_t kStatisticsBlock = 4096;
// Sums are kept in so many lanes, which a processor adds at once.
constexpr size_t kLanes = 8;
static_assert(kStatisticsBlock % kLanes == 0);

constexpr uint64_t kExponentMask = 0x7FF;
constexpr uint64_t kExponentBias = 1023;
constexpr int kFractionBits = 52;

// One counter per sign and exponent of a double, in banks, so that equal neighbours do not wait for
// each other.
class ExponentCounts {
 public:
  template <typename Number>
  void add(std::span<const Number> values) {
    size_t i = 0;
    for (; i + kBanks <= values.size(); i += kBanks) {
      for (size_t bank = 0; bank < kBanks; ++bank) ++counts_[key_of(values[i + bank])][bank];
    }
    for (; i < values.size(); ++i) ++counts_[key_of(values[i])][0];
  }

  // Zeros have the exponent of the denormal numbers: their number is known.
  Magnitudes magnitudes(uint64_t zeros) const {
    Magnitudes magnitudes;
    magnitudes.zeros = zeros;
    uint64_t zeros_left = zeros;
    for (size_t key = 0; key < kKeys; ++key) {
      uint64_t count = std::accumulate(counts_[key].begin(), counts_[key].end(), uint64_t{0});
      if ((key & kExponentMask) == 0) {
        const uint64_t taken = std::min(zeros_left, count);
        zeros_left -= taken;
        count -= taken;
      }
      const int exponent = static_cast<int>(key & kExponentMask) - static_cast<int>(kExponentBias);
      const int bin = std::clamp(exponent, Magnitudes::kFirstExponent, Magnitudes::kLastExponent) -
                      Magnitudes::kFirstExponent;
      auto& side = key > kExponentMask ? magnitudes.negative : magnitudes.positive;
      side[static_cast<size_t>(bin)] += count;
    }
    return magnitudes;
  }

 private:
  static constexpr size_t kBanks = 4;
  static constexpr size_t kKeys = 2 * (kExponentMask + 1);

  static size_t key_of(double value) { return std::bit_cast<uint64_t>(value) >> kFractionBits; }

  std::array<std::array<uint64_t, kBanks>, kKeys> counts_{};
};

// Sums of one block. They are of the differences to one of the values: squares of large values with
// a small spread would cancel each other out.
struct BlockSums {
  double sum = 0;
  double squares = 0;
  double minimum = 0;
  double maximum = 0;
  uint64_t zeros = 0;

  // False if there is a NaN or an infinity among the values: it is in their sum, too.
  bool is_finite() const { return std::isfinite(sum); }
};

// Groups of kLanes values at a time, as vectors of 16 bytes: an extension that GCC and clang have
// for every processor. Left to themselves, they work on one value after the other here.
template <typename Number>
class GroupSums {
 public:
  explicit GroupSums(Number first) {
    for (size_t i = 0; i < kVectors; ++i) minima_[i] = maxima_[i] = Numbers{} + first;
  }

  void add(const uint8_t* values, size_t count, double shift) {
    GroupSums lanes = *this;  // which no value can lie in
    for (size_t i = 0; i < count; i += kLanes) lanes.add_group(values + i * sizeof(Number), shift);
    *this = lanes;
  }

  BlockSums total() const {
    BlockSums block;
    block.minimum = minima_[0][0];
    block.maximum = maxima_[0][0];
    for (size_t i = 0; i < kVectors; ++i) {
      for (size_t lane = 0; lane < kWidth; ++lane) {
        block.minimum = std::min<double>(block.minimum, minima_[i][lane]);
        block.maximum = std::max<double>(block.maximum, maxima_[i][lane]);
        block.zeros += static_cast<uint64_t>(-zeros_[i][lane]);
        block.sum += sums_[i][lane];
        block.squares += squares_[i][lane];
      }
    }
    return block;
  }

 private:
  static constexpr size_t kWidth = 16 / sizeof(Number);
  static constexpr size_t kVectors = kLanes / kWidth;
  typedef Number Numbers __attribute__((vector_size(16)));
  typedef double Doubles __attribute__((vector_size(kWidth * sizeof(double))));
  using Mask = decltype(Numbers() == Numbers());  // -1 for true

  void add_group(const uint8_t* values, double shift) {
    for (size_t i = 0; i < kVectors; ++i) {
      Numbers value;
      std::memcpy(&value, values + i * sizeof value, sizeof value);
      minima_[i] = value < minima_[i] ? value : minima_[i];
      maxima_[i] = value > maxima_[i] ? value : maxima_[i];
      zeros_[i] += value == 0;
      const Doubles difference = __builtin_convertvector(value, Doubles) - shift;
      sums_[i] += difference;
      squares_[i] += difference * difference;
    }
  }

  Numbers minima_[kVectors];
  Numbers maxima_[kVectors];
  Mask zeros_[kVectors]{};
  Doubles sums_[kVectors]{};
  Doubles squares_[kVectors]{};
};

template <typename Number>
Number load(const uint8_t* values, size_t i) {
  Number value;
  std::memcpy(&value, values + i * sizeof value, sizeof value);
  return value;
}

// `values`: bytes of at least one Number.
template <typename Number>
BlockSums sums_of(const uint8_t* values, size_t count, double shift) {
  const size_t whole = count - count % kLanes;
  GroupSums<Number> groups(load<Number>(values, 0));
  groups.add(values, whole, shift);
  BlockSums block = groups.total();
  for (size_t i = whole; i < count; ++i) {
    const double value = load<Number>(values, i);
    block.sum += value - shift;
    block.squares += (value - shift) * (value - shift);
    block.minimum = std::min(block.minimum, value);
    block.maximum = std::max(block.maximum, value);
    block.zeros += value == 0;
  }
  return block;
}

// Number: float where it can say everything that the type can, which is twice as fast.
template <typename Number>
class Accumulator {
 public:
  Accumulator(const StatisticsOptions& options, bool is_stored) : magnitudes_(options.magnitudes) {
    if (magnitudes_ != nullptr) exponents_ = std::make_unique<ExponentCounts>();
    const std::optional<Quantization>& quantization = options.quantization;
    if (!quantization) return;
    low_ = static_cast<double>(quantization->minimum);
    high_ = static_cast<double>(quantization->maximum);
    if (!is_stored) {
      // Real values are whole multiples of the scale, as far as their type can say it.
      const auto zero = static_cast<double>(quantization->zero_point);
      low_ = (low_ - zero + 0.5) * quantization->scale;
      high_ = (high_ - zero - 0.5) * quantization->scale;
    }
    has_ends_ = true;
  }

  // Values that are all finite, as bytes. False, with nothing done, if one is not.
  bool add(const uint8_t* values, size_t count) {
    const double first = load<Number>(values, 0);
    const double shift = result_.finite == 0 && std::isfinite(first) ? first : shift_;
    const BlockSums block = sums_of<Number>(values, count, shift);
    if (!block.is_finite()) return false;
    shift_ = shift;
    commit(block, count);
    return true;
  }

  // Moves the finite values to the front, and counts the others. Returns how many are finite.
  size_t drop_special(std::span<Number> values) {
    size_t kept = 0;
    for (const Number value : values) {
      if (std::isnan(value)) ++result_.nan;
      else if (std::isinf(value)) ++(value > 0 ? result_.positive_inf : result_.negative_inf);
      else values[kept++] = value;
    }
    return kept;
  }

  // Finite values must be shown one by one too.
  bool wants_each() const { return exponents_ != nullptr || has_ends_; }
  void look_at(std::span<const Number> values) {
    if (exponents_) exponents_->add(values);
    for (size_t i = 0; has_ends_ && i < values.size(); ++i) {
      ends_.low += values[i] <= low_;
      ends_.high += values[i] >= high_;
    }
  }

  ValueStatistics finish() {
    ValueStatistics& row = result_;
    row.elements = row.finite + row.nan + row.inf();
    if (row.finite > 0) {
      const auto n = static_cast<double>(row.finite);
      row.sum = sum_ + shift_ * n;
      row.mean = shift_ + sum_ / n;
      row.deviation = std::sqrt(std::max(0.0, (squares_ - sum_ * (sum_ / n)) / n));
    }
    if (exponents_) *magnitudes_ = exponents_->magnitudes(row.zeros);
    if (has_ends_) row.saturation = ends_;
    return row;
  }

 private:
  void commit(const BlockSums& block, size_t count) {
    ValueStatistics& row = result_;
    row.minimum = row.finite == 0 ? block.minimum : std::min(row.minimum, block.minimum);
    row.maximum = row.finite == 0 ? block.maximum : std::max(row.maximum, block.maximum);
    row.finite += count;
    row.zeros += block.zeros;
    sum_ += block.sum;
    squares_ += block.squares;
  }

  ValueStatistics result_;
  double shift_ = 0;
  double sum_ = 0;
  double squares_ = 0;
  Magnitudes* magnitudes_;
  std::unique_ptr<ExponentCounts> exponents_;
  bool has_ends_ = false;
  double low_ = 0;
  double high_ = 0;
  Saturation ends_;
};

template <typename Number>
Result<ValueStatistics> statistics_of(const StoredTensor& tensor, const StatisticsOptions& options,
                                      const CancelToken& cancel) {
  const size_t size = scalar_type_size(tensor.scalar_type);
  Accumulator<Number> accumulator(options, !is_floating(tensor.scalar_type));
  // Its bytes are Numbers already: nothing has to be decoded that is only added up.
  constexpr int kSame = std::is_same_v<Number, float> ? 6 : 7;
  const bool is_same = tensor.scalar_type == kSame;
  std::array<Number, kStatisticsBlock> numbers;
  const auto* decoded = reinterpret_cast<const uint8_t*>(numbers.data());
  const uint64_t bytes = tensor.byte_size();
  for (uint64_t at = 0; at < bytes; at += tensor.piece) {
    if (cancel.cancelled()) return Error{ErrorCode::Cancelled, "reading was cancelled"};
    const Result<Bytes> piece = tensor.read(at, std::min(tensor.piece, bytes - at));
    if (!piece) return piece.error();
    for (size_t i = 0; i < piece->size(); i += kStatisticsBlock * size) {
      const auto block =
          piece->span().subspan(i, std::min(kStatisticsBlock * size, piece->size() - i));
      size_t count = block.size() / size;
      const bool is_decoded = !is_same || accumulator.wants_each();
      if (is_decoded) decode_scalars(tensor.scalar_type, block, numbers.data());
      if (!accumulator.add(is_decoded ? decoded : block.data(), count)) {
        if (!is_decoded) decode_scalars(tensor.scalar_type, block, numbers.data());
        count = accumulator.drop_special(std::span(numbers).first(count));
        if (count > 0) accumulator.add(decoded, count);
      }
      if (accumulator.wants_each()) accumulator.look_at(std::span(numbers).first(count));
    }
  }
  return accumulator.finish();
}

}  // namespace

double Magnitudes::lower_bound(size_t bin) {
  return std::ldexp(1.0, static_cast<int>(bin) + kFirstExponent);
}

Result<ValueStatistics> value_statistics(const StoredTensor& tensor,
                                         const StatisticsOptions& options,
                                         const CancelToken& cancel) {
  if (!is_decodable(tensor.scalar_type)) return undecodable(tensor.scalar_type);
  return fits_float(tensor.scalar_type) ? statistics_of<float>(tensor, options, cancel)
                                        : statistics_of<double>(tensor, options, cancel);
}

}  // namespace etlens
