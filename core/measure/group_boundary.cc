// SPDX-License-Identifier: Apache-2.0
#include "core/measure/group_boundary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "core/base/budget.h"
#include "core/measure/robust.h"

namespace etlens {
namespace {

// Of logarithms: a rise below this is no other amount of work, of one row and of all together.
constexpr double kLeastRise = 0.06;
constexpr double kLeastShift = 0.2;
// Of all kernels together, of logarithms: if the longest hardly rise, the others waited.
constexpr double kLeastTogether = 0.25;
// Of the rows that count, by their weights, so many agree.
constexpr double kAgreeing = 0.7;
// Rows count from this length on: offset and a quarter of a microsecond.
const double kLongEnough = std::log(kKernelOffset + 0.25);
// In positions, from 0 to 1: between the executions of both sets but for so many of each.
constexpr double kLeastGap = 0.1;
constexpr double kOutside = 0.08;
// How much more than the rows of fixed work the others rise: at least, and of their rise.
constexpr double kBeyondMachine = 0.1;
constexpr double kBeyondMachineShare = 0.4;
// Without rows of fixed work, or if these show a slower machine: no machine slows other work down
// by that much more.
constexpr double kClearShift = 0.75;
constexpr double kSlowerMachine = 0.08;
// A slower machine slows all work down. It does not explain rows of growing work of which nearly all
// rise more than nearly all rows of fixed work.
constexpr size_t kEnoughToCompare = 3;
constexpr double kNearlyLeast = 0.15;
constexpr double kNearlyMost = 0.85;
// Sets of fewer executions look like warm-up and interruptions.
constexpr size_t kFew = 5;
constexpr double kShiftOfFew = 0.5;
constexpr double kClearShiftOfFew = 0.7;  // or of all kernels together
constexpr size_t kLeastKernels = 3;       // that tell such a set, or are long enough
// Fewer kernels cannot tell a few interruptions from longer inputs, and what backends reported has to
// rise as well: of logarithms, at least by this.
constexpr size_t kFewKernels = 4;
constexpr size_t kFewBesideFewKernels = 6;
constexpr double kLeastRiseOfBackend = 0.2;
// If they reported nothing, how much the longest kernel rises at least beside a wait of all kernels.
constexpr double kLeastBesideWait = 0.15;
// Of sets that a backend's operators tell.
constexpr size_t kManyOfBackend = 10;  // executions in each set
constexpr double kFarAbove = 0.1;      // a logarithm
constexpr double kSomeFarAbove = 0.5;  // of the rows
constexpr double kMostFarAbove = 0.8;
constexpr size_t kManyChanges = 8;  // between the sets
// What keeps the weight of a row finite.
constexpr double kLeastNoise = 0.05;
// Overheads hide how work grows: without other executions to weigh the rows, those that rise most tell.
constexpr double kTelling = 0.7;

std::vector<double> medians_of(std::span<const std::vector<double>> rows, const Columns& columns) {
  std::vector<double> result;
  for (const std::vector<double>& row : rows) {
    go_on(1 + columns.size() / 4);
    result.push_back(quantile_of(picked(row, columns), 0.5));
  }
  return result;
}

// Per row its median in the upper set, above that of the lower one.
std::vector<double> rises_of(std::span<const std::vector<double>> rows, const Columns& low,
                             const Columns& high) {
  const std::vector<double> before = medians_of(rows, low);
  std::vector<double> rises = medians_of(rows, high);
  for (size_t r = 0; r < rises.size(); ++r) rises[r] -= before[r];
  return rises;
}

std::vector<double> levels_of(const GroupRows& rows, const Columns& columns) {
  std::vector<double> result;
  for (size_t r = 0; r < rows.kernels; ++r) {
    go_on(1 + columns.size() / 4);
    result.push_back(level_of(picked(rows.rows[r], columns)));
  }
  return result;
}

// How much the row varies inside the sets.
double noise_of(const std::vector<double>& row, const Columns& low, const Columns& high) {
  double sum = 0;
  size_t sets = 0;
  for (const Columns* set : {&low, &high}) {
    if (set->size() < kFew) continue;
    const std::vector<double> values = picked(row, *set);
    sum += quantile_of(values, 0.85) - quantile_of(values, 0.15);
    ++sets;
  }
  return sets == 0 ? 0.1 : sum / static_cast<double>(sets);
}

// Rows that are long enough in one of the sets; all, where these are too few.
std::vector<bool> rows_that_count(const std::vector<double>& low, const std::vector<double>& rise) {
  std::vector<bool> counts(low.size());
  size_t sum = 0;
  for (size_t r = 0; r < low.size(); ++r) {
    counts[r] = low[r] + std::max(rise[r], 0.0) >= kLongEnough;
    sum += counts[r];
  }
  if (sum < kLeastKernels) counts.assign(low.size(), true);
  return counts;
}

struct Agreement {
  size_t rows = 0;   // that support the boundary
  double share = 0;  // of the weights of those that count
};

// Fills in the weights.
Agreement weigh(const GroupRows& rows, const Columns& low, const Columns& high,
                Boundary& boundary) {
  const std::vector<bool> counts = rows_that_count(boundary.base, boundary.rise);
  boundary.weights.assign(rows.kernels, 0);
  Agreement found;
  double agreeing = 0, all = 0;
  for (size_t r = 0; r < rows.kernels; ++r) {
    if (!counts[r]) continue;
    go_on(1 + low.size() + high.size());
    const std::vector<double>& row = rows.rows[r];
    const double weight = 1 / (kLeastNoise + noise_of(row, low, high));
    all += weight;
    if (boundary.rise[r] <= kLeastRise) continue;
    // Most times in the lower set are below the level of the upper one.
    if (quantile_of(picked(row, low), 0.5) >= boundary.base[r] + boundary.rise[r]) continue;
    boundary.weights[r] = weight;
    agreeing += weight;
    ++found.rows;
  }
  found.share = all > 0 ? agreeing / all : 0;
  return found;
}

double shift_of(const Boundary& boundary, double q) {
  std::vector<double> rises, weights;
  for (size_t r = 0; r < boundary.rise.size(); ++r) {
    if (boundary.weights[r] == 0) continue;
    rises.push_back(boundary.rise[r]);
    weights.push_back(boundary.weights[r]);
  }
  return weighted_quantile_of(rises, weights, q);
}

// How much longer all kernels together are in the upper set.
double rise_together(const Boundary& boundary) {
  double before = 0, after = 0;
  for (size_t r = 0; r < boundary.base.size(); ++r) {
    before += std::exp(boundary.base[r]);
    after += std::exp(boundary.base[r] + boundary.rise[r]);
  }
  const double offsets = kKernelOffset * static_cast<double>(boundary.base.size());
  return before > offsets && after > offsets ? std::log((after - offsets) / (before - offsets)) : 0;
}

// Between the positions of both sets, without the outermost of each.
double gap_between(const GroupRows& rows, const Columns& low, const Columns& high) {
  const std::array<Columns, 2> sets{low, high};
  const GroupFit fit(rows, sets);
  std::vector<double> below, above;
  for (const uint32_t c : low) below.push_back(fit.position(c));
  for (const uint32_t c : high) above.push_back(fit.position(c));
  std::sort(below.begin(), below.end());
  std::sort(above.begin(), above.end());
  const auto outside = [&](const std::vector<double>& sorted) {
    return static_cast<size_t>(kOutside * static_cast<double>(sorted.size() - 1));
  };
  return above[outside(above)] - below[below.size() - 1 - outside(below)];
}

// `machine`: the rises of fixed work, which the machine alone took longer in the upper set.
bool is_beyond_machine(const Boundary& boundary, const std::vector<double>& machine) {
  return machine.size() >= kEnoughToCompare &&
         shift_of(boundary, kNearlyLeast) > quantile_of(machine, kNearlyMost);
}

// The upper set is more than the lower one with the same wait for each kernel.
bool is_more_than_waiting(const Boundary& boundary) {
  double wait = std::numeric_limits<double>::infinity();
  size_t kernels = 0;
  size_t longest = 0;
  for (size_t r = 0; r < boundary.base.size(); ++r) {
    if (boundary.weights[r] == 0) continue;
    const double before = std::exp(boundary.base[r]);
    wait = std::min(wait, before * std::exp(boundary.rise[r]) - before);
    if (kernels++ == 0 || boundary.base[r] > boundary.base[longest]) longest = r;
  }
  if (kernels < 2) return false;
  const double after = std::exp(boundary.base[longest] + boundary.rise[longest]);
  return std::log(after - wait) - boundary.base[longest] > kLeastBesideWait;
}

// What so few kernels say holds: enough executions, and the events of backends agree.
bool is_enough_for_few(const GroupRows& rows, const Boundary& boundary, const Columns& low,
                       const Columns& high) {
  if (std::min(low.size(), high.size()) < kFewBesideFewKernels) return false;
  const auto reported = std::span(rows.rows).subspan(rows.kernels);
  if (reported.empty()) return is_more_than_waiting(boundary);
  return quantile_of(rises_of(reported, low, high), 0.5) > kLeastRiseOfBackend;
}

// `rows` that support the boundary; `beyond` what the machine explains.
bool is_clear_for_few(const Boundary& boundary, size_t rows, double beyond) {
  return beyond > kShiftOfFew && rows >= kLeastKernels &&
         std::max(boundary.shift, boundary.together) > kClearShiftOfFew;
}

// The share of the rows in which even the shortest execution of the upper set is above most of the
// lower one.
double share_far_above(std::span<const std::vector<double>> rows, const Columns& low,
                       const Columns& high) {
  size_t above = 0;
  for (const std::vector<double>& row : rows) {
    go_on(1 + (low.size() + high.size()) / 4);
    const double least = quantile_of(picked(row, high), 0);
    above += least > quantile_of(picked(row, low), 0.5) + kFarAbove;
  }
  return static_cast<double>(above) / static_cast<double>(rows.size());
}

// How often the executions changed from one set to the other.
size_t changes_between(const Columns& low, const Columns& high) {
  size_t changes = 0, l = 0, h = 0;
  bool was_low = low.front() < high.front();
  while (l < low.size() || h < high.size()) {
    const bool is_low = h == high.size() || (l < low.size() && low[l] < high[h]);
    changes += is_low != was_low;
    was_low = is_low;
    ++(is_low ? l : h);
  }
  return changes;
}

}  // namespace

Boundary boundary_between(const GroupRows& rows, const Columns& low, const Columns& high) {
  Boundary result;
  result.base = levels_of(rows, low);
  result.rise = levels_of(rows, high);
  for (size_t r = 0; r < result.rise.size(); ++r) result.rise[r] -= result.base[r];
  const Agreement agreement = weigh(rows, low, high, result);
  if (agreement.rows == 0) return result;
  result.shift = shift_of(result, std::max(low.size(), high.size()) < kFew ? kTelling : 0.5);
  result.together = rise_together(result);
  if (result.together < kLeastTogether) return result;
  if (agreement.share < kAgreeing || result.shift <= kLeastShift) return result;
  const std::vector<double> of_fixed = rises_of(rows.fixed, low, high);
  const double machine = of_fixed.empty() ? 0 : std::max(quantile_of(of_fixed, 0.5), 0.0);
  const bool is_few = std::min(low.size(), high.size()) < kFew;
  const bool is_even = of_fixed.empty() ? rows.by_backend : is_few || machine < kSlowerMachine;
  if (!is_even && result.shift <= kClearShift && !is_beyond_machine(result, of_fixed))
    return result;
  const double beyond = result.shift - machine;
  if (beyond <= std::max(kBeyondMachine, kBeyondMachineShare * result.shift)) return result;
  if (rows.kernels < kFewKernels && !is_enough_for_few(rows, result, low, high)) return result;
  if (is_few && !is_clear_for_few(result, agreement.rows, beyond)) return result;
  result.holds = gap_between(rows, low, high) > kLeastGap;
  result.is_sure = result.holds;
  if (!rows.by_backend || !result.holds) return result;
  const double above = share_far_above(std::span(rows.rows).first(rows.kernels), low, high);
  result.holds = std::min(low.size(), high.size()) >= kManyOfBackend && above >= kSomeFarAbove;
  result.is_sure =
      result.holds && above >= kMostFarAbove && changes_between(low, high) >= kManyChanges;
  return result;
}

bool may_be_apart(const LogRows& rows, const Columns& low, const Columns& high) {
  return share_far_above(rows, low, high) >= kSomeFarAbove;
}

}  // namespace etlens
