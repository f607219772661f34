// SPDX-License-Identifier: Apache-2.0
#include "core/measure/group_boundary.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/budget.h"
#include "core/measure/few_kernels.h"
#include "core/measure/robust.h"

namespace etlens {
namespace {

// Of logarithms: a rise below this is no other amount of work, of one row and of all together.
constexpr double kLeastRise = 0.06;
constexpr double kLeastShift = 0.2;
// A row tells two sets apart if it orders so many pairs of executions.
constexpr double kOrdered = 0.85;
// Of the rows that count, by their weights, so many agree.
constexpr double kAgreeing = 0.7;
// Rows count from this length on: offset and a quarter of a microsecond.
const double kLongEnough = std::log(kKernelOffset + 0.25);
// In positions, from 0 to 1: between the executions of both sets but for so many of each.
constexpr double kLeastGap = 0.25;
constexpr double kOutside = 0.05;
// How much more than the rows of fixed work the others rise: at least, and of their rise.
constexpr double kBeyondMachine = 0.1;
constexpr double kBeyondMachineShare = 0.4;
// Without rows of fixed work: no machine slows down that much.
constexpr double kClearShift = 0.75;
// Sets of fewer executions look like warm-up and interruptions.
constexpr size_t kFew = 3;
constexpr double kShiftOfFew = 0.5;
// Fewer kernels need what backends reported (few_kernels.h), and cannot tell a few interruptions from
// longer inputs; with so few, more executions are outside.
constexpr size_t kFewKernels = 4;
constexpr size_t kFewBesideFewKernels = 6;
constexpr double kOutsideByFewKernels = 0.15;
// What keeps the weight of a row finite.
constexpr double kLeastNoise = 0.05;
// Overheads hide how work grows: without other executions to weigh the rows, those that rise most tell.
constexpr double kTelling = 0.7;

std::vector<double> medians_of(const LogRows& rows, const Columns& columns) {
  std::vector<double> result;
  for (const std::vector<double>& row : rows) {
    go_on(1 + columns.size() / 4);
    result.push_back(quantile_of(picked(row, columns), 0.5));
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
  if (sum < kFew) counts.assign(low.size(), true);
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
  boundary.weights.assign(rows.rows.size(), 0);
  Agreement found;
  double agreeing = 0, all = 0;
  for (size_t r = 0; r < rows.rows.size(); ++r) {
    if (!counts[r]) continue;
    go_on(1 + low.size() + high.size());
    const std::vector<double>& row = rows.rows[r];
    const double weight = 1 / (kLeastNoise + noise_of(row, low, high));
    const bool votes = r < rows.kernels;
    if (votes) all += weight;
    if (boundary.rise[r] <= kLeastRise) continue;
    if (order_share(picked(row, low), picked(row, high)) <= kOrdered) continue;
    boundary.weights[r] = weight;
    if (votes) agreeing += weight;
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

// Between the positions of both sets, without the outermost of each.
double gap_between(const GroupRows& rows, const Boundary& boundary, const Columns& low,
                   const Columns& high) {
  std::vector<double> below, above;
  for (const uint32_t c : low) below.push_back(position_of(rows, boundary, c));
  for (const uint32_t c : high) above.push_back(position_of(rows, boundary, c));
  std::sort(below.begin(), below.end());
  std::sort(above.begin(), above.end());
  const double share = rows.kernels < kFewKernels ? kOutsideByFewKernels : kOutside;
  const auto outside = [&](const std::vector<double>& sorted) {
    return static_cast<size_t>(share * static_cast<double>(sorted.size() - 1));
  };
  return above[outside(above)] - below[below.size() - 1 - outside(below)];
}

// What the machine alone took longer in the upper set; nullopt if nothing shows it.
std::optional<double> machine_shift(const GroupRows& rows, const Columns& low,
                                    const Columns& high) {
  if (rows.fixed.empty()) return std::nullopt;
  const std::vector<double> before = medians_of(rows.fixed, low);
  std::vector<double> shifts = medians_of(rows.fixed, high);
  for (size_t r = 0; r < shifts.size(); ++r) shifts[r] -= before[r];
  return std::max(quantile_of(std::move(shifts), 0.5), 0.0);
}

}  // namespace

GroupRows::GroupRows(const GroupSignals& signals)
    : rows(signals.kernels), fixed(signals.fixed), kernels(signals.kernels.size()) {
  if (kernels < kFewKernels && !signals.delegated.empty())
    rows.push_back(delegated_together(signals.delegated));
}

std::vector<double> picked(const std::vector<double>& row, const Columns& columns) {
  std::vector<double> values;
  values.reserve(columns.size());
  for (const uint32_t c : columns) values.push_back(row[c]);
  return values;
}

bool is_supported(const Boundary& boundary) {
  return std::any_of(boundary.weights.begin(), boundary.weights.end(),
                     [](double weight) { return weight > 0; });
}

double noise_in(const Boundary& boundary, size_t row) {
  return 1 / boundary.weights[row] - kLeastNoise;
}

double position_of(const GroupRows& rows, const Boundary& boundary, uint32_t column) {
  if (rows.kernels < kFewKernels) return position_by_fit(rows, boundary, column);
  go_on(1 + rows.rows.size());
  std::vector<double> places, weights;
  for (size_t r = 0; r < rows.rows.size(); ++r) {
    if (boundary.weights[r] == 0) continue;
    places.push_back((rows.rows[r][column] - boundary.base[r]) / boundary.rise[r]);
    weights.push_back(boundary.weights[r] * boundary.rise[r]);
  }
  return weighted_quantile_of(places, weights, 0.5);
}

Boundary boundary_between(const GroupRows& rows, const Columns& low, const Columns& high) {
  Boundary result;
  result.base = medians_of(rows.rows, low);
  result.rise = medians_of(rows.rows, high);
  for (size_t r = 0; r < result.rise.size(); ++r) result.rise[r] -= result.base[r];
  const Agreement agreement = weigh(rows, low, high, result);
  if (agreement.rows == 0) return result;
  result.shift = shift_of(result, std::max(low.size(), high.size()) < kFew ? kTelling : 0.5);
  if (agreement.share < kAgreeing || result.shift <= kLeastShift) return result;
  const std::optional<double> machine = machine_shift(rows, low, high);
  if (!machine && result.shift <= kClearShift) return result;
  const double beyond = result.shift - machine.value_or(0);
  if (beyond <= std::max(kBeyondMachine, kBeyondMachineShare * result.shift)) return result;
  const size_t least = std::min(low.size(), high.size());
  if (rows.kernels < kFewKernels &&
      (least < kFewBesideFewKernels || !is_more_than_waiting(rows, result)))
    return result;
  const bool is_few = least < kFew;
  if (is_few && (beyond <= kShiftOfFew || agreement.rows < kFew)) return result;
  result.holds = gap_between(rows, result, low, high) > kLeastGap;
  return result;
}

}  // namespace etlens
