// SPDX-License-Identifier: Apache-2.0
// The values of one place in many dumps: all of them, or a sketch with a bound on its error.
//
// The sketch counts values in buckets whose bounds grow by a constant factor (DDSketch: Masson, Rim
// and Lee, 2019), so that a quantile is within kSketchError of the value that has this rank,
// however many values there are and whatever they look like; the order in which they come does not
// matter. It is our own because none is packaged: Boost's estimators state no bound.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace etlens {

inline constexpr double kSketchError = 0.005;  // relative

class Distribution {
 public:
  // A value below 0 counts as 0.
  void add(double value);
  // From here on, and for what is there already, a sketch.
  void make_sketch();

  uint64_t count() const { return count_; }
  // The value of rank floor(q * count) from 0, as ClickHouse's quantileExact says; 0 without any.
  double quantile(double q) const;
  // Distinct values and how often each is there, ascending; of a sketch, one for each bucket.
  using Counts = std::vector<std::pair<double, uint64_t>>;
  Counts counts() const;

 private:
  void count_in_sketch(double value);
  double value_of(size_t bucket) const;

  bool is_sketch_ = false;
  uint64_t count_ = 0;
  mutable std::vector<double> values_;  // of no sketch; sorted when a question asks for it
  mutable bool is_sorted_ = true;
  uint64_t zeros_ = 0;             // of a sketch: values below 1/1000 of a tick
  int32_t first_bucket_ = 0;       // number of buckets_[0]
  std::vector<uint64_t> buckets_;  // without a gap
};

}  // namespace etlens
