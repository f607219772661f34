// SPDX-License-Identifier: Apache-2.0
// Alignment by data flow alone: for calls whose events did not come out as predicted.
//
// Names form classes: two names are of one class if some operator may have either. A class counts
// only if it is balanced: every operator that could report in it must report, and as many events
// were reported. Then its events and operators are one to one, and what an operator's sources and
// readers leave of the positions is an interval. Intervals of events are sound; that one interval
// is a single position is what makes a placement certain.
#include <algorithm>
#include <bit>
#include <numeric>

#include "core/backend/alignment/alignment.h"
#include "core/base/budget.h"

namespace etlens {
namespace {

constexpr size_t kMaxPairs = 1u << 20;  // of events and candidates, in all sets together
constexpr int kMaxRounds = 8;

// Sets of operators, a row of bits each.
class BitRows {
 public:
  BitRows(size_t rows, size_t bits) : words_((bits + 63) / 64), bits_(rows * words_) {}

  void set(size_t row, size_t bit) { bits_[row * words_ + bit / 64] |= uint64_t{1} << (bit % 64); }
  void add(size_t row, size_t other) {
    for (size_t w = 0; w < words_; ++w) bits_[row * words_ + w] |= bits_[other * words_ + w];
  }
  size_t common(size_t row, const std::vector<uint64_t>& mask) const {
    size_t count = 0;
    for (size_t w = 0; w < words_; ++w) {
      count += static_cast<size_t>(std::popcount(bits_[row * words_ + w] & mask[w]));
    }
    return count;
  }
  size_t words() const { return words_; }

 private:
  size_t words_;
  std::vector<uint64_t> bits_;
};

// A class of names with its events and the operators that report in it.
struct NameClass {
  std::vector<uint32_t> events;     // positions, ascending
  std::vector<uint32_t> operators;  // that must report, ascending
  size_t predicted = 0;             // events, also of operators that need not report
  bool is_balanced = true;
};

// The ranks among its class' events that an operator may have.
struct Interval {
  uint32_t first = 0;
  uint32_t last = 0;
};

class DataFlow {
 public:
  DataFlow(const AlignmentProblem& problem, bool is_order_explained)
      : problem_(problem), is_order_explained_(is_order_explained) {}

  CandidateSets run() {
    CandidateSets sets(problem_.events.size());
    if (problem_.operators.size() > kMaxFlowOperators) return sets;
    join_names();
    collect();
    if (!bound_by_counts()) return sets;
    for (int round = 0; round < kMaxRounds; ++round) {
      bool changed = false;
      if (!bound_by_positions(changed) || !bound_by_crowds(changed)) return sets;
      if (!changed) break;
    }
    if (!fill(sets)) std::fill(sets.begin(), sets.end(), std::vector<OperatorCandidate>());
    return sets;
  }

 private:
  // Names that one operator may have are of one class.
  void join_names() {
    parent_.resize(problem_.costs.names());
    std::iota(parent_.begin(), parent_.end(), 0u);
    std::vector<bool> is_used(problem_.costs.families(), false);
    for (const OperatorToAlign& op : problem_.operators) {
      is_used[op.family] = true;
      if (op.second_family != kNone) is_used[op.second_family] = true;
    }
    for (size_t family = 0; family < is_used.size(); ++family) {
      uint32_t first = kNone;
      for (uint32_t name = 0; is_used[family] && name < parent_.size(); ++name) {
        if (is_wild(name) || problem_.costs.at(family, name) == kImpossible) continue;
        if (first == kNone) first = name;
        else parent_[root(name)] = root(first);
      }
    }
  }

  uint32_t root(uint32_t name) {
    while (parent_[name] != name) name = parent_[name] = parent_[parent_[name]];
    return name;
  }

  // The class of a family's names; kNone if no event has any of them.
  uint32_t class_of_family(uint32_t family) {
    for (uint32_t name = 0; name < parent_.size(); ++name) {
      if (!is_wild(name) && problem_.costs.at(family, name) != kImpossible) return root(name);
    }
    return kNone;
  }

  bool is_wild(uint32_t name) const { return !problem_.is_wild.empty() && problem_.is_wild[name]; }

