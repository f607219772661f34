// SPDX-License-Identifier: Apache-2.0
// How sure a number is: 95 % intervals by the bootstrap over samples. Samples are drawn again with
// replacement, the statistic of every contribution is computed anew for each draw, and sums are
// made of these, so that contributions which were slow together stay together. The draws are the
// same for everything with the same number of samples, and in every process.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/measure/measure.h"

namespace etlens {

struct Interval {
  double low = 0;  // in the quantity's unit, as Measure::shown
  double high = 0;
};

inline constexpr size_t kMinForInterval = 5;

class Bootstrap {
 public:
  // `measure` must outlive the object.
  explicit Bootstrap(const Measure& measure);

  // The sum of the contributions, once per draw, in the quantity's unit per sample. What a coarse
  // clock leaves open is drawn as well. Empty where no interval can be told: for fewer than
  // kMinForInterval samples, and for minimum and maximum, which draws with replacement say nothing
  // about.
  std::vector<double> draw(std::span<const ContributionId> contributions) const;

 private:
  const Measure* measure_;
  std::vector<float> counts_;  // how often each sample is in each draw
};

std::optional<Interval> interval_of(std::vector<double> draws);

// True if the draws cannot tell which of the two sums is larger.
bool are_tied(std::span<const double> a, std::span<const double> b);

}  // namespace etlens
