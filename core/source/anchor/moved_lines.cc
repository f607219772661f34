// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/moved_lines.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <unordered_set>

#include "core/base/budget.h"

namespace etlens {
namespace {

constexpr float kMinWeight = 2.5f;   // of a line whose text alone may place it
constexpr double kHelperLead = 0.1;  // over the place in the function

class MovedLines {
 public:
  MovedLines(const SourceIndex& index, const OwnerFit& owners, LineCandidates& candidates,
             const std::vector<Placement>& placements,
             std::vector<std::optional<Candidate>>& placed)
      : index_(index),
        owners_(owners),
        candidates_(candidates),
        placements_(placements),
        placed_(placed),
        home_(home_scopes(owners, candidates, placed)),
        is_taken_(index.lines().size(), false) {
    for (size_t r = 0; r < placed_.size(); ++r) {
      if (placed_[r]) mark_taken(r, placed_[r]->line);
      note_place(r);
      run_of_.push_back(r > 0 && home_[r] == home_[r - 1] ? run_of_.back() : r);
    }
    mark_unchanged_gaps();
  }

  void run() {
    move_within_functions();
    move_to_helpers();
  }

 private:
  // Between two placed lines the document has no room for newcomers if it has as many lines as are
  // left without the recorded ones that are gone: all of them are old.
  void mark_unchanged_gaps() {
    size_t before = SIZE_MAX;
    for (size_t r = 0; r < placed_.size(); ++r) {
      if (!placed_[r]) continue;
      if (before != SIZE_MAX) mark_gap(before, r);
      before = r;
    }
  }

  void mark_gap(size_t before, size_t after) {
    const Candidate& a = *placed_[before];
    const Candidate& b = *placed_[after];
    if (b.line <= a.end_line) return;
    const uint32_t recorded =
        candidates_.recorded(after).line - candidates_.recorded(before).line - 1;
    const uint32_t now = b.line - a.end_line - 1;
    const size_t gone = after - before - 1;
    if (now + gone > recorded) return;
    for (uint32_t line = a.end_line + 1; line < b.line; ++line) is_taken_[line] = true;
  }

  void mark_taken(size_t r, uint32_t line) {
    is_taken_[line] = true;
    row_at_.insert_or_assign(line, r);
  }

  void take(size_t r, Candidate place) {
    const auto known = placed_[r] ? row_at_.find(placed_[r]->line) : row_at_.end();
    if (known != row_at_.end() && known->second == r) row_at_.erase(known);
    placed_[r] = place;
    note_place(r);
    mark_taken(r, place.line);
  }

  void note_place(size_t r) {
    if (placed_[r]) rows_placed_.insert(r);
    if (placed_[r] && placed_[r]->scope == home_[r]) rows_at_home_.insert(r);
    else rows_at_home_.erase(r);
  }

  // A text that one lost line and one free line of the function have.
  void move_within_functions() {
    std::map<std::pair<uint64_t, uint32_t>, std::vector<size_t>> lost;
    for (size_t r = 0; r < placed_.size(); ++r) {
      const TokenForm& form = candidates_.recorded(r).form;
      if (!placed_[r] && home_[r] != kNone && form.weight >= kMinWeight)
        lost[{form.key, home_[r]}].push_back(r);
    }
    for (const auto& [where, lines] : lost) {
      if (lines.size() != 1) continue;
      const std::vector<uint32_t> free = free_lines(where.first, where.second);
      if (free.size() == 1 && may_move(lines[0], free[0])) {
        take(lines[0], {free[0], free[0], where.second, 0, 0, TextMatch::Same});
      }
    }
  }

  // Not against what the alignment thought likely, and not if the line in its old place could be
  // what became of it: then the text found is an old line like it.
  bool may_move(size_t r, uint32_t to) {
    const std::vector<Candidate>& all = candidates_.of(r);
    const size_t likely = placements_[r].candidate;
    if (likely != Placement::kUnplaced && all[likely].match != TextMatch::Similar)
      return all[likely].line == to;
    return std::none_of(all.begin(), all.end(), [&](const Candidate& other) {
      return other.match == TextMatch::Similar && !is_taken_[other.line] &&
             is_in_place(r, other.line);
    });
  }

