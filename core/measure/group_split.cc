// SPDX-License-Identifier: Apache-2.0
#include "core/measure/group_split.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "core/base/budget.h"
#include "core/measure/group_boundary.h"
#include "core/measure/group_fit.h"
#include "core/measure/robust.h"

namespace etlens {
namespace {

// Of one order of the executions, the widest gaps are tried.
constexpr size_t kCandidateGaps = 6;
constexpr double kLeastCandidateGap = 0.03;
constexpr int kRounds = 4;
constexpr int kMostDepth = 7;
// In positions, from 0 to 1: where most executions of a set are nearer to another, it is no group.
constexpr double kMostInside = 0.35;
constexpr double kMostExecutions = 0.75;
// In positions: so near to the middle, an execution may be in either set.
constexpr double kUndecided = 0.09;
// A backend is asked where fewer kernels are outside of it, and if it has as many operators.
constexpr size_t kFewBesideBackend = 4;
constexpr size_t kEnoughOperators = 8;
// Of logarithms: what fixed work takes longer where the machine was slower.
constexpr double kSlowerInExecution = 0.2;
// Beyond this, a value is an interruption, however far it is.
constexpr double kFarFromMiddle = 0.7;

struct Halves {
  Columns low, high;  // ascending
};

// Orders of the executions by how much the kernels took: different quantiles see through different
// noise.
std::vector<std::vector<double>> projections_of(const GroupRows& rows, const Columns& columns) {
  LogRows levels;
  for (size_t r = 0; r < rows.kernels; ++r) {
    std::vector<double> values = picked(rows.rows[r], columns);
    const double middle = quantile_of(values, 0.5);
    for (double& value : values) value -= middle;
    levels.push_back(std::move(values));
  }
  std::vector<std::vector<double>> found(5);
  for (size_t c = 0; c < columns.size(); ++c) {
    go_on(1 + levels.size());
    std::vector<double> of_column;
    for (const std::vector<double>& row : levels) of_column.push_back(row[c]);
    constexpr double kQuantiles[] = {0.2, 0.3, 0.5, 0.7, 0.85};
    for (size_t q = 0; q < found.size(); ++q)
      found[q].push_back(quantile_of(of_column, kQuantiles[q]));
  }
  return found;
}

// The divisions at the widest gaps of one projection.
std::vector<Halves> candidates_of(const Columns& columns, const std::vector<double>& values) {
  std::vector<uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return values[a] < values[b]; });
  std::vector<uint32_t> cuts(order.size() - 1);
  std::iota(cuts.begin(), cuts.end(), 0u);
  const auto gap = [&](uint32_t i) { return values[order[i + 1]] - values[order[i]]; };
  const size_t most = std::min(kCandidateGaps, cuts.size());
  std::partial_sort(cuts.begin(), cuts.begin() + static_cast<ptrdiff_t>(most), cuts.end(),
                    [&](uint32_t a, uint32_t b) { return gap(a) > gap(b); });
  std::vector<Halves> found;
  for (size_t i = 0; i < most && gap(cuts[i]) >= kLeastCandidateGap; ++i) {
    Halves& halves = found.emplace_back();
    for (size_t k = 0; k < order.size(); ++k)
      (k <= cuts[i] ? halves.low : halves.high).push_back(columns[order[k]]);
    std::sort(halves.low.begin(), halves.low.end());
    std::sort(halves.high.begin(), halves.high.end());
  }
  return found;
}

// Every execution on the side that it fits better.
Halves settled(const GroupRows& rows, const Columns& columns, Halves halves) {
  for (int round = 0; round < kRounds; ++round) {
    const std::array<Columns, 2> sets{halves.low, halves.high};
    const GroupFit fit(rows, sets);
    Halves next;
    for (const uint32_t c : columns) (fit.position(c) > 0.5 ? next.high : next.low).push_back(c);
    if (next.low.empty() || next.high.empty() || next.low == halves.low) break;
    halves = std::move(next);
  }
  return halves;
}

// What the kernels still vary by inside the sets.
double rest_of(const GroupRows& rows, const Halves& halves) {
  double rest = 0;
  for (const std::vector<double>& row : rows.rows) {
    go_on(1 + row.size() / 4);
    for (const Columns* set : {&halves.low, &halves.high}) {
      const std::vector<double> values = picked(row, *set);
      const double middle = quantile_of(values, 0.5);
      for (const double value : values) rest += std::min(std::abs(value - middle), kFarFromMiddle);
    }
  }
  return rest;
}