  void collect() {
    classes_.resize(parent_.size());
    class_of_.assign(problem_.operators.size(), kNone);
    for (uint32_t e = 0; e < problem_.events.size(); ++e) {
      NameClass& own = classes_[root(problem_.events[e])];
      own.events.push_back(e);
      if (!problem_.doubted.empty() && problem_.doubted[e]) own.is_balanced = false;
    }
    std::vector<uint32_t> class_of_family_row(problem_.costs.families(), kNone);
    for (size_t f = 0; f < class_of_family_row.size(); ++f) {
      class_of_family_row[f] = class_of_family(static_cast<uint32_t>(f));
    }
    for (uint32_t o = 0; o < problem_.operators.size(); ++o) {
      const OperatorToAlign& op = problem_.operators[o];
      if (op.second_family != kNone) {
        const uint32_t second = class_of_family_row[op.second_family];
        if (second != kNone) classes_[second].is_balanced = false;
        if (second != kNone && op.predicted_events() > 1) ++classes_[second].predicted;
      }
      const uint32_t own = class_of_family_row[op.family];
      if (own == kNone) continue;
      if (op.predicted_events() > 0) ++classes_[own].predicted;
      if (op.must_report()) classes_[own].operators.push_back(o);
      else classes_[own].is_balanced = false;
    }
    const bool is_permutation =
        std::all_of(classes_.begin(), classes_.end(),
                    [](const NameClass& c) { return c.predicted == c.events.size(); });
    for (uint32_t c = 0; c < classes_.size(); ++c) {
      NameClass& row = classes_[c];
      if (is_permutation && !is_order_explained_ && row.events.size() > 1) row.is_balanced = false;
      row.is_balanced &= !row.operators.empty() && row.operators.size() == row.events.size();
      if (!row.is_balanced) continue;
      for (const uint32_t o : row.operators) class_of_[o] = c;
    }
  }

  // So many of its class run before an operator, so many behind it.
  bool bound_by_counts() {
    const size_t count = problem_.operators.size();
    BitRows before(count, count);
    for (size_t o = 0; o < count; ++o) {
      go_on(1 + before.words() / 16);
      for (const uint32_t source : problem_.sources_of(o)) {
        if (source >= o) continue;  // the reader of the payload lets none pass
        before.add(o, source);
        before.set(o, source);
      }
    }
    intervals_.assign(count, {});
    for (const NameClass& own : classes_) {
      if (!own.is_balanced) continue;
      std::vector<uint64_t> mask(before.words(), 0);
      for (const uint32_t o : own.operators) mask[o / 64] |= uint64_t{1} << (o % 64);
      const auto size = static_cast<uint32_t>(own.operators.size());
      for (const uint32_t o : own.operators) {
        go_on(1 + before.words() / 16);
        intervals_[o] = {static_cast<uint32_t>(before.common(o, mask)), size - 1};
      }
    }
    BitRows behind(count, count);
    for (size_t o = count; o-- > 0;) {
      for (const uint32_t source : problem_.sources_of(o)) {
        if (source >= o) continue;
        behind.add(source, o);
        behind.set(source, o);
      }
    }
    for (const NameClass& own : classes_) {
      if (!own.is_balanced) continue;
      std::vector<uint64_t> mask(behind.words(), 0);
      for (const uint32_t o : own.operators) mask[o / 64] |= uint64_t{1} << (o % 64);
      for (const uint32_t o : own.operators) {
        intervals_[o].last -= static_cast<uint32_t>(behind.common(o, mask));
        if (intervals_[o].first > intervals_[o].last) return false;
      }
    }
    return true;
  }

