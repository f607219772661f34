// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/distribution.h"

#include <algorithm>
#include <cmath>

namespace etlens {
namespace {

constexpr double kGrowth = (1 + kSketchError) / (1 - kSketchError);
constexpr double kLeast = 1e-3;
constexpr double kMost = 1e19;  // more ticks there are not

int32_t bucket_of(double value) {
  return static_cast<int32_t>(std::ceil(std::log(std::min(value, kMost)) / std::log(kGrowth)));
}

}  // namespace

void Distribution::add(double value) {
  value = std::max(value, 0.0);
  ++count_;
  if (is_sketch_) return count_in_sketch(value);
  is_sorted_ = is_sorted_ && (values_.empty() || values_.back() <= value);
  values_.push_back(value);
}

void Distribution::make_sketch() {
  if (is_sketch_) return;
  is_sketch_ = true;
  for (const double value : std::exchange(values_, {})) count_in_sketch(value);
}

void Distribution::count_in_sketch(double value) {
  if (value < kLeast) {
    ++zeros_;
    return;
  }
  const int32_t bucket = bucket_of(value);
  if (buckets_.empty()) first_bucket_ = bucket;
  if (bucket < first_bucket_) {
    buckets_.insert(buckets_.begin(), static_cast<size_t>(first_bucket_ - bucket), 0);
    first_bucket_ = bucket;
  }
  const auto at = static_cast<size_t>(bucket - first_bucket_);
  if (at >= buckets_.size()) buckets_.resize(at + 1);
  ++buckets_[at];
}

// In the middle of the bucket, as ratios go.
double Distribution::value_of(size_t bucket) const {
  const double upper = std::pow(kGrowth, first_bucket_ + static_cast<int32_t>(bucket));
  return 2 * upper / (kGrowth + 1);
}

double Distribution::quantile(double q) const {
  if (count_ == 0) return 0;
  const auto rank = std::min(static_cast<uint64_t>(q * static_cast<double>(count_)), count_ - 1);
  if (!is_sketch_) {
    if (!is_sorted_) std::sort(values_.begin(), values_.end());
    is_sorted_ = true;
    return values_[rank];
  }
  uint64_t below = zeros_;
  if (rank < below) return 0;
  for (size_t b = 0; b < buckets_.size(); ++b) {
    below += buckets_[b];
    if (rank < below) return value_of(b);
  }
  return 0;
}

Distribution::Counts Distribution::counts() const {
  Counts counts;
  if (is_sketch_) {
    if (zeros_ > 0) counts.emplace_back(0, zeros_);
    for (size_t b = 0; b < buckets_.size(); ++b) {
      if (buckets_[b] > 0) counts.emplace_back(value_of(b), buckets_[b]);
    }
    return counts;
  }
  (void)quantile(0);  // sorts
  for (const double value : values_) {
    if (counts.empty() || counts.back().first != value) counts.emplace_back(value, 0);
    ++counts.back().second;
  }
  return counts;
}

}  // namespace etlens
