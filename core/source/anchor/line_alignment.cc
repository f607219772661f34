// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/line_alignment.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/budget.h"
#include "core/base/text.h"

namespace etlens {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr size_t kMaxSkip = 24;  // recorded lines with candidates that one step may leave unplaced

// States this much more expensive than the best so far cannot become as cheap again: from any place
// the way leads back to the cheapest for the price of a few edits.
constexpr double kBeam = 7.0;

// Prices, in edits of one place.
constexpr double kRewrite = 1.3;        // a line replaced by something else
constexpr double kRewriteMore = 0.9;    // each further line beside it
constexpr double kDeleted = 0.03;       // a line of a deletion that is paid for
constexpr double kHidden = 1.0;         // a line deleted while others came in beside it
constexpr double kHiddenMore = 0.5;     // each further one
constexpr double kReformatShift = 0.1;  // a statement that a formatter split or joined
constexpr double kSplitFunction = 2.0;  // lines of one function in two
constexpr double kJoinFunctions = 1.5;  // lines of two functions in one
constexpr double kMoveFunction = 1.5;   // to a place further up
constexpr double kFoundFunction = 1.1;  // anywhere, if only one function can be the one
constexpr double kFarAway = 3.0;        // after a stretch in which nothing could be placed
constexpr double kTied = 0.3;
constexpr double kPreferUpper = 1e-8;
constexpr double kEndDeleted = 1.05;  // nothing tells whether the file's end was deleted

double rewrite_cost(int64_t lines) {
  return lines <= 0 ? 0 : kRewrite + kRewriteMore * static_cast<double>(lines - 1);
}

class Aligner {
 public:
  Aligner(const SourceIndex& index, const OwnerFit& owners, const LineCandidates& candidates)
      : index_(index), owners_(owners), candidates_(candidates) {}

  std::vector<Placement> run() {
    collect();
    forward();
    backward();
    place();
    return std::move(placements_);
  }

 private:
  // A recorded line at one of its candidates.
  struct State {
    uint32_t row;  // of rows_
    uint32_t candidate;
    double from_start = kInfinite;  // cheapest edit up to here
    double to_end = kInfinite;      // from here on
    size_t before = SIZE_MAX;       // state on the cheapest way; SIZE_MAX: the start
  };
  // A recorded line that has candidates.
  struct Row {
    size_t line;  // of candidates_
    size_t first_state;
    size_t end_state;
    size_t bridge = SIZE_MAX;     // the cheapest state of the rows too far up to be looked at
    double frontier = kInfinite;  // from_start of the cheapest state up to here
  };

  void collect() {
    for (size_t r = 0; r < candidates_.size(); ++r) {
      if (candidates_.of(r).empty()) continue;
      Row row{r, states_.size(), states_.size() + candidates_.of(r).size()};
      for (uint32_t c = 0; c < candidates_.of(r).size(); ++c) {
        states_.push_back({static_cast<uint32_t>(rows_.size()), c});
      }
      rows_.push_back(row);
    }
  }

  const Candidate& candidate(const State& s) const {
    return candidates_.of(rows_[s.row].line)[s.candidate];
  }
  const RecordedForm& recorded(const State& s) const {
    return candidates_.recorded(rows_[s.row].line);
  }

  // Of two places that are equally good the upper one.
  double text_cost(const State& s) const {
    return candidate(s).cost + kPreferUpper * candidate(s).line;
  }

  // From the start of the file, whose lines have number zero in both texts.
  double start_cost(const State& to) const {
    const auto unplaced = static_cast<int64_t>(rows_[to.row].line);
    const int64_t recorded_lines = recorded(to).line;
    const int64_t now = candidate(to).line;
    return enter_cost(to, now != recorded_lines, gap_cost(recorded_lines, now, unplaced, false),
                      unplaced);
  }

  double end_cost(const State& from) const {
    const size_t unplaced = candidates_.size() - 1 - rows_[from.row].line;
    if (unplaced == 0) return 0;
    return candidates_.shift_price() * kEndDeleted + kDeleted * static_cast<double>(unplaced);
  }

