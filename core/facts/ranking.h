// SPDX-License-Identifier: Apache-2.0
// Rankings that do not pretend: which places of a ranking a line may have, and how much of
// everything the first rows of one are together.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/facts/facts.h"

namespace etlens {

// 1-based, both included.
struct RankRange {
  size_t first = 0;
  size_t last = 0;
  std::optional<Interval> interval;  // of the line's own cost, made of the same draws
};

// Every line that reports list: those with a cost of their own (Facts::hot_lines), then those with
// what they call, then the rest.
std::vector<LineId> listed_lines(const Facts& facts);

// One per Facts::hot_lines. A line shares every place up to the last line, before it and behind it,
// that nothing tells it from. Work grows with the number of contributions: ask once.
std::vector<RankRange> rank_ranges(const Facts& facts);

// One per Facts::ranked: the share of everything that it has with all before it.
std::vector<double> running_shares(const Facts& facts);

}  // namespace etlens