// The best division into two that holds.
std::optional<Halves> best_division(const GroupRows& rows, const Columns& columns) {
  std::set<Columns> seen;
  std::optional<double> least;
  std::optional<Halves> best;
  for (const std::vector<double>& values : projections_of(rows, columns)) {
    for (Halves& candidate : candidates_of(columns, values)) {
      if (!seen.insert(candidate.high).second) continue;
      Halves halves = settled(rows, columns, std::move(candidate));
      seen.insert(halves.high);
      if (!boundary_between(rows, halves.low, halves.high).holds) continue;
      const double rest = rest_of(rows, halves);
      if (least && rest >= *least) continue;
      least = rest;
      best = std::move(halves);
    }
  }
  return best;
}

// Ascending by work.
std::vector<Columns> divide(const GroupRows& rows, const Columns& columns, int depth) {
  if (columns.size() < 2 || depth >= kMostDepth) return {columns};
  const std::optional<Halves> halves = best_division(rows, columns);
  if (!halves) return {columns};
  std::vector<Columns> result = divide(rows, halves->low, depth + 1);
  for (Columns& part : divide(rows, halves->high, depth + 1)) result.push_back(std::move(part));
  return result;
}

// Every execution in the set of its neighbourhood that it fits best: a division of three sizes leaves
// some on the wrong side.
std::vector<Columns> resettled(const GroupRows& rows, std::vector<Columns> parts) {
  for (int round = 0; round < kRounds && parts.size() > 1; ++round) {
    const GroupFit fit(rows, parts);
    std::vector<Columns> next(parts.size());
    for (size_t k = 0; k < parts.size(); ++k)
      for (const uint32_t c : parts[k]) next[fit.nearest(c, k)].push_back(c);
    for (Columns& part : next) std::sort(part.begin(), part.end());
    std::erase_if(next, [](const Columns& part) { return part.empty(); });
    if (next == parts) break;
    parts = std::move(next);
  }
  return parts;
}

// Without the boundaries that do not hold, the weakest first.
std::vector<Columns> merged(const GroupRows& rows, std::vector<Columns> parts) {
  while (parts.size() > 1) {
    std::optional<size_t> weakest;
    double least = 0;
    for (size_t k = 0; k + 1 < parts.size(); ++k) {
      const Boundary between = boundary_between(rows, parts[k], parts[k + 1]);
      if (between.holds || (weakest && between.together >= least)) continue;
      weakest = k;
      least = between.together;
    }
    if (!weakest) break;
    Columns& into = parts[*weakest];
    into.insert(into.end(), parts[*weakest + 1].begin(), parts[*weakest + 1].end());
    std::sort(into.begin(), into.end());
    parts.erase(parts.begin() + static_cast<ptrdiff_t>(*weakest + 1));
    parts = resettled(rows, std::move(parts));
  }
  return parts;
}

// Of each execution of the set how much longer fixed work took than it takes in the set.
std::vector<double> machine_shifts(const GroupRows& rows, const Columns& set) {
  std::vector<std::vector<double>> shifts(set.size());
  for (const std::vector<double>& row : rows.fixed) {
    go_on(1 + set.size() / 4);
    const std::vector<double> times = picked(row, set);
    const double level = level_of(times);
    for (size_t i = 0; i < set.size(); ++i) shifts[i].push_back(times[i] - level);
  }
  std::vector<double> found;
  for (std::vector<double>& of_execution : shifts) {
    const double shift = quantile_of(std::move(of_execution), 0.5);
    found.push_back(shift < kSlowerInExecution ? 0 : shift);
  }
  return found;
}