  // `recorded` lines became `now` lines; `unplaced` of the recorded ones have a known text that is
  // not there any more.
  double gap_cost(int64_t recorded, int64_t now, int64_t unplaced, bool is_relaid) const {
    const int64_t shift = now - recorded;
    const int64_t deleted = std::min(unplaced, std::max<int64_t>(0, -shift));
    double cost = rewrite_cost(unplaced - deleted) + kDeleted * static_cast<double>(deleted);
    if (shift == 0) return cost;
    cost += is_relaid ? kReformatShift : shift_cost(shift);
    if (deleted == unplaced) return cost;
    // Or all of them were deleted, and others inserted elsewhere between the two.
    const double hidden = kHidden + kHiddenMore * static_cast<double>(unplaced - 1);
    return std::min(cost, hidden + shift_cost(shift + unplaced));
  }

  double shift_cost(int64_t shift) const {
    const double size = std::log2(1.0 + static_cast<double>(std::abs(shift)));
    return candidates_.shift_price() * (1.0 + 0.04 * size);
  }

  // Into another function: past the gap above it, if that costs less than finding it by its name.
  double enter_cost(const State& to, bool is_shifted, double gap, int64_t unplaced) const {
    const Candidate& there = candidate(to);
    const bool is_certain =
        there.scope != kNone && owners_.only_scope(recorded(to).owner) == there.scope;
    const double away = is_shifted && there.is_elsewhere ? kOtherPlace : 0;
    const double found =
        (is_certain ? kFoundFunction : kMoveFunction + away) + rewrite_cost(unplaced);
    return there.enter + std::min(gap + away, found);
  }

  double step_cost(const State& from, const State& to) const {
    const Candidate& a = candidate(from);
    const Candidate& b = candidate(to);
    const RecordedForm& x = recorded(from);
    const RecordedForm& y = recorded(to);
    const auto unplaced = static_cast<int64_t>(rows_[to.row].line - rows_[from.row].line - 1);
    const OwnerFit::Relation relation = owners_.relation(x.owner, y.owner, y.line - x.line);
    const bool is_below = b.line > a.end_line || is_joined(a, b);
    if (a.scope == b.scope && !is_below) return kInfinite;
    const int64_t between = static_cast<int64_t>(y.line) - x.line - 1;
    const int64_t now = static_cast<int64_t>(b.line) - a.end_line - 1;
    const double gap =
        is_below ? gap_cost(between, now, unplaced, is_relaid(from, to, now - between)) : kInfinite;
    if (a.scope == b.scope)
      return gap + (relation == OwnerFit::Relation::Different ? kJoinFunctions : 0);
    return enter_cost(to, now != between, gap, unplaced) +
           (relation == OwnerFit::Relation::Same ? kSplitFunction : 0);
  }

  // Whether the lines between the two changed in number because one of their statements is written
  // on other lines now: what followed an opened bracket, or came before a piece of a statement.
  bool is_relaid(const State& from, const State& to, int64_t shift) const {
    const Candidate& a = candidate(from);
    const Candidate& b = candidate(to);
    const bool is_opened = a.match == TextMatch::Contained && !recorded(from).form.is_balanced;
    const bool is_piece = b.match == TextMatch::Contained && b.position > 0;
    const auto lines_of = [&](const Candidate& c) {
      const IndexedStatement& statement = index_.statements()[index_.lines()[c.line].statement];
      return statement.last_line - statement.first_line;
    };
    return (is_opened && (shift < 0 || lines_of(a) > 0)) ||
           (is_piece && (shift < 0 || lines_of(b) > 0));
  }

  // Lines of one statement that are now written on one line, in their order.
  static bool is_joined(const Candidate& a, const Candidate& b) {
    return a.match == TextMatch::Contained && b.match == TextMatch::Contained && a.line == b.line &&
           a.end_line == b.line && a.position < b.position;
  }

