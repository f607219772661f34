// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/anchor_doubt.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/budget.h"

namespace etlens {
namespace {

// How much more, in edits, the best other explanation must cost.
constexpr float kEqualMargin = 0.15f;    // of a line with the recorded text
constexpr float kSimilarMargin = 0.25f;  // of one with another text
constexpr float kLooseMargin = 0.6f;  // of one that has moved against both its neighbours as well
constexpr float kRepeatedMargin = 0.35f;   // of one whose text the function has more than once …
constexpr float kLooseRepeatedMargin = 1;  // … and that has moved against both its neighbours
// Over a copy of its function, in prices of a place where lines came in or went away.
constexpr double kTwinMargin = 1.3;
constexpr double kLooseTwinMargin = 3;  // of one that has moved against both its neighbours
constexpr float kLastMargin = 0.8f;     // of the last line, moved far up: was it deleted, too?
constexpr int64_t kFarUp = 4;           // more lines than are often deleted without a recorded one
constexpr double kRenamedShare = 0.4;   // of the lines of a function that has a new name
constexpr float kNearer = 0.1f;  // what another place must be cheaper by to be the likelier one
constexpr float kSharedLead = 0.05f;  // likewise, of two lines that share a place
// An edited line whose surroundings changed as well must be at least this much like the recorded
// one.
const float kAlikeCost = similar_cost(0.75);

// Whether the text stands in another function of the same name as well: one may be a copy of the
// other.
bool has_twin(const PythonSyntax& syntax, const Candidate& place,
              const std::vector<Candidate>& candidates) {
  if (place.scope == kNone) return false;
  return std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& other) {
    return other.match == TextMatch::Same && other.scope != kNone && other.scope != place.scope &&
           syntax.scopes()[other.scope].name == syntax.scopes()[place.scope].name;
  });
}

// Whether the text stands in the function more than once.
bool is_repeated(const Candidate& place, const std::vector<Candidate>& candidates) {
  return std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& other) {
    return other.match == TextMatch::Same && other.scope == place.scope && other.line != place.line;
  });
}

// The margin that a line with the recorded text needs.
float margin_of_equal(const Placement& placement, const Candidate& place,
                      const std::vector<Candidate>& candidates) {
  if (!is_repeated(place, candidates)) return kEqualMargin;
  return placement.is_supported ? kRepeatedMargin : kLooseRepeatedMargin;
}

// Whether nothing behind the line tells how far the end of the file moved, and it is much closer to
// the line above than it was.
bool is_last_far_up(const std::vector<Placement>& placements, const LineCandidates& candidates,
                    size_t line) {
  const auto is_found = [](const Placement& p) { return p.candidate != Placement::kUnplaced; };
  if (placements[line].is_supported ||
      std::any_of(placements.begin() + static_cast<ptrdiff_t>(line) + 1, placements.end(),
                  is_found)) {
    return false;
  }
  const auto place = [&](size_t r) -> const Candidate& {
    return candidates.of(r)[placements[r].candidate];
  };
  for (size_t above = line; above-- > 0;) {
    if (!is_found(placements[above])) continue;
    const int64_t shift =
        static_cast<int64_t>(place(above).end_line) - candidates.recorded(above).line;
    return static_cast<int64_t>(place(line).line) - candidates.recorded(line).line < shift - kFarUp;
  }
  return place(line).line + kFarUp < candidates.recorded(line).line;
}

bool is_placed(const PythonSyntax& syntax, const std::vector<Placement>& placements,
               const LineCandidates& candidates, size_t line) {
  const Placement& placement = placements[line];
  if (placement.candidate == Placement::kUnplaced) return false;
  const Candidate& place = candidates.of(line)[placement.candidate];
  const TextMatch match = place.match;
  if (match == TextMatch::Known) return true;
  const bool is_equal = match == TextMatch::Same || match == TextMatch::Reformatted;
  const double twin_margin = placement.is_supported ? kTwinMargin : kLooseTwinMargin;
  const bool is_ambiguous = placement.scope_margin < twin_margin * candidates.shift_price();
  if (is_ambiguous && has_twin(syntax, place, candidates.of(line))) return false;
  if (is_equal) {
    const bool is_doubtful = is_last_far_up(placements, candidates, line);
    const float needed = margin_of_equal(placement, place, candidates.of(line));
    return placement.margin >= (is_doubtful ? std::max(needed, kLastMargin) : needed);
  }
  const bool is_plausible =
      placement.is_supported || match == TextMatch::Contained || place.cost <= kAlikeCost;
  return is_plausible &&
         placement.margin >= (placement.is_supported ? kSimilarMargin : kLooseMargin);
}

