// SPDX-License-Identifier: Apache-2.0
#include "core/measure/values/value_statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <numeric>

#include "core/formats/scalar_decoder.h"
#include "core/formats/scalar_type.h"

namespace etlens {
namespace {

// Elements that are looked at together: their numbers stay in the first cache.
constexpr size_t kBlock = 1024;
// Sums are kept in so many lanes, which a processor adds at once.
constexpr size_t kLanes = 8;
static_assert(kBlock % kLanes == 0);

constexpr uint64_t kExponentMask = 0x7FF;
constexpr uint64_t kExponentBias = 1023;
constexpr int kFractionBits = 52;

// One counter per sign and exponent of a double, in banks, so that equal neighbours do not wait for
// each other.
class ExponentCounts {
 public:
  void add(const double* values, size_t count) {
    size_t i = 0;
    for (; i + kBanks <= count; i += kBanks) {
      for (size_t bank = 0; bank < kBanks; ++bank) ++counts_[key_of(values[i + bank])][bank];
    }
    for (; i < count; ++i) ++counts_[key_of(values[i])][0];
  }

  // Zeros are among the smallest: their number is known.
  Magnitudes magnitudes(uint64_t zeros) const {
    Magnitudes magnitudes;
    for (size_t key = 0; key < kKeys; ++key) {
      const auto& banks = counts_[key];
      const uint64_t count = std::accumulate(banks.begin(), banks.end(), uint64_t{0});
      if (count == 0) continue;
      const int exponent = static_cast<int>(key & kExponentMask) - static_cast<int>(kExponentBias);
      const int bin = std::clamp(exponent, Magnitudes::kFirstExponent, Magnitudes::kLastExponent) -
                      Magnitudes::kFirstExponent;
      auto& side = key > kExponentMask ? magnitudes.negative : magnitudes.positive;
      side[static_cast<size_t>(bin)] += count;
    }
    // Both zeros have the exponent of the denormal numbers; none else of a dump's has it often.
    uint64_t left = zeros;
    for (auto* side : {&magnitudes.positive, &magnitudes.negative}) {
      const uint64_t taken = std::min(left, side->front());
      side->front() -= taken;
      left -= taken;
    }
    magnitudes.zeros = zeros;
    return magnitudes;
  }

 private:
  static constexpr size_t kBanks = 4;
  static constexpr size_t kKeys = 2 * (kExponentMask + 1);

  static size_t key_of(double value) { return std::bit_cast<uint64_t>(value) >> kFractionBits; }

  std::array<std::array<uint64_t, kBanks>, kKeys> counts_{};
};

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

  void add(double* values, size_t count) {
    result_.elements += count;
    count = drop_special(values, count);
    if (count == 0) return;
    if (result_.finite == 0) {
      shift_ = values[0];
      minima_.fill(values[0]);
      maxima_.fill(values[0]);
    }
    result_.finite += count;
    sum(values, count);
    if (exponents_) exponents_->add(values, count);
    if (has_ends_) count_ends(values, count);
  }

  ValueStatistics finish() {
    ValueStatistics& row = result_;
    double sum = 0;
    double squares = 0;
    for (size_t lane = 0; lane < kLanes; ++lane) {
      sum += sums_[lane];
      squares += squares_[lane];
    }
    if (row.finite > 0) {
      const auto n = static_cast<double>(row.finite);
      row.minimum = *std::min_element(minima_.begin(), minima_.end());
      row.maximum = *std::max_element(maxima_.begin(), maxima_.end());
      row.sum = sum + shift_ * n;
      row.mean = shift_ + sum / n;
      row.deviation = std::sqrt(std::max(0.0, (squares - sum * (sum / n)) / n));
    }
    if (exponents_) *magnitudes_ = exponents_->magnitudes(row.zeros);
    if (has_ends_) row.saturation = ends_;
    return row;
  }

 private:
  // Moves the finite values to the front, and counts the others. Returns how many are finite.
  size_t drop_special(double* values, size_t count) {
    uint64_t special = 0;
    for (size_t i = 0; i < count; ++i) {
      const uint64_t exponent = std::bit_cast<uint64_t>(values[i]) >> kFractionBits & kExponentMask;
      special |= static_cast<uint64_t>(exponent == kExponentMask);
    }
    if (special == 0) return count;
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
      if (std::isnan(values[i])) ++result_.nan;
      else if (std::isinf(values[i]))
        ++(values[i] > 0 ? result_.positive_inf : result_.negative_inf);
      else values[kept++] = values[i];
    }
    return kept;
  }

  // Sums are of the differences to the first value: squares of large values with a small spread
  // would cancel each other out.
  void sum(const double* values, size_t count) {
    size_t i = 0;
    uint64_t zeros = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (size_t lane = 0; lane < kLanes; ++lane) {
        const double value = values[i + lane];
        const double difference = value - shift_;
        sums_[lane] += difference;
        squares_[lane] += difference * difference;
        minima_[lane] = value < minima_[lane] ? value : minima_[lane];
        maxima_[lane] = value > maxima_[lane] ? value : maxima_[lane];
        zeros += value == 0;
      }
    }
    for (; i < count; ++i) {
      const double difference = values[i] - shift_;
      sums_[0] += difference;
      squares_[0] += difference * difference;
      minima_[0] = std::min(minima_[0], values[i]);
      maxima_[0] = std::max(maxima_[0], values[i]);
      zeros += values[i] == 0;
    }
    result_.zeros += zeros;
  }

  void count_ends(const double* values, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      ends_.low += values[i] <= low_;
      ends_.high += values[i] >= high_;
    }
  }

  ValueStatistics result_;
  double shift_ = 0;
  std::array<double, kLanes> sums_{};
  std::array<double, kLanes> squares_{};
  std::array<double, kLanes> minima_{};
  std::array<double, kLanes> maxima_{};
  Magnitudes* magnitudes_;
  std::unique_ptr<ExponentCounts> exponents_;
  bool has_ends_ = false;
  double low_ = 0;
  double high_ = 0;
  Saturation ends_;
};

}  // namespace

double Magnitudes::lower_bound(size_t bin) {
  return std::ldexp(1.0, static_cast<int>(bin) + kFirstExponent);
}

Result<ValueStatistics> value_statistics(const StoredTensor& tensor,
                                         const StatisticsOptions& options,
                                         const CancelToken& cancel) {
  if (!is_decodable(tensor.scalar_type)) return undecodable(tensor.scalar_type);
  const size_t size = scalar_type_size(tensor.scalar_type);
  Accumulator accumulator(options, !is_floating(tensor.scalar_type));
  alignas(64) std::array<double, kBlock> numbers;
  const uint64_t bytes = tensor.byte_size();
  for (uint64_t at = 0; at < bytes; at += tensor.piece) {
    if (cancel.cancelled()) return Error{ErrorCode::Cancelled, "reading was cancelled"};
    const Result<Bytes> piece = tensor.read(at, std::min(tensor.piece, bytes - at));
    if (!piece) return piece.error();
    for (size_t i = 0; i < piece->size(); i += kBlock * size) {
      const auto block = piece->span().subspan(i, std::min(kBlock * size, piece->size() - i));
      decode_scalars(tensor.scalar_type, block, numbers.data());
      accumulator.add(numbers.data(), block.size() / size);
    }
  }
  return accumulator.finish();
}

}  // namespace etlens
