// SPDX-License-Identifier: Apache-2.0
// How sure a number is: 95 % intervals. A sum of contributions has an influence of every sample
// (influence.h), and what these vary by tells how much the sum would differ, had it been measured
// again. Executions that follow each other are alike, so that many of them tell as much as fewer
// independent ones: their influences' correlation with the next tells how few. The interval is
// Student's, with so many degrees of freedom.
//
// Nothing is drawn: the work is one pass over the samples of the contributions.
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

// What a sum of contributions is unsure by, in the quantity's unit per sample.
struct Uncertainty {
  double amount = 0;               // the sum, as Measure::shown
  std::vector<double> influences;  // one per sample used, in their order
  double kept = 0;                 // samples that count, of those that make it unsure
  // What a coarse clock leaves open on either side: at most, and the squares of each contribution.
  double unsure = 0;
  double unsure_squares = 0;
};

// Nullopt where no interval can be told: for fewer than kMinForInterval samples, for minimum and
// maximum, and for what is not a mean over samples.
std::optional<Uncertainty> uncertainty_of(const Measure& measure,
                                          std::span<const ContributionId> contributions);

struct Precision {
  double variance = 0;  // of the sum, for all reasons but the clock
  double freedom = 0;   // degrees, at least 1
};
Precision precision_of(const Uncertainty& of);

// Half of the 95 % interval, the clock's part too.
double half_width(const Uncertainty& of);

// None below zero. Nullopt for nullopt.
std::optional<Interval> interval_of(const std::optional<Uncertainty>& of);

// True if nothing tells which of the two sums, of other contributions and the same samples, is
// larger. False where either is unknown.
bool are_tied(const std::optional<Uncertainty>& a, const std::optional<Uncertainty>& b);

}  // namespace etlens
