// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/renamed_functions.h"

#include <algorithm>
#include <map>

namespace etlens {
namespace {

constexpr size_t kMinEqualLines = 2;       // lines
constexpr double kMinEqualShare = 0.3;     // of the function's recorded lines
constexpr double kRunnerUpLead = 1.5;      // as many lines as in the next best function
constexpr size_t kMaxPlaces = 16;          // a text on more lines than these tells nothing
constexpr size_t kMaxFunctionLines = 256;  // of one function
constexpr size_t kMaxLikeScopes = 16;      // that have some of the lines

// Recorded lines, ascending, and a line of the document each.
using Matches = std::vector<std::pair<size_t, uint32_t>>;

// The longest run of matches that ascends on both sides. `matches`: ascending by recorded line, and
// descending by line of the document for each of them.
Matches longest_ascent(const Matches& matches) {
  std::vector<size_t> ends;  // per length, the match that ends such an ascent the furthest up
  std::vector<size_t> before(matches.size(), SIZE_MAX);
  for (size_t m = 0; m < matches.size(); ++m) {
    const auto at = std::partition_point(ends.begin(), ends.end(), [&](size_t end) {
      return matches[end].second < matches[m].second;
    });
    if (at != ends.begin()) before[m] = *std::prev(at);
    if (at == ends.end()) ends.push_back(m);
    else *at = m;
  }
  Matches best;
  for (size_t m = ends.empty() ? SIZE_MAX : ends.back(); m != SIZE_MAX; m = before[m])
    best.push_back(matches[m]);
  std::reverse(best.begin(), best.end());
  return best;
}

class RenamedFunctions {
 public:
  RenamedFunctions(const SourceIndex& index, const OwnerFit& owners,
                   const LineCandidates& candidates, std::vector<std::optional<Candidate>>& placed)
      : index_(index),
        owners_(owners),
        candidates_(candidates),
        placed_(placed),
        is_taken_(index.lines().size(), false) {
    for (const std::optional<Candidate>& place : placed_) {
      if (place) is_taken_[place->line] = true;
    }
  }

  void run() {
    std::map<uint32_t, std::vector<size_t>> lines;  // by owner
    for (size_t r = 0; r < placed_.size(); ++r) lines[candidates_.recorded(r).owner].push_back(r);
    for (const auto& [owner, rows] : lines) {
      const bool is_lost =
          std::none_of(rows.begin(), rows.end(), [&](size_t r) { return placed_[r].has_value(); });
      if (is_lost && rows.size() >= kMinEqualLines && rows.size() <= kMaxFunctionLines)
        place(owner, rows);
    }
  }

 private:
  void place(uint32_t owner, const std::vector<size_t>& rows) {
    std::map<uint32_t, Matches> found;  // by scope
    for (const size_t r : rows) {
      const std::span<const uint32_t> lines = index_.lines_with(candidates_.recorded(r).form.key);
      if (lines.size() > kMaxPlaces) continue;
      for (size_t i = lines.size(); i-- > 0;) {
        const uint32_t scope = index_.scope_of(lines[i]);
        if (!is_taken_[lines[i]] && is_possible(owner, scope))
          found[scope].emplace_back(r, lines[i]);
      }
    }
    if (found.size() > kMaxLikeScopes) return;
    Matches best;
    size_t second = 0;
    for (const auto& [scope, matches] : found) {
      Matches here = longest_ascent(matches);
      if (here.size() > best.size()) std::swap(best, here);
      second = std::max(second, here.size());
    }
    const auto equal = static_cast<double>(best.size());
    const bool is_clear = best.size() >= kMinEqualLines &&
                          equal >= kMinEqualShare * static_cast<double>(rows.size()) &&
                          equal >= kRunnerUpLead * static_cast<double>(second);
    if (!is_clear) return;
    // A text that the function has twice is left to the lines around it.
    const Matches& all = found[index_.scope_of(best.front().second)];
    for (const auto& [r, line] : best) {
      if (!is_only(all, r, line)) continue;
      placed_[r] = Candidate{line, line, index_.scope_of(line), 0, 0, TextMatch::Same};
      is_taken_[line] = true;
    }
  }

  static bool is_only(const Matches& all, size_t r, uint32_t line) {
    return std::count_if(all.begin(), all.end(), [&](const auto& match) {
             return match.first == r || match.second == line;
           }) == 1;
  }

  // A function with another name than those that were recorded, where the line's own is gone.
  bool is_possible(uint32_t owner, uint32_t scope) const {
    if (scope == kNone) return false;
    const float cost = owners_.cost(owner, scope);
    return cost > 0 && cost < kForbidden &&
           !owners_.is_recorded_name(index_.syntax().scopes()[scope].name);
  }

  const SourceIndex& index_;
  const OwnerFit& owners_;
  const LineCandidates& candidates_;
  std::vector<std::optional<Candidate>>& placed_;
  std::vector<bool> is_taken_;
};

}  // namespace

void place_renamed_functions(const SourceIndex& index, const OwnerFit& owners,
                             const LineCandidates& candidates,
                             std::vector<std::optional<Candidate>>& placed) {
  RenamedFunctions(index, owners, candidates, placed).run();
}

}  // namespace etlens
