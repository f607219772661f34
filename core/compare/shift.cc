// SPDX-License-Identifier: Apache-2.0
#include "core/compare/shift.h"

#include <algorithm>
#include <cmath>

#include "core/compare/distributions.h"
#include "core/compare/moments.h"

namespace etlens {

double moved(const PerDump& values) { return mean(values.after) - mean(values.before); }

namespace {

// How much slopes differ between places: from 0, work in the caches, to nearly 2, calls into the
// system, in the slow moments that were recorded.
constexpr double kSlope = 1;
constexpr double kSlopeSpread = 0.5;
// What two processes of one program differ by, and how many degrees of freedom that is worth. With
// a dump or two the side may have caught a rare moment.
constexpr double kProcessSpread = 0.06;
constexpr double kFewProcessSpread = 0.10;
constexpr size_t kFewProcesses = 3;
constexpr double kProcessFreedom = 8;
// From so many degrees on the spread that was seen counts, not the usual one.
constexpr double kTellingFreedom = 3;
constexpr double kLeastSpread = 1e-3;
constexpr double kRangeLevel = 0.05;
constexpr double kBoundsLevel = 0.1;
constexpr double kFewLevel = 0.01;
constexpr double kAllowanceDeviations = 1.96;
constexpr size_t kMaxDumps = 1000;

// Sum of the products of what two columns deviate from their means.
double product(std::span<const double> a, std::span<const double> b) {
  const double mean_a = mean(a);
  const double mean_b = mean(b);
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - mean_a) * (b[i] - mean_b);
  return sum;
}

double product(const PerDump& a, const PerDump& b) {
  return product(a.before, b.before) + product(a.after, b.after);
}

struct Slope {
  double slope = kSlope;
  double variance = kSlopeSpread * kSlopeSpread;
  double rest = 0;     // variance of a dump, with the slope taken out
  double freedom = 0;  // degrees, of `rest`
};

// Ridge regression within the sides: what the dumps tell of the slope against what slopes usually
// are. Dumps that tell of small moves tell little of a large one between the sides.
Slope fit_slope(const PerDump& values, const PerDump& machine) {
  const double count = static_cast<double>(values.before.size() + values.after.size());
  const double ff = product(machine, machine);
  const double fv = product(machine, values);
  const double vv = product(values, values);
  const double freedom = std::max(count - 2, 0.0);
  Slope fit;
  const auto rest_of = [&](double slope) { return vv - 2 * slope * fv + slope * slope * ff; };
  const auto variance_of = [&](double slope, double degrees) {
    return std::max(rest_of(slope) / degrees, kLeastSpread * kLeastSpread);
  };
  fit.rest = variance_of(kSlope, std::max(freedom, 1.0));
  fit.freedom = freedom;
  if (freedom == 0) return fit;
  // The weight of the prior depends on the rest, and the rest on the slope: it settles quickly.
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    const double prior = fit.rest / (kSlopeSpread * kSlopeSpread) + std::pow(moved(machine), 2);
    const double told = ff / (ff + prior);
    fit.slope = (fv + prior * kSlope) / (ff + prior);
    fit.variance = (1 - told) * kSlopeSpread * kSlopeSpread;
    fit.freedom = std::max(freedom - told, 0.5);
    fit.rest = variance_of(fit.slope, fit.freedom);
  }
  return fit;
}

std::vector<double> without_machine(std::span<const double> values, std::span<const double> machine,
                                    double slope) {
  std::vector<double> rest;
  for (size_t i = 0; i < values.size(); ++i) rest.push_back(values[i] - slope * machine[i]);
  return rest;
}

void test_ranks(const std::vector<double>& before, std::vector<double> after, Shift& shift) {
  const auto range_at = [&](double level) {
    std::optional<ShiftRange> range = shift_range(before, after, level);
    if (range) range = ShiftRange{range->low - shift.allowance, range->high + shift.allowance};
    return range;
  };
  shift.range = range_at(kRangeLevel);
  shift.bounds = range_at(kBoundsLevel);
  // As much nearer as the allowance permits.
  const double nearer = std::clamp(shift.estimate, -shift.allowance, shift.allowance);
  for (double& value : after) value -= nearer;
  shift.p = std::abs(shift.estimate) <= shift.allowance ? 1 : rank_sum_p(before, after);
}

void test_few(const ShiftQuestion& question, const Slope& fit, Shift& shift) {
  const auto before = static_cast<double>(question.values.before.size());
  const auto after = static_cast<double>(question.values.after.size());
  const bool is_few = std::min(before, after) < static_cast<double>(kFewProcesses);
  const double usual = is_few ? kFewProcessSpread : kProcessSpread;
  const double freedom = kProcessFreedom + fit.freedom;
  const double variance = (kProcessFreedom * usual * usual + fit.freedom * fit.rest) / freedom;
  const double machine = moved(question.machine);
  const double of_difference =
      variance * (1 / before + 1 / after) + machine * machine * fit.variance + question.within;
  const double deviation = std::sqrt(of_difference);
  const StudentsT distribution(freedom);
  shift.spread = std::sqrt(fit.freedom >= kTellingFreedom ? fit.rest : variance);
  shift.few_p = 2 * boost::math::cdf(boost::math::complement(distribution,
                                                             std::abs(shift.estimate) / deviation));
  const double half =
      deviation * boost::math::quantile(boost::math::complement(distribution, kFewLevel / 2));
  shift.few_range = {shift.estimate - half, shift.estimate + half};
}

}  // namespace

Shift find_shift(const ShiftQuestion& question) {
  const Slope fit = fit_slope(question.values, question.machine);
  Shift shift;
  shift.slope = fit.slope;
  shift.allowance =
      kAllowanceDeviations * std::abs(moved(question.machine)) * std::sqrt(fit.variance);
  const std::vector<double> before =
      without_machine(question.values.before, question.machine.before, fit.slope);
  const std::vector<double> after =
      without_machine(question.values.after, question.machine.after, fit.slope);
  shift.estimate = median_shift(before, after);
  shift.raw = median_shift(question.values.before, question.values.after);
  test_ranks(before, after, shift);
  test_few(question, fit, shift);
  return shift;
}

std::optional<size_t> dumps_for(const Shift& shift, double half_width) {
  const double room = half_width - shift.allowance;
  if (room <= 0) return std::nullopt;
  constexpr double kDeviations = 2.1;  // of 95 %, for a dozen dumps
  const double wanted = 2 * std::pow(kDeviations * shift.spread / room, 2);
  if (wanted > static_cast<double>(kMaxDumps)) return std::nullopt;
  return static_cast<size_t>(std::ceil(wanted));
}

}  // namespace etlens