  // As far from the placed neighbour above as it was.
  bool is_in_place(size_t r, uint32_t line) const {
    const auto at = rows_placed_.lower_bound(r);
    if (at == rows_placed_.begin()) return line == candidates_.recorded(r).line;
    const size_t above = *std::prev(at);
    return line - placed_[above]->end_line ==
           candidates_.recorded(r).line - candidates_.recorded(above).line;
  }

  std::vector<uint32_t> free_lines(uint64_t key, uint32_t scope) const {
    std::vector<uint32_t> free;
    for (const uint32_t line : index_.lines_with(key)) {
      go_on();
      if (index_.scope_of(line) == scope && !is_taken_[line]) free.push_back(line);
    }
    return free;
  }

  void move_to_helpers() {
    for (size_t r = 0; r < placed_.size(); ++r) {
      go_on();
      if (home_[r] == kNone) continue;
      if (placed_[r] && placed_[r]->match != TextMatch::Similar) continue;
      if (const std::optional<Candidate> place = place_in_helper(r)) take(r, *place);
    }
  }

  // With the very text: of lines in a helper that are only like it, some line always is.
  std::optional<Candidate> place_in_helper(size_t r) {
    const auto [first, last] = lines_around(r);
    const std::vector<uint32_t>& helpers = helpers_called(home_[r], first, last);
    if (helpers.empty()) return std::nullopt;
    std::map<uint32_t, std::vector<uint32_t>> free;  // lines with the text, by helper
    for (const uint32_t line : index_.lines_with(candidates_.recorded(r).form.key)) {
      go_on();
      const uint32_t scope = index_.scope_of(line);
      if (!is_taken_[line] && std::binary_search(helpers.begin(), helpers.end(), scope))
        free[scope].push_back(line);
    }
    std::optional<Candidate> best;
    for (const auto& [helper, lines] : free) {
      if (lines.size() != 1 || !may_be_new(helper, r)) continue;
      if (best) return std::nullopt;  // two helpers could be the one
      best = Candidate{lines[0], lines[0], helper, 0, 0, TextMatch::Same};
    }
    if (best && placed_[r] && best->cost + kHelperLead > placed_[r]->cost) return std::nullopt;
    return best;
  }

  // The lines between the placed neighbours of a lost line, or those of an edited statement.
  std::pair<uint32_t, uint32_t> lines_around(size_t r) const {
    if (placed_[r]) return {placed_[r]->line, placed_[r]->end_line};
    const PythonScope& scope = index_.syntax().scopes()[home_[r]];
    uint32_t first = scope.header_line + 1, last = scope.last_line;
    const auto below = rows_at_home_.upper_bound(r);
    if (below != rows_at_home_.begin() && run_of_[*std::prev(below)] == run_of_[r]) {
      const Candidate& above = *placed_[*std::prev(below)];
      first = above.line + (above.match == TextMatch::Similar ? 0 : 1);
    }
    if (below != rows_at_home_.end() && run_of_[*below] == run_of_[r]) {
      const Candidate& next = *placed_[*below];
      last = next.line - (next.match == TextMatch::Similar || next.line == 0 ? 0 : 1);
    }
    return {first, last};
  }

  // Functions called on the lines that no recorded line was in: those may be new. Lost lines of one
  // gap ask for the same.
  const std::vector<uint32_t>& helpers_called(uint32_t home, uint32_t first, uint32_t last) {
    if (helpers_.home == home && helpers_.first == first && helpers_.last == last)
      return helpers_.found;
    helpers_ = {home, first, last, {}};
    std::unordered_set<std::string_view> seen;
    const auto scopes = index_.syntax().scopes();
    for (const std::string_view callee : index_.called_names(first, last)) {
      if (!seen.insert(callee).second || owners_.is_recorded_name(callee)) continue;
      for (const uint32_t scope : index_.scopes_named(hash_of(callee))) {
        go_on();
        const uint32_t parent = scopes[scope].parent;
        const bool is_reachable =
            parent == kNone || parent == home || parent == scopes[home].parent;
        if (!scopes[scope].is_class && is_reachable) helpers_.found.push_back(scope);
      }
    }
    std::sort(helpers_.found.begin(), helpers_.found.end());
    return helpers_.found;
  }

