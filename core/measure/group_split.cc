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
constexpr double kMostInside = 0.45;
constexpr double kMostExecutions = 0.75;
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

// Too many executions of the set are away from its level, as seen from a boundary of it: it holds
// different amounts of work, like sizes in a range.
bool is_mixed(const GroupRows& rows, const Boundary& between, bool is_upper, const Columns& set) {
  if (set.size() < 3) return false;
  std::vector<double> away;
  for (const uint32_t c : set) {
    go_on(1 + rows.kernels);
    std::vector<double> places, weights;
    for (size_t r = 0; r < rows.kernels; ++r) {
      if (between.weights[r] == 0) continue;
      const double level = between.base[r] + (is_upper ? between.rise[r] : 0);
      places.push_back((rows.rows[r][c] - level) / between.rise[r]);
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

}  // namespace

std::vector<uint32_t> split_executions(const GroupSignals& signals) {
  std::vector<uint32_t> groups(signals.executions());
  if (groups.size() < 2) return groups;
  const GroupRows rows(signals);
  Columns all(groups.size());
  std::iota(all.begin(), all.end(), 0u);
  const std::vector<Columns> parts = merged(rows, resettled(rows, divide(rows, all, 0)));
  if (has_mixed(rows, parts)) return groups;
  for (uint32_t g = 0; g < parts.size(); ++g)
    for (const uint32_t c : parts[g]) groups[c] = g;
  return groups;
}

}  // namespace etlens
