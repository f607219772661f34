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
};

// Every line that reports list: those with a cost of their own (Facts::hot_lines), then those with
// what they call, then the rest.
std::vector<LineId> listed_lines(const Facts& facts);

// Places and intervals of the rows of Facts::hot_lines. A row costs a pass over the samples of its
// contributions when it is first asked for; rows that nobody asks for cost nothing.
class Ranking {
 public:
  // `facts` must outlive the object.
  explicit Ranking(const Facts& facts);

  // A line shares every place up to the last line, before it and behind it, that nothing tells it
  // from.
  RankRange places(size_t row);
  // Of the line's own cost.
  std::optional<Interval> interval(size_t row) { return interval_of(uncertainty(row)); }

 private:
  const std::optional<Uncertainty>& uncertainty(size_t row);
  bool are_tied(size_t a, size_t b);

  const Facts& facts_;
  std::vector<std::optional<std::optional<Uncertainty>>> known_;  // per row, when it was asked for
  std::vector<size_t> ends_;  // of the first rows: the last that nothing tells it from
};

// One per Facts::ranked: the share of everything that it has with all before it.
std::vector<double> running_shares(const Facts& facts);

}  // namespace etlens
