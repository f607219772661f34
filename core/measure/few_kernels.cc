// SPDX-License-Identifier: Apache-2.0
#include "core/measure/few_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/base/budget.h"
#include "core/measure/robust.h"

namespace etlens {
namespace {

// Of the events of backends, those at least a third as long as the longest: of shorter ones, the clock
// and the waiting show no ratio.
const double kNearLongest = std::log(3.0);
// Waiting only adds.
constexpr double kMiddleWithWaiting = 0.35;

// Of logarithms, how far a time is from its middle: kernels that vary more than the most did so by
// waiting, and threads come and go in more executions than show it.
constexpr double kLeastSpread = 0.03;
constexpr double kMostKernelSpread = 0.1;
constexpr double kThreadSpread = 0.1;
// In spreads: farther away, a time is an interruption, however far it is. Beyond, distance counts little.
constexpr double kFar = 8;
constexpr double kByDistance = 0.5;
// How much a wait counts against a fit; a shorter one, in microseconds, is none.
constexpr double kWaitCounts = 2;
constexpr double kLeastWait = 0.5;
// What is left of a kernel that waited, in microseconds with the offset, at least.
constexpr double kLeastLeft = 0.25;
// Of logarithms: how much the longest kernel rises at least beside a wait.
constexpr double kLeastBesideWait = 0.15;

double spread_of(const GroupRows& rows, const Boundary& boundary, size_t row) {
  const double spread = kLeastSpread + noise_in(boundary, row) / 2;
  return row < rows.kernels ? std::min(spread, kMostKernelSpread) : spread + kThreadSpread;
}

class Fit {
 public:
  Fit(const GroupRows& rows, const Boundary& boundary, uint32_t column)
      : rows_(rows), boundary_(boundary), column_(column) {}

  // How badly the execution fits one of the sets, with the wait that explains most.
  double cost_in(bool is_upper) const {
    double least = cost_with(0, is_upper);
    for (size_t r = 0; r < rows_.kernels; ++r) {
      if (boundary_.weights[r] == 0) continue;
      const double wait = std::exp(rows_.rows[r][column_]) - std::exp(level(r, is_upper));
      if (wait > kLeastWait) least = std::min(least, kWaitCounts + cost_with(wait, is_upper));
    }
    return least;
  }

 private:
  double level(size_t row, bool is_upper) const {
    return boundary_.base[row] + (is_upper ? boundary_.rise[row] : 0);
  }

  double cost_with(double wait, bool is_upper) const {
    go_on(1 + rows_.rows.size());
    double cost = 0;
    for (size_t r = 0; r < rows_.rows.size(); ++r) {
      if (boundary_.weights[r] == 0) continue;
      double value = rows_.rows[r][column_];
      if (r < rows_.kernels) value = std::log(std::max(std::exp(value) - wait, kLeastLeft));
      const double away = std::abs(value - level(r, is_upper));
      cost += std::min(away / spread_of(rows_, boundary_, r), kFar) + kByDistance * away;
    }
    return cost;
  }

  const GroupRows& rows_;
  const Boundary& boundary_;
  uint32_t column_;
};

}  // namespace

std::vector<double> delegated_together(const LogRows& delegated) {
  std::vector<double> middles;
  for (const std::vector<double>& row : delegated) {
    go_on(1 + row.size() / 4);
    middles.push_back(quantile_of(row, 0.5));
  }
  const double longest = *std::max_element(middles.begin(), middles.end());
  std::vector<size_t> used;
  std::vector<double> lengths;
  for (size_t r = 0; r < middles.size(); ++r) {
    if (middles[r] < longest - kNearLongest) continue;
    used.push_back(r);
    lengths.push_back(middles[r]);
  }
  const double length = quantile_of(std::move(lengths), 0.5);
  std::vector<double> together;
  for (size_t s = 0; s < delegated.front().size(); ++s) {
    go_on(1 + used.size());
    std::vector<double> rises;
    for (const size_t r : used) rises.push_back(delegated[r][s] - middles[r]);
    together.push_back(length + quantile_of(std::move(rises), kMiddleWithWaiting));
  }
  return together;
}

double position_by_fit(const GroupRows& rows, const Boundary& boundary, uint32_t column) {
  const Fit fit(rows, boundary, column);
  const double in_lower = fit.cost_in(false);
  const double both = in_lower + fit.cost_in(true);
  return both > 0 ? in_lower / both : 0.5;
}

bool is_more_than_waiting(const GroupRows& rows, const Boundary& boundary) {
  for (size_t r = rows.kernels; r < rows.rows.size(); ++r)
    if (boundary.weights[r] > 0) return true;
  double wait = std::numeric_limits<double>::infinity();
  std::optional<size_t> longest;
  size_t kernels = 0;
  for (size_t r = 0; r < rows.kernels; ++r) {
    if (boundary.weights[r] == 0) continue;
    const double before = std::exp(boundary.base[r]);
    wait = std::min(wait, before * std::exp(boundary.rise[r]) - before);
    ++kernels;
    if (!longest || boundary.base[r] > boundary.base[*longest]) longest = r;
  }
  if (kernels < 2) return false;
  const double after = std::exp(boundary.base[*longest] + boundary.rise[*longest]);
  return std::log(after - wait) - boundary.base[*longest] > kLeastBesideWait;
}

}  // namespace etlens