  // Not if the lines around the function are as close to each other as if it had always been there.
  // Where the line itself was between them, what was taken out hides what came in.
  bool may_be_new(uint32_t function, size_t r) const {
    const PythonScope& scope = index_.syntax().scopes()[function];
    auto next = row_at_.upper_bound(scope.last_line);
    if (next != row_at_.end() && next->second == r) ++next;
    auto before = row_at_.lower_bound(scope.header_line);
    if (before != row_at_.begin() && std::prev(before)->second == r) --before;
    const size_t above = before == row_at_.begin() ? SIZE_MAX : std::prev(before)->second;
    const size_t below = next == row_at_.end() ? SIZE_MAX : next->second;
    const size_t first = above == SIZE_MAX ? 0 : above + 1;
    if (below == SIZE_MAX || below < first || (r >= first && r < below)) return true;
    const int64_t old_above = above == SIZE_MAX ? -1 : candidates_.recorded(above).line;
    const int64_t new_above = above == SIZE_MAX ? -1 : placed_[above]->end_line;
    const int64_t more =
        placed_[below]->line - new_above - (candidates_.recorded(below).line - old_above);
    const auto gone = static_cast<int64_t>(below - first);
    return more + gone >= static_cast<int64_t>(scope.last_line) - scope.header_line + 1;
  }

  const SourceIndex& index_;
  const OwnerFit& owners_;
  LineCandidates& candidates_;
  const std::vector<Placement>& placements_;
  std::vector<std::optional<Candidate>>& placed_;
  std::vector<uint32_t> home_;
  std::map<uint32_t, size_t> row_at_;  // the recorded line that is placed on a line
  std::vector<bool> is_taken_;         // has a recorded line, or is known to be old
  std::vector<size_t> run_of_;         // the first of the neighbours with the same home
  std::set<size_t> rows_placed_;
  std::set<size_t> rows_at_home_;  // placed in their home
  struct Helpers {
    uint32_t home = kNone, first = 0, last = 0;
    std::vector<uint32_t> found;
  };
  Helpers helpers_;  // that were asked for last
};

}  // namespace

std::vector<uint32_t> home_scopes(const OwnerFit& owners, const LineCandidates& candidates,
                                  const std::vector<std::optional<Candidate>>& placed) {
  std::vector<uint32_t> home(placed.size(), kNone);
  const auto look_at = [&](size_t r, size_t neighbour) {
    if (home[r] != kNone || home[neighbour] == kNone) return;
    const RecordedForm& a = candidates.recorded(std::min(r, neighbour));
    const RecordedForm& b = candidates.recorded(std::max(r, neighbour));
    const auto relation = owners.relation(a.owner, b.owner, b.line - a.line);
    const bool is_likely = relation == OwnerFit::Relation::Unknown && a.owner == b.owner;
    if (relation == OwnerFit::Relation::Same || is_likely) home[r] = home[neighbour];
  };
  for (size_t r = 0; r < placed.size(); ++r) {
    if (placed[r]) home[r] = placed[r]->scope;
    else home[r] = owners.only_scope(candidates.recorded(r).owner);
  }
  for (size_t r = 1; r < placed.size(); ++r) look_at(r, r - 1);
  for (size_t r = placed.size(); r-- > 1;) look_at(r - 1, r);
  return home;
}

void place_moved_lines(const SourceIndex& index, const OwnerFit& owners, LineCandidates& candidates,
                       const std::vector<Placement>& placements,
                       std::vector<std::optional<Candidate>>& placed) {
  MovedLines(index, owners, candidates, placements, placed).run();
}

}  // namespace etlens