  // An operator's event stands behind those of its sources. Operators without an interval of their
  // own hand on what they are told.
  bool bound_by_positions(bool& changed) {
    const size_t count = problem_.operators.size();
    std::vector<uint32_t> from(count, 0);  // first position that an operator may have
    std::vector<uint32_t> to(count,
                             static_cast<uint32_t>(problem_.events.size()));  // one past the last
    for (size_t o = 0; o < count; ++o) {
      for (const uint32_t source : problem_.sources_of(o)) {
        if (source < o)
          from[o] = std::max(from[o], from[source] + (class_of_[source] != kNone ? 1 : 0));
      }
      if (class_of_[o] == kNone) continue;
      const std::vector<uint32_t>& events = classes_[class_of_[o]].events;
      Interval& own = intervals_[o];
      while (own.first <= own.last && events[own.first] < from[o]) ++own.first, changed = true;
      if (own.first > own.last) return false;
      from[o] = events[own.first];
    }
    for (size_t o = count; o-- > 0;) {
      if (class_of_[o] != kNone) {
        const std::vector<uint32_t>& events = classes_[class_of_[o]].events;
        Interval& own = intervals_[o];
        while (own.first <= own.last && events[own.last] >= to[o]) {
          changed = true;
          if (own.last == 0) return false;
          --own.last;
        }
        if (own.first > own.last) return false;
        to[o] = events[own.last] + 1;
      }
      const uint32_t limit = to[o] - (class_of_[o] != kNone ? 1 : 0);
      for (const uint32_t source : problem_.sources_of(o)) {
        if (source < o) to[source] = std::min(to[source], limit);
      }
    }
    return true;
  }

  // Where the first r ranks of a class are just enough for the operators that must lie there, no
  // other lies there; likewise from behind.
  bool bound_by_crowds(bool& changed) {
    for (const NameClass& own : classes_) {
      if (!own.is_balanced) continue;
      const auto size = static_cast<uint32_t>(own.operators.size());
      std::vector<uint32_t> ending(size, 0);
      std::vector<uint32_t> starting(size, 0);
      for (const uint32_t o : own.operators) {
        ++ending[intervals_[o].last];
        ++starting[intervals_[o].first];
      }
      std::vector<uint32_t> floor(size, 0);           // for operators whose last rank is behind r
      std::vector<uint32_t> ceiling(size, size - 1);  // for operators whose first rank is before r
      uint32_t sum = 0;
      for (uint32_t r = 0; r < size; ++r) {
        sum += ending[r];
        if (sum > r + 1) return false;
        if (r + 1 < size) floor[r + 1] = sum == r + 1 ? r + 1 : floor[r];
      }
      sum = 0;
      for (uint32_t r = size; r-- > 0;) {
        sum += starting[r];
        if (sum > size - r) return false;
        if (r > 0) ceiling[r - 1] = sum == size - r ? r - 1 : ceiling[r];
      }
      for (const uint32_t o : own.operators) {
        Interval& interval = intervals_[o];
        const uint32_t first = std::max(interval.first, floor[interval.last]);
        const uint32_t last = std::min(interval.last, ceiling[interval.first]);
        changed |= first != interval.first || last != interval.last;
        interval = {first, last};
        if (first > last) return false;
      }
    }
    return true;
  }

  // False if an event is left without an operator that may have its name.
  bool fill(CandidateSets& sets) const {
    size_t pairs = 0;
    for (const NameClass& own : classes_) {
      if (!own.is_balanced) continue;
      for (const uint32_t o : own.operators) pairs += intervals_[o].last - intervals_[o].first + 1;
    }
    if (pairs > kMaxPairs) return false;
    for (const NameClass& own : classes_) {
      if (!own.is_balanced) continue;
      for (const uint32_t o : own.operators) {
        for (uint32_t rank = intervals_[o].first; rank <= intervals_[o].last; ++rank) {
          const uint32_t event = own.events[rank];
          const uint32_t family = problem_.operators[o].family;
          if (problem_.costs.at(family, problem_.events[event]) < kViolation)
            sets[event].push_back({o, false});
        }
      }
      if (std::any_of(own.events.begin(), own.events.end(),
                      [&](uint32_t e) { return sets[e].empty(); })) {
        return false;
      }
    }
    return true;
  }

  const AlignmentProblem& problem_;
  bool is_order_explained_;
  std::vector<uint32_t> parent_;     // of names
  std::vector<NameClass> classes_;   // by the root of their names
  std::vector<uint32_t> class_of_;   // per operator; kNone outside balanced classes
  std::vector<Interval> intervals_;  // per operator of a balanced class
};

}  // namespace

CandidateSets align_by_data_flow(const AlignmentProblem& problem, bool is_order_explained) {
  return DataFlow(problem, is_order_explained).run();
}

}  // namespace etlens