  // Calls visit(from, to, cost) for every step to a state of the row.
  template <typename Visit>
  void steps_to(size_t row, Visit visit) {
    const double limit = row == 0 ? kInfinite : rows_[row - 1].frontier + kBeam;
    const size_t first = row > kMaxSkip ? row - kMaxSkip - 1 : 0;
    for (size_t before = first; before < row; ++before) {
      for (size_t p = rows_[before].first_state; p < rows_[before].end_state; ++p) {
        if (states_[p].from_start > limit) continue;
        go_on();
        for (size_t s = rows_[row].first_state; s < rows_[row].end_state; ++s) {
          const double cost = step_cost(states_[p], states_[s]);
          if (cost < kInfinite) visit(p, s, cost);
        }
      }
    }
    for (size_t s = rows_[row].first_state; s < rows_[row].end_state; ++s) {
      const size_t bridge = rows_[row].bridge;
      if (bridge == SIZE_MAX) continue;
      const bool is_same = candidate(states_[bridge]).scope == candidate(states_[s]).scope;
      if (is_same && candidate(states_[s]).line <= candidate(states_[bridge]).end_line) continue;
      visit(bridge, s, kFarAway + candidate(states_[s]).enter);
    }
  }

  void forward() {
    size_t cheapest = SIZE_MAX;
    for (size_t row = 0; row < rows_.size(); ++row) {
      for (size_t s = rows_[row].first_state; s < rows_[row].end_state; ++s) {
        states_[s].from_start = start_cost(states_[s]) + text_cost(states_[s]);
      }
      if (row > kMaxSkip + 1) {
        const Row& passed = rows_[row - kMaxSkip - 2];
        for (size_t s = passed.first_state; s < passed.end_state; ++s) {
          if (cheapest == SIZE_MAX || states_[s].from_start < states_[cheapest].from_start)
            cheapest = s;
        }
      }
      rows_[row].bridge = cheapest;
      steps_to(row, [&](size_t from, size_t to, double cost) {
        const double total = states_[from].from_start + cost + text_cost(states_[to]);
        if (total >= states_[to].from_start) return;
        states_[to].from_start = total;
        states_[to].before = from;
      });
      rows_[row].frontier = row == 0 ? kInfinite : rows_[row - 1].frontier;
      for (size_t s = rows_[row].first_state; s < rows_[row].end_state; ++s) {
        rows_[row].frontier = std::min(rows_[row].frontier, states_[s].from_start);
      }
    }
  }

  void backward() {
    for (State& s : states_) s.to_end = end_cost(s);
    for (size_t row = rows_.size(); row-- > 0;) {
      steps_to(row, [&](size_t from, size_t to, double cost) {
        const double total = cost + text_cost(states_[to]) + states_[to].to_end;
        states_[from].to_end = std::min(states_[from].to_end, total);
      });
    }
  }

  // The cheapest edits in which each row stays unplaced.
  std::vector<double> unplaced_totals() {
    std::vector<double> totals(rows_.size(), kInfinite);
    std::vector<double> skipped(kMaxSkip + 2);  // per length of the step that ends in the row
    double before_all = kInfinite;  // the cheapest whose first placed row is further down
    for (size_t row = rows_.size(); row-- > 0;) {
      totals[row] = std::min(totals[row], before_all);
      for (size_t s = rows_[row].first_state; s < rows_[row].end_state; ++s) {
        const double total = start_cost(states_[s]) + text_cost(states_[s]) + states_[s].to_end;
        before_all = std::min(before_all, total);
      }
      std::fill(skipped.begin(), skipped.end(), kInfinite);
      double bridged = kInfinite;
      steps_to(row, [&](size_t from, size_t to, double cost) {
        const size_t length = row - states_[from].row;
        const double total =
            states_[from].from_start + cost + text_cost(states_[to]) + states_[to].to_end;
        if (length < skipped.size()) skipped[length] = std::min(skipped[length], total);
        else bridged = std::min(bridged, total);
      });
      if (rows_[row].bridge != SIZE_MAX && bridged < kInfinite) {
        for (size_t r = states_[rows_[row].bridge].row + 1; r < row; ++r) {
          totals[r] = std::min(totals[r], bridged);
        }
      }
      double cheapest = kInfinite;
      for (size_t length = std::min(skipped.size() - 1, row); length >= 2; --length) {
        cheapest = std::min(cheapest, skipped[length]);
        totals[row - length + 1] = std::min(totals[row - length + 1], cheapest);
      }
    }
    double after_all = kInfinite;
    for (size_t row = 0; row < rows_.size(); ++row) {
      totals[row] = std::min(totals[row], after_all);
      for (size_t s = rows_[row].first_state; s < rows_[row].end_state; ++s) {
        after_all = std::min(after_all, states_[s].from_start + end_cost(states_[s]));
      }
    }
    return totals;
  }

