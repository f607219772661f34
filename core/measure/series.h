// SPDX-License-Identifier: Apache-2.0
// Series: one integer amount per contribution and sample, sample after sample. Knows no place.
// Amounts are never negative: kAbsent says that the sample has no such contribution at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace etlens {

class Series {
 public:
  static constexpr int64_t kAbsent = -1;

  Series() = default;
  Series(size_t contributions, size_t samples)
      : contributions_(contributions),
        samples_(samples),
        values_(contributions * samples, kAbsent) {}

  size_t contributions() const { return contributions_; }
  size_t samples() const { return samples_; }

  // All contributions of one sample.
  std::span<int64_t> sample(size_t s) {
    return std::span(values_).subspan(s * contributions_, contributions_);
  }
  std::span<const int64_t> sample(size_t s) const {
    return std::span(values_).subspan(s * contributions_, contributions_);
  }
  // kAbsent, or the amount.
  int64_t at(size_t contribution, size_t s) const {
    return values_[s * contributions_ + contribution];
  }

 private:
  size_t contributions_ = 0;
  size_t samples_ = 0;
  std::vector<int64_t> values_;
};

}  // namespace etlens
