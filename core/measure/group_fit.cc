// SPDX-License-Identifier: Apache-2.0
#include "core/measure/group_fit.h"

#include <algorithm>
#include <cmath>

#include "core/base/budget.h"
#include "core/measure/robust.h"

namespace etlens {
namespace {

// The share of times below a level; of fewer times, the least one is the level.
constexpr double kBelowLevel = 0.15;
constexpr size_t kFewTimes = 5;
// Threads of a backend come and go, so that its events are shorter now and then.
constexpr double kBelowLevelOfBackend = 0.35;
constexpr double kOftenOfBackend = 0.55;
// Of logarithms: what is added to the spread of a row.
constexpr double kLeastSpread = 0.03;
constexpr double kLeastSpreadOfBackend = 0.05;
// What a time below the level costs for each spread, and at most.
constexpr double kCostBelow = 2;
constexpr double kMostCostBelow = 8;
constexpr double kCostBelowOfBackend = 1;
constexpr double kMostCostBelowOfBackend = 3;
// All events of backends together count as so many kernels: they wait for the same threads.
constexpr double kBackendCountsAs = 3;
// Where another thread is free, all events take half the time: how seldom that is, and a logarithm.
constexpr double kCostOfThread = 3;
constexpr double kShorterByThread = 0.7;
// Of logarithms: levels that are nearer to each other are the same.
constexpr double kAlike = 0.06;
// A wrong set may be between two right ones.
constexpr size_t kNeighbours = 3;

}  // namespace

GroupRows::GroupRows(const GroupSignals& signals, bool with_operators)
    : rows(signals.kernels), fixed(signals.fixed), by_backend(with_operators) {
  if (with_operators) rows.insert(rows.end(), signals.operators.begin(), signals.operators.end());
  kernels = rows.size();
  rows.insert(rows.end(), signals.delegated.begin(), signals.delegated.end());
}

std::vector<double> picked(const std::vector<double>& row, const Columns& columns) {
  std::vector<double> values;
  values.reserve(columns.size());
  for (const uint32_t c : columns) values.push_back(row[c]);
  return values;
}

double level_of(const std::vector<double>& times) {
  return quantile_of(times, times.size() < kFewTimes ? 0 : kBelowLevel);
}

GroupFit::GroupFit(const GroupRows& rows, std::span<const Columns> sets)
    : rows_(rows), sets_(sets.size()) {
  for (size_t r = 0; r < rows.rows.size(); ++r) add_row(r, sets);
}

void GroupFit::add_row(size_t row, std::span<const Columns> sets) {
  const bool is_kernel = row < rows_.kernels;
  double sum = 0;
  size_t executions = 0;
  bool differs = false;
  for (const Columns& set : sets) {
    go_on(1 + set.size() / 4);
    const std::vector<double> times = picked(rows_.rows[row], set);
    double level = is_kernel ? level_of(times) : quantile_of(times, kBelowLevelOfBackend);
    const double often = quantile_of(times, is_kernel ? 0.5 : kOftenOfBackend);
    sum += static_cast<double>(times.size()) * (often - level);
    executions += times.size();
    if (&set != &sets.front()) {
      const double before = levels_.back();
      if (level - before < kAlike) level = before;
      else differs = true;
    }
    levels_.push_back(level);
  }
  const double least = is_kernel ? kLeastSpread : kLeastSpreadOfBackend;
  spreads_.push_back(least + sum / static_cast<double>(executions));
  const double of_backend = static_cast<double>(rows_.rows.size() - rows_.kernels);
  const double weight = is_kernel ? 1 : std::min(kBackendCountsAs / of_backend, 1.0);
  weights_.push_back(differs ? weight : 0);
}

double GroupFit::cost(uint32_t column, size_t set) const {
  const double of_backend = cost_of_backend(column, set, 0);
  const double with_threads = kCostOfThread + cost_of_backend(column, set, kShorterByThread);
  return cost_of_kernels(column, set) + std::min(of_backend, with_threads);
}

double GroupFit::cost_of_kernels(uint32_t column, size_t set) const {
  go_on(1 + rows_.kernels / 4);
  double sum = 0;
  for (size_t r = 0; r < rows_.kernels; ++r) {
    if (weights_[r] == 0) continue;
    const double above = (rows_.rows[r][column] - levels_[r * sets_ + set]) / spreads_[r];
    sum += above > 0 ? std::log1p(above) : std::min(-above * kCostBelow, kMostCostBelow);
  }
  return sum;
}

double GroupFit::cost_of_backend(uint32_t column, size_t set, double longer) const {
  go_on(1 + (weights_.size() - rows_.kernels) / 4);
  double sum = 0;
  for (size_t r = rows_.kernels; r < weights_.size(); ++r) {
    if (weights_[r] == 0) continue;
    const double time = rows_.rows[r][column] + longer;
    const double above = (time - levels_[r * sets_ + set]) / spreads_[r];
    sum +=
        weights_[r] * (above > 0 ? std::log1p(above)
                                 : std::min(-above * kCostBelowOfBackend, kMostCostBelowOfBackend));
  }
  return sum;
}

double GroupFit::position(uint32_t column) const {
  const double in_lower = cost(column, 0);
  const double both = in_lower + cost(column, 1);
  return both > 0 ? in_lower / both : 0.5;
}

size_t GroupFit::nearest(uint32_t column, size_t set) const {
  return cheapest(column, set, set - std::min(set, kNeighbours),
                  std::min(set + kNeighbours + 1, sets_));
}

size_t GroupFit::best(uint32_t column) const { return cheapest(column, 0, 1, sets_); }

size_t GroupFit::cheapest(uint32_t column, size_t set, size_t first, size_t end) const {
  size_t cheapest = set;
  double least = cost(column, set);
  for (size_t other = first; other < end; ++other) {
    const double in_other = cost(column, other);
    if (in_other >= least) continue;
    cheapest = other;
    least = in_other;
  }
  return cheapest;
}

}  // namespace etlens
