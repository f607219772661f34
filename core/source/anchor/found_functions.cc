// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/found_functions.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>

#include "core/base/budget.h"

namespace etlens {
namespace {

constexpr size_t kMinEqualLines = 2;
constexpr double kMinEqualShare = 0.3;     // of the function's recorded lines
constexpr double kRunnerUpLead = 1.5;      // as many lines as in the next best function
constexpr float kTellingWeight = 2.5f;     // of a line that is enough if the file has it once
constexpr size_t kMaxPlaces = 16;          // a text on more lines than these tells nothing
constexpr size_t kMaxFunctionLines = 256;  // recorded
constexpr size_t kMaxLikeScopes = 16;      // that have some of the lines

struct Match {
  size_t recorded;
  uint32_t line;  // of the document, with the same text
};

// The longest run of matches that ascends on both sides. `matches`: ascending by recorded line, and
// descending by line of the document for each of them.
std::vector<Match> longest_ascent(const std::vector<Match>& matches) {
  std::vector<size_t> ends;  // per length, the match that ends such an ascent the furthest up
  std::vector<size_t> before(matches.size(), SIZE_MAX);
  for (size_t m = 0; m < matches.size(); ++m) {
    const auto at = std::partition_point(
        ends.begin(), ends.end(), [&](size_t end) { return matches[end].line < matches[m].line; });
    if (at != ends.begin()) before[m] = *std::prev(at);
    if (at == ends.end()) ends.push_back(m);
    else *at = m;
  }
  std::vector<Match> best;
  for (size_t m = ends.empty() ? SIZE_MAX : ends.back(); m != SIZE_MAX; m = before[m])
    best.push_back(matches[m]);
  std::reverse(best.begin(), best.end());
  return best;
}

class FoundFunctions {
 public:
  FoundFunctions(const SourceIndex& index, const OwnerFit& owners, const LineCandidates& candidates,
                 std::vector<std::optional<Candidate>>& placed)
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
    for (size_t r = 0; r < placed_.size();) {
      const size_t first = r;
      const uint32_t owner = candidates_.recorded(r).owner;
      bool is_lost = true;
      for (; r < placed_.size() && candidates_.recorded(r).owner == owner; ++r)
        is_lost &= !placed_[r].has_value();
      if (is_lost && r - first <= kMaxFunctionLines) find(owner, first, r);
    }
  }

 private:
  // Recorded lines [first, end) of one function.
  void find(uint32_t owner, size_t first, size_t end) {
    std::map<uint32_t, std::vector<Match>> found;  // by scope
    for (size_t r = first; r < end; ++r) {
      go_on();
      const TokenForm& form = candidates_.recorded(r).form;
      const std::span<const uint32_t> lines = index_.lines_with(form.key);
      if (form.token_count == 0 || lines.size() > kMaxPlaces) continue;
      for (size_t i = lines.size(); i-- > 0;) {
        const uint32_t scope = index_.scope_of(lines[i]);
        if (!is_taken_[lines[i]] && is_possible(owner, scope))
          found[scope].push_back({r, lines[i]});
      }
    }
    if (found.size() > kMaxLikeScopes) return;
    std::vector<Match> best;
    size_t second = 0;
    for (const auto& [scope, matches] : found) {
      std::vector<Match> here = longest_ascent(matches);
      if (here.size() > best.size()) std::swap(best, here);
      second = std::max(second, here.size());
    }
    const auto equal = static_cast<double>(best.size());
    const bool is_clear = is_enough(best, owner) &&
                          equal >= kMinEqualShare * static_cast<double>(end - first) &&
                          equal >= kRunnerUpLead * static_cast<double>(second);
    if (is_clear) place(best, found[index_.scope_of(best.front().line)]);
  }

  // The function itself; or one that was never recorded, where the function is gone. Which of
  // several of its name it is, lines that were not placed do not tell.
  bool is_possible(uint32_t owner, uint32_t scope) const {
    if (scope == kNone) return false;
    if (owners_.only_scope(owner) == scope) return true;
    const std::string_view name = index_.syntax().scopes()[scope].name;
    const float cost = owners_.cost(owner, scope);
    return cost > 0 && cost < kForbidden && name != owners_.function_of(owner) &&
           !owners_.is_recorded_name(name);
  }

  bool is_enough(const std::vector<Match>& matches, uint32_t owner) const {
    if (matches.size() != 1) return matches.size() >= kMinEqualLines;
    const TokenForm& form = candidates_.recorded(matches.front().recorded).form;
    return owners_.only_scope(owner) == index_.scope_of(matches.front().line) &&
           form.weight >= kTellingWeight && index_.lines_with(form.key).size() == 1;
  }

  // A text that the function has twice is left to the lines around it.
  void place(const std::vector<Match>& best, const std::vector<Match>& all) {
    std::unordered_map<size_t, size_t> of_recorded;
    std::unordered_map<uint32_t, size_t> of_line;
    for (const Match& match : all) {
      ++of_recorded[match.recorded];
      ++of_line[match.line];
    }
    for (const auto& [recorded, line] : best) {
      if (of_recorded[recorded] != 1 || of_line[line] != 1) continue;
      placed_[recorded] = Candidate{line, line, index_.scope_of(line), 0, 0, TextMatch::Same};
      is_taken_[line] = true;
    }
  }

  const SourceIndex& index_;
  const OwnerFit& owners_;
  const LineCandidates& candidates_;
  std::vector<std::optional<Candidate>>& placed_;
  std::vector<bool> is_taken_;
};

}  // namespace

void place_found_functions(const SourceIndex& index, const OwnerFit& owners,
                           const LineCandidates& candidates,
                           std::vector<std::optional<Candidate>>& placed) {
  FoundFunctions(index, owners, candidates, placed).run();
}

}  // namespace etlens