  void place() {
    placements_.resize(candidates_.size());
    if (rows_.empty()) return;
    const std::vector<double> unplaced = unplaced_totals();
    size_t best = SIZE_MAX;
    for (size_t s = 0; s < states_.size(); ++s) {
      const double total = states_[s].from_start + end_cost(states_[s]);
      if (best == SIZE_MAX || total < states_[best].from_start + end_cost(states_[best])) best = s;
    }
    for (size_t s = best; s != SIZE_MAX; s = states_[s].before) {
      placements_[rows_[states_[s].row].line].candidate = states_[s].candidate;
    }
    for (size_t row = 0; row < rows_.size(); ++row) set_margin(row, unplaced[row]);
    set_support();
  }

  // Whether the lines between a placed line and one of its placed neighbours are as many as they
  // were.
  void set_support() {
    int64_t shift = 0;  // of the start of the file
    size_t before = SIZE_MAX;
    for (const Row& row : rows_) {
      Placement& placement = placements_[row.line];
      if (placement.candidate == Placement::kUnplaced) continue;
      const Candidate& place = candidates_.of(row.line)[placement.candidate];
      const int64_t here = static_cast<int64_t>(place.line) - candidates_.recorded(row.line).line;
      if (here == shift) {
        placement.is_supported = true;
        if (before != SIZE_MAX) placements_[before].is_supported = true;
      }
      shift = static_cast<int64_t>(place.end_line) - candidates_.recorded(row.line).line;
      before = row.line;
    }
  }

  void set_margin(size_t row, double unplaced) {
    Placement& placement = placements_[rows_[row].line];
    const std::vector<Candidate>& all = candidates_.of(rows_[row].line);
    const auto total = [&](size_t c) {
      const State& s = states_[rows_[row].first_state + c];
      return s.from_start + s.to_end;
    };
    const size_t best = placement.candidate;
    const double chosen = best == Placement::kUnplaced ? unplaced : total(best);
    double other = best == Placement::kUnplaced ? kInfinite : unplaced;
    double elsewhere = kInfinite;
    for (uint32_t c = 0; c < all.size(); ++c) {
      if (c == best) continue;
      if (best != Placement::kUnplaced && all[c].scope != all[best].scope) {
        elsewhere = std::min(elsewhere, total(c) - (all[c].is_elsewhere ? kOtherPlace : 0));
      }
      const bool is_tied = best != Placement::kUnplaced && total(c) - chosen < kTied;
      if (!is_tied || !is_repetition(all[best].line, all[c].line))
        other = std::min(other, total(c));
      else if (all[c].line < all[placement.candidate].line) placement.candidate = c;
    }
    placement.margin = static_cast<float>(other - chosen);
    placement.scope_margin = static_cast<float>(elsewhere - chosen);
  }

  // Copies of one piece of text that follow each other: nothing could tell them apart, and the
  // number is as true of one as of the other. The first of them has it.
  bool is_repetition(uint32_t one, uint32_t other) const {
    const uint32_t a = std::min(one, other);
    const uint32_t period = std::max(one, other) - a;
    const auto is_same = [&](uint32_t line) {
      return line + period < index_.lines().size() &&
             trim(index_.document().line(line)) == trim(index_.document().line(line + period));
    };
    if (!is_same(a)) return false;
    uint32_t length = 1;
    for (uint32_t up = a; up > 0 && length < period && is_same(up - 1); --up) ++length;
    for (uint32_t down = a + 1; length < period && is_same(down); ++down) ++length;
    go_on(length);
    return length >= period;
  }

  const SourceIndex& index_;
  const OwnerFit& owners_;
  const LineCandidates& candidates_;
  std::vector<Row> rows_;
  std::vector<State> states_;
  std::vector<Placement> placements_;
};

}  // namespace

std::vector<Placement> align_lines(const SourceIndex& index, const OwnerFit& owners,
                                   const LineCandidates& candidates) {
  return Aligner(index, owners, candidates).run();
}

}  // namespace etlens