// Too many executions of the set are away from its level, as seen from a boundary of it: it holds
// different amounts of work, like sizes in a range.
bool is_mixed(const GroupRows& rows, const Boundary& between, bool is_upper, const Columns& set) {
  if (set.size() < 3) return false;
  std::vector<double> away;
  const std::vector<double> machine = machine_shifts(rows, set);
  for (size_t i = 0; i < set.size(); ++i) {
    const uint32_t c = set[i];
    go_on(1 + rows.kernels);
    std::vector<double> places, weights;
    for (size_t r = 0; r < rows.kernels; ++r) {
      if (between.weights[r] == 0) continue;
      const double level = between.base[r] + (is_upper ? between.rise[r] : 0);
      places.push_back((rows.rows[r][c] - level - machine[i]) / between.rise[r]);
      weights.push_back(between.weights[r]);
    }
    away.push_back(weighted_quantile_of(places, weights, 0.5));
  }
  return quantile_of(std::move(away), kMostExecutions) > kMostInside;
}

bool has_mixed(const GroupRows& rows, const std::vector<Columns>& parts) {
  for (size_t k = 0; k + 1 < parts.size(); ++k) {
    const Boundary between = boundary_between(rows, parts[k], parts[k + 1]);
    if (is_mixed(rows, between, false, parts[k]) || is_mixed(rows, between, true, parts[k + 1]))
      return true;
  }
  return false;
}

// Some execution fits two neighbours nearly alike. Of operators of a backend whose threads are busy
// elsewhere, times say no more.
bool has_undecided(const GroupRows& rows, const std::vector<Columns>& parts) {
  for (size_t k = 0; k + 1 < parts.size(); ++k) {
    if (!boundary_between(rows, parts[k], parts[k + 1]).is_sure) return true;
    const std::array<Columns, 2> sets{parts[k], parts[k + 1]};
    const GroupFit fit(rows, sets);
    for (const Columns& set : sets)
      for (const uint32_t c : set)
        if (std::abs(fit.position(c) - 0.5) < kUndecided) return true;
  }
  return false;
}

// The columns that are in no part are put where they fit best.
std::vector<uint32_t> numbers_of(const GroupRows& rows, const std::vector<Columns>& parts,
                                 size_t executions) {
  std::vector<uint32_t> groups(executions);
  if (parts.size() < 2) return groups;
  std::vector<bool> is_known(executions);
  for (uint32_t g = 0; g < parts.size(); ++g) {
    for (const uint32_t c : parts[g]) {
      groups[c] = g;
      is_known[c] = true;
    }
  }
  const GroupFit fit(rows, parts);
  for (uint32_t c = 0; c < executions; ++c)
    if (!is_known[c]) groups[c] = static_cast<uint32_t>(fit.best(c));
  return groups;
}

// Ascending by work; one where the evidence does not suffice.
std::vector<Columns> parts_of(const GroupRows& rows, const Columns& columns) {
  std::vector<Columns> parts = merged(rows, resettled(rows, divide(rows, columns, 0)));
  if (has_mixed(rows, parts) || (rows.by_backend && has_undecided(rows, parts))) parts = {columns};
  return parts;
}

// What few kernels say, the backend's operators must not deny.
bool deny(const LogRows& operators, const std::vector<Columns>& parts) {
  for (size_t k = 0; k + 1 < parts.size(); ++k)
    if (!may_be_apart(operators, parts[k], parts[k + 1])) return true;
  return false;
}

}  // namespace

bool asks_backend(size_t kernels) { return kernels < kFewBesideBackend; }

std::vector<uint32_t> split_executions(const GroupSignals& signals,
                                       std::span<const uint32_t> looked_at) {
  std::vector<uint32_t> one(signals.executions());
  if (one.size() < 2 || looked_at.size() < 2) return one;
  const Columns columns(looked_at.begin(), looked_at.end());
  const GroupRows rows(signals);
  const std::vector<Columns> parts =
      signals.kernels.empty() ? std::vector<Columns>{columns} : parts_of(rows, columns);
  if (!asks_backend(signals.kernels.size()) || signals.operators.size() < kEnoughOperators)
    return numbers_of(rows, parts, one.size());
  if (parts.size() > 1)
    return deny(signals.operators, parts) ? one : numbers_of(rows, parts, one.size());
  const GroupRows with_operators(signals, true);
  return numbers_of(with_operators, parts_of(with_operators, columns), one.size());
}

std::vector<uint32_t> split_executions(const GroupSignals& signals) {
  Columns all(signals.executions());
  std::iota(all.begin(), all.end(), 0u);
  return split_executions(signals, all);
}

}  // namespace etlens
