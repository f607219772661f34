// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/gap_lines.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/budget.h"
#include "core/source/anchor/moved_lines.h"

namespace etlens {
namespace {

constexpr double kMinGapSimilarity = 0.7;
constexpr double kAloneSimilarity =
    0.85;                           // of a line that is not as far from a neighbour as it was
constexpr double kGapLead = 0.1;    // over the next best, of the lost lines and of the free ones
constexpr size_t kMaxPairs = 1024;  // compared in one gap; a larger one is left alone

// Lost lines [first, end) of one function, and the free lines of the document between their
// placed neighbours.
struct Gap {
  uint32_t scope = kNone;
  size_t first = 0;
  size_t end = 0;
  std::vector<uint32_t> free;
};

struct Pair {
  size_t lost;
  size_t free;  // row of Gap::free
};

class GapLines {
 public:
  GapLines(const SourceIndex& index, const OwnerFit& owners, LineCandidates& candidates,
           std::vector<std::optional<Candidate>>& placed)
      : index_(index),
        candidates_(candidates),
        placed_(placed),
        home_(home_scopes(owners, candidates, placed)),
        is_taken_(index.lines().size(), false) {
    for (const std::optional<Candidate>& place : placed_) {
      if (!place) continue;
      for (uint32_t line = place->line; line <= place->end_line; ++line) is_taken_[line] = true;
    }
  }

  void run() {
    for (size_t r = 0; r < placed_.size();) {
      go_on();
      if (placed_[r] || home_[r] == kNone) {
        ++r;
        continue;
      }
      Gap gap{home_[r], r, r, {}};
      while (gap.end < placed_.size() && !placed_[gap.end] && home_[gap.end] == gap.scope)
        ++gap.end;
      r = gap.end;
      if (is_here_around(gap) && find_free(gap)) fill(gap);
    }
  }

 private:
  // Whether the lines on both sides of them are in the function.
  bool is_here_around(const Gap& gap) const {
    const auto is_here = [&](size_t r) { return placed_[r] && placed_[r]->scope == gap.scope; };
    return gap.first > 0 && gap.end < placed_.size() && is_here(gap.first - 1) && is_here(gap.end);
  }

  // False if there are none, or so many lines that the gap says little.
  bool find_free(Gap& gap) const {
    const uint32_t first = placed_[gap.first - 1]->end_line + 1;
    const uint32_t last = placed_[gap.end]->line;
    const size_t lost = gap.end - gap.first;
    // No room for newcomers: what is there without the lost lines has always been there.
    const uint32_t recorded =
        candidates_.recorded(gap.end).line - candidates_.recorded(gap.first - 1).line - 1;
    if (last <= first || last - first + lost <= recorded) return false;
    const size_t most = kMaxPairs / lost;
    for (uint32_t line = first; line < last; ++line) {
      go_on();
      if (is_taken_[line] || index_.scope_of(line) != gap.scope) continue;
      if (gap.free.size() == most) return false;
      gap.free.push_back(line);
    }
    return !gap.free.empty();
  }

  void fill(const Gap& gap) {
    std::vector<Pair> pairs = clear_pairs(gap);
    for (size_t i = 0; i < pairs.size(); ++i) {
      const bool is_crossed = std::any_of(pairs.begin(), pairs.end(), [&](const Pair& other) {
        return (other.lost < pairs[i].lost) != (other.free < pairs[i].free) &&
               other.lost != pairs[i].lost;
      });
      const uint32_t line = gap.free[pairs[i].free];
      if (is_crossed || is_text_free(pairs[i].lost, gap.scope, line)) continue;
      const auto [alike, end] = candidates_.similarity_at(pairs[i].lost, line);
      const bool is_same = candidates_.recorded(pairs[i].lost).form.key == index_.line_key(line);
      placed_[pairs[i].lost] = Candidate{line,
                                         end,
                                         gap.scope,
                                         0,
                                         is_same ? 0 : similar_cost(alike),
                                         is_same ? TextMatch::Same : TextMatch::Similar};
      is_taken_[line] = true;
    }
  }

  // The lost lines that are like one free line, by far more than like the others and than other
  // lost lines are like it; ascending.
  std::vector<Pair> clear_pairs(const Gap& gap) {
    const size_t width = gap.free.size();
    std::vector<double> alike;
    for (size_t r = gap.first; r < gap.end; ++r) {
      for (const uint32_t line : gap.free)
        alike.push_back(candidates_.similarity_at(r, line).first);
    }
    std::vector<Pair> pairs;
    for (size_t row = 0; row < gap.end - gap.first; ++row) {
      const auto begin = alike.begin() + static_cast<ptrdiff_t>(row * width);
      const auto best = std::max_element(begin, begin + static_cast<ptrdiff_t>(width));
      const auto column = static_cast<size_t>(best - begin);
      bool is_clear = *best >= kMinGapSimilarity;
      for (size_t i = 0; i < alike.size() && is_clear; ++i) {
        const bool is_rival = (i / width == row) != (i % width == column);
        is_clear = !is_rival || alike[i] + kGapLead <= *best;
      }
      if (*best < kAloneSimilarity) is_clear &= is_in_step(gap, gap.first + row, gap.free[column]);
      if (is_clear) pairs.push_back({gap.first + row, column});
    }
    return pairs;
  }

  // As far from the placed neighbour above or below as it was.
  bool is_in_step(const Gap& gap, size_t r, uint32_t line) const {
    const int64_t was = candidates_.recorded(r).line;
    const auto is_kept = [&](size_t n, uint32_t edge) {
      return placed_[n] && placed_[n]->scope == gap.scope &&
             was - candidates_.recorded(n).line == static_cast<int64_t>(line) - edge;
    };
    return (gap.first > 0 && placed_[gap.first - 1] &&
            is_kept(gap.first - 1, placed_[gap.first - 1]->end_line)) ||
           (gap.end < placed_.size() && placed_[gap.end] &&
            is_kept(gap.end, placed_[gap.end]->line));
  }

  // Whether the line's own text stands on another line of the function that is no other line's.
  bool is_text_free(size_t r, uint32_t scope, uint32_t place) const {
    const std::span<const uint32_t> lines = index_.lines_with(candidates_.recorded(r).form.key);
    const PythonScope& function = index_.syntax().scopes()[scope];
    for (auto at = std::lower_bound(lines.begin(), lines.end(), function.header_line);
         at != lines.end() && *at <= function.last_line; ++at) {
      go_on();
      if (*at != place && !is_taken_[*at] && index_.scope_of(*at) == scope) return true;
    }
    return false;
  }

  const SourceIndex& index_;
  LineCandidates& candidates_;
  std::vector<std::optional<Candidate>>& placed_;
  std::vector<uint32_t> home_;
  std::vector<bool> is_taken_;
};

}  // namespace

void place_in_gaps(const SourceIndex& index, const OwnerFit& owners, LineCandidates& candidates,
                   std::vector<std::optional<Candidate>>& placed) {
  GapLines(index, owners, candidates, placed).run();
}

}  // namespace etlens
