// SPDX-License-Identifier: Apache-2.0
#include "core/measure/group_split.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "core/base/budget.h"
#include "core/measure/group_boundary.h"
#include "core/measure/robust.h"

namespace etlens {
namespace {

// Of one order of the executions, the widest gaps are tried.
constexpr size_t kCandidateGaps = 6;
constexpr double kLeastCandidateGap = 0.03;
constexpr int kRounds = 3;
constexpr int kMostDepth = 7;
// Beyond this, a value is an interruption, however far it is.
constexpr double kFarFromMiddle = 0.7;

struct Halves {
  Columns low, high;  // ascending
};

// Orders of the executions by how much the kernels took: different quantiles see through different
// noise.
std::vector<std::vector<double>> projections_of(const GroupRows& rows, const Columns& columns) {
  LogRows levels;
  for (const std::vector<double>& row : rows.rows) {
    std::vector<double> values = picked(row, columns);
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

// Every execution on the side where the rows that tell most have it.
Halves settled(const GroupRows& rows, const Columns& columns, Halves halves) {
  for (int round = 0; round < kRounds; ++round) {
    const Boundary boundary = boundary_between(rows, halves.low, halves.high);
    if (!is_supported(boundary)) break;
    Halves next;
    for (const uint32_t c : columns)
      (position_of(rows, boundary, c) > 0.5 ? next.high : next.low).push_back(c);
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

// Neighbours settle among themselves: a division of three sizes leaves some executions on the wrong side.
std::vector<Columns> resettled(const GroupRows& rows, std::vector<Columns> parts) {
  for (size_t k = 0; k + 1 < parts.size(); ++k) {
    Columns both = parts[k];
    both.insert(both.end(), parts[k + 1].begin(), parts[k + 1].end());
    std::sort(both.begin(), both.end());
    Halves halves = settled(rows, both, {std::move(parts[k]), std::move(parts[k + 1])});
    parts[k] = std::move(halves.low);
    parts[k + 1] = std::move(halves.high);
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
      if (between.holds || (weakest && between.shift >= least)) continue;
      weakest = k;
      least = between.shift;
    }
    if (!weakest) break;
    Columns& into = parts[*weakest];
    into.insert(into.end(), parts[*weakest + 1].begin(), parts[*weakest + 1].end());
    std::sort(into.begin(), into.end());
    parts.erase(parts.begin() + static_cast<ptrdiff_t>(*weakest + 1));
  }
  return parts;
}

}  // namespace

std::vector<uint32_t> split_executions(const GroupSignals& signals) {
  std::vector<uint32_t> groups(signals.executions());
  if (groups.size() < 2) return groups;
  const GroupRows rows(signals);
  Columns all(groups.size());
  std::iota(all.begin(), all.end(), 0u);
  const std::vector<Columns> parts = merged(rows, resettled(rows, divide(rows, all, 0)));
  for (uint32_t g = 0; g < parts.size(); ++g)
    for (const uint32_t c : parts[g]) groups[c] = g;
  return groups;
}

}  // namespace etlens