// A line has hardly become something else while its text still stands in the function, on a line
// that is no other's: not if it would be rather unlike it, and not if nothing is between the two.
// Nor while a line that is more like it is no other's.
void drop_contradicted(const LineCandidates& candidates,
                       std::vector<std::optional<Candidate>>& placed) {
  std::set<uint32_t> taken;
  for (const std::optional<Candidate>& place : placed) {
    if (place) taken.insert(place->line);
  }
  for (size_t r = 0; r < placed.size(); ++r) {
    if (!placed[r] || placed[r]->match != TextMatch::Similar) continue;
    const std::vector<Candidate>& all = candidates.of(r);
    const bool is_still_there = std::any_of(all.begin(), all.end(), [&](const Candidate& other) {
      if (other.scope != placed[r]->scope || taken.contains(other.line)) return false;
      if (other.match == TextMatch::Similar) return other.cost + kNearer < placed[r]->cost;
      const auto next = taken.upper_bound(std::min(other.line, placed[r]->line));
      const bool is_near = next == taken.end() || *next >= std::max(other.line, placed[r]->line);
      return is_near || placed[r]->cost > kAlikeCost;
    });
    if (is_still_there) placed[r].reset();
  }
}

// Lines of a function that is gone, found in another one: believed if enough of its lines are
// there.
void drop_unlikely_renames(const OwnerFit& owners, const LineCandidates& candidates,
                           std::vector<std::optional<Candidate>>& placed) {
  std::map<uint32_t, size_t> lines;
  std::map<std::pair<uint32_t, uint32_t>, size_t> found;  // by owner and scope
  for (size_t r = 0; r < placed.size(); ++r) {
    const uint32_t owner = candidates.recorded(r).owner;
    if (candidates.recorded(r).form.token_count > 0) ++lines[owner];
    if (placed[r]) ++found[{owner, placed[r]->scope}];
  }
  for (size_t r = 0; r < placed.size(); ++r) {
    if (!placed[r] || placed[r]->match == TextMatch::Known) continue;
    const uint32_t owner = candidates.recorded(r).owner;
    if (owners.cost(owner, placed[r]->scope) <= 0) continue;
    const auto here = static_cast<double>(found[{owner, placed[r]->scope}]);
    if (here < kRenamedShare * static_cast<double>(lines[owner])) placed[r].reset();
  }
}

// What it costs to believe that a line is there, its text and its function.
float price(const Candidate& place) { return place.cost + place.enter; }

}  // namespace

std::vector<std::optional<Candidate>> certain_places(const PythonSyntax& syntax,
                                                     const OwnerFit& owners,
                                                     const LineCandidates& candidates,
                                                     const std::vector<Placement>& placements) {
  std::vector<std::optional<Candidate>> placed(placements.size());
  for (size_t r = 0; r < placements.size(); ++r) {
    go_on();
    if (is_placed(syntax, placements, candidates, r))
      placed[r] = candidates.of(r)[placements[r].candidate];
  }
  drop_contradicted(candidates, placed);
  drop_unlikely_renames(owners, candidates, placed);
  return placed;
}

void drop_shared_lines(std::vector<std::optional<Candidate>>& placed) {
  std::map<uint32_t, std::vector<size_t>> sharing;
  for (size_t r = 0; r < placed.size(); ++r) {
    if (placed[r]) sharing[placed[r]->line].push_back(r);
  }
  for (auto& [line, rows] : sharing) {
    if (rows.size() < 2) continue;
    const bool is_joined = std::all_of(rows.begin(), rows.end(), [&, &rows = rows](size_t r) {
      return placed[r]->match == TextMatch::Contained && placed[r]->scope == placed[rows[0]]->scope;
    });
    if (is_joined) continue;
    std::sort(rows.begin(), rows.end(),
              [&](size_t a, size_t b) { return price(*placed[a]) < price(*placed[b]); });
    const bool is_tied = price(*placed[rows[0]]) + kSharedLead > price(*placed[rows[1]]);
    for (size_t i = is_tied ? 0 : 1; i < rows.size(); ++i) placed[rows[i]].reset();
  }
}

}  // namespace etlens
