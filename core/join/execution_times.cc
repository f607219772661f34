// SPDX-License-Identifier: Apache-2.0
#include "core/join/execution_times.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/assert.h"

namespace etlens {
namespace {

// An execution is far from the others if it takes this many times the median ...
constexpr uint64_t kFarOffFactor = 3;
// ... and what it takes more than the median is at least this share of all time.
constexpr double kFarOffShare = 0.02;

// `value` of `of` applied to `to`, rounded down, without overflow.
uint64_t proportion(uint64_t value, uint64_t of, uint64_t to) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>(static_cast<Wide>(value) * to / of);
}

// The ticks of one run's events, computed for run after run of one sequence.
class RunTimes {
 public:
  RunTimes(const EventLog& log, const EventTree& tree, const SequenceConversions& conversions)
      : log_(log),
        tree_(tree),
        conversions_(conversions),
        total_(tree.roles.size()),
        self_(tree.roles.size()) {
    has_shares_ = std::any_of(conversions.begin(), conversions.end(),
                              [](const EventConversion& c) { return c.kind == Conversion::Share; });
  }

  void compute(const Run& run) {
    const size_t count = tree_.roles.size();
    const uint64_t* start = log_.start.data() + run.first_row;
    const uint64_t* end = log_.end.data() + run.first_row;
    for (size_t i = 0; i < count; ++i) total_[i] = elapsed_ticks(start[i], end[i]);
    if (!conversions_.empty()) convert();
    self_ = total_;
    // What children leave over. Less than nothing means that they are longer than what is around
    // them.
    bool exceeded = false;
    for (size_t i = 0; i < count; ++i) {
      const uint32_t parent = tree_.parents[i];
      if (parent == kNone) continue;
      exceeded |= self_[parent] < total_[i];
      self_[parent] -= total_[i];
    }
    any_rescaled_ = exceeded || has_shares_;
    if (exceeded) rescale();
  }

  // What a backend that does not count in ticks logged; 0 for ticks.
  uint64_t reported(size_t i) const { return reported_.empty() ? 0 : reported_[i]; }
  uint64_t total(size_t i) const { return total_[i]; }
  uint64_t self(size_t i) const { return self_[i]; }
  bool rescaled(size_t i) const { return any_rescaled_ && rescaled_[i]; }

 private:
  // Turns values of other units into ticks.
  void convert() {
    reported_.assign(total_.size(), 0);
    rescaled_.assign(total_.size(), false);
    for (size_t i = 0; i < total_.size(); ++i) {
      if (conversions_[i].unit != DelegateUnit::Ticks) reported_[i] = total_[i];
    }
    for (size_t i = 0; i < total_.size(); ++i) {
      const EventConversion& c = conversions_[i];
      if (c.kind == Conversion::Ticks) continue;
      if (c.kind == Conversion::Constant) {
        total_[i] = proportion(reported_[i], c.denominator, c.numerator);
      } else if (c.kind == Conversion::Measured) {
        const uint64_t length = proportion(reported_[c.time_total], c.denominator, c.numerator);
        const uint64_t cycles = reported_[c.cycle_total];
        total_[i] = cycles == 0 ? 0 : proportion(reported_[i], cycles, length);
      } else {
        total_[i] = 0;
      }
    }
    if (has_shares_) share_out();
  }

  // What is left of a call beside its events in ticks is divided among those that only tell a
  // share.
  void share_out() {
    const size_t count = total_.size();
    std::vector<uint64_t>& taken = children_;
    taken.assign(count, 0);
    weights_.assign(count, 0);
    summed_.assign(count, 0);
    given_.assign(count, 0);
    for (size_t i = 0; i < count; ++i) {
      const uint32_t parent = tree_.parents[i];
      if (parent == kNone) continue;
      if (conversions_[i].kind == Conversion::Share) weights_[parent] += reported_[i];
      else taken[parent] += total_[i];
    }
    for (const uint32_t i : top_down_) {
      const uint32_t parent = tree_.parents[i];
      if (parent == kNone || conversions_[i].kind != Conversion::Share || weights_[parent] == 0)
        continue;
      const uint64_t left = total_[parent] - std::min(total_[parent], taken[parent]);
      summed_[parent] += reported_[i];
      const uint64_t given = proportion(summed_[parent], weights_[parent], left);
      total_[i] = given - given_[parent];
      given_[parent] = given;
      rescaled_[i] = true;
    }
  }

  // Children that together exceed what is around them become shares of it. Cumulative sums are
  // rounded down, so that the shares add up exactly.
  void rescale() {
    const size_t count = tree_.roles.size();
    if (conversions_.empty()) rescaled_.assign(count, false);
    children_.assign(count, 0);
    summed_.assign(count, 0);
    given_.assign(count, 0);
    for (size_t i = 0; i < count; ++i) {
      if (tree_.parents[i] != kNone) children_[tree_.parents[i]] += total_[i];
    }
    for (const uint32_t i : top_down_) {
      const uint32_t parent = tree_.parents[i];
      if (parent == kNone || children_[parent] <= total_[parent]) continue;
      summed_[parent] += total_[i];
      const uint64_t given = proportion(summed_[parent], children_[parent], total_[parent]);
      total_[i] = given - given_[parent];
      given_[parent] = given;
      rescaled_[i] = true;
    }
    self_ = total_;
    for (size_t i = 0; i < count; ++i) {
      if (tree_.parents[i] != kNone) self_[tree_.parents[i]] -= total_[i];
    }
  }

  const EventLog& log_;
  const EventTree& tree_;
  const SequenceConversions& conversions_;
  std::vector<uint32_t> top_down_ = top_down(tree_);
  bool has_shares_ = false;
  std::vector<uint64_t> reported_;
  std::vector<uint64_t> weights_;  // sums of the children that only tell a share
  std::vector<uint64_t> total_;
  std::vector<uint64_t> self_;
  std::vector<uint64_t> children_;  // sums of the children's own durations
  std::vector<uint64_t> summed_;
  std::vector<uint64_t> given_;
  std::vector<bool> rescaled_;
  bool any_rescaled_ = false;
};

// The sums of one sequence over its runs, by position: the inner loops touch only these.
struct SequenceSums {
  SequenceSums(const Profile& profile, const EventTree& tree, const std::vector<EventId>& event_of,
               const SequenceConversions& conversions)
      : times(*profile.log, tree, conversions),
        self(event_of.size()),
        total(event_of.size()),
        reported(conversions.empty() ? 0 : event_of.size()),
        rescaled(event_of.size()) {
    std::vector<bool> in_execution(event_of.size());
    for (const uint32_t i : top_down(tree)) {
      const uint32_t parent = tree.parents[i];
      in_execution[i] =
          tree.roles[i] == EventRole::Execute || (parent != kNone && in_execution[parent]);
      if (!event_of[i].valid()) continue;
      if (tree.roles[i] == EventRole::DelegateTotal) {
        totals.push_back(i);
        continue;
      }
      if (!in_execution[i]) {
        outside.push_back(i);
        continue;
      }
      const EventRow& row = profile.events[event_of[i].value];
      inside.push_back({i, row.line.value, row.part});
      if (tree.roles[i] == EventRole::Execute && parent == kNone) executes.push_back(i);
    }
  }

  struct Position {
    uint32_t index;
    uint32_t line;  // kNone: on no line
    TimePart part;
  };
  RunTimes times;
  std::vector<Position> inside;    // events of the execution
  std::vector<uint32_t> outside;   // events before, behind or beside it
  std::vector<uint32_t> executes;  // Method::execute itself
  std::vector<uint32_t> totals;    // of delegate calls
  std::vector<uint64_t> self;
  std::vector<uint64_t> total;
  std::vector<uint64_t> reported;  // empty if every event is in ticks
  std::vector<bool> rescaled;
  uint64_t runs = 0;
};

class Summation {
 public:
  explicit Summation(Profile& profile)
      : profile_(profile), line_sums_(profile.lines.size() * profile.selected().runs.size()) {}

  void run() {
    const Block& block = profile_.selected();
    std::unordered_map<uint32_t, size_t> index_of_sequence;
    std::vector<SequenceSums> sums;
    sums.reserve(block.sequences.size());
    for (size_t s = 0; s < block.sequences.size(); ++s) {
      index_of_sequence.emplace(block.sequences[s], s);
      sums.emplace_back(profile_, profile_.trees[block.sequences[s]], profile_.event_of_position[s],
                        profile_.conversions[s]);
    }
    profile_.executions.reserve(block.runs.size());
    for (size_t r = 0; r < block.runs.size(); ++r) {
      const Run& run = profile_.log->runs[block.runs[r]];
      add(sums[index_of_sequence[run.sequence]], run, r);
    }
    for (size_t s = 0; s < sums.size(); ++s) store(sums[s], profile_.event_of_position[s]);
    for (const Reconciliation& execution : profile_.executions) {
      profile_.total.total += execution.total;
      for (size_t p = 0; p < static_cast<size_t>(TimePart::kCount); ++p) {
        profile_.total.parts[p] += execution.parts[p];
      }
    }
    finish_line_statistics();
    find_far_off();
    sum_loading();
  }

 private:
  void add(SequenceSums& sums, const Run& run, size_t r) {
    sums.times.compute(run);
    ++sums.runs;
    Reconciliation execution;
    uint64_t* line_sums = line_sums_.data() + r * profile_.lines.size();
    for (const SequenceSums::Position& at : sums.inside) {
      const uint64_t self = sums.times.self(at.index);
      sums.self[at.index] += self;
      sums.total[at.index] += sums.times.total(at.index);
      execution[at.part] += self;
      if (at.line != kNone) line_sums[at.line] += self;
      if (sums.times.rescaled(at.index)) sums.rescaled[at.index] = true;
    }
    for (size_t i = 0; i < sums.reported.size(); ++i) sums.reported[i] += sums.times.reported(i);
    for (const uint32_t i : sums.executes) execution.total += sums.times.total(i);
    ETLENS_ASSERT(execution.sum() == execution.total);
    profile_.executions.push_back(execution);
  }

  void store(const SequenceSums& sums, const std::vector<EventId>& event_of) {
    for (const SequenceSums::Position& at : sums.inside) {
      EventRow& row = profile_.events[event_of[at.index].value];
      row.self_ticks += sums.self[at.index];
      row.total_ticks += sums.total[at.index];
      row.occurrences += sums.runs;
      if (sums.rescaled[at.index]) row.rescaled = true;
    }
    for (const uint32_t i : sums.totals)
      profile_.events[event_of[i].value].occurrences += sums.runs;
    for (size_t i = 0; i < sums.reported.size(); ++i) {
      if (event_of[i].valid()) profile_.events[event_of[i].value].reported += sums.reported[i];
    }
    if (sums.outside.empty()) return;
    const EventRow& first = profile_.events[event_of[sums.outside.back()].value];
    profile_.report.add(Oddity::EventOutsideExecution, profile_.event_name(first),
                        sums.outside.size() * sums.runs);
  }

  void finish_line_statistics() {
    const size_t lines = profile_.lines.size();
    std::vector<double> sums(profile_.executions.size());
    for (size_t l = 0; l < lines; ++l) {
      for (size_t r = 0; r < sums.size(); ++r) {
        sums[r] = static_cast<double>(line_sums_[r * lines + l]);
      }
      profile_.lines[l].self = perf_data(std::span<const double>(sums));
      profile_.lines[l].spread = histogram(sums);
    }
  }

  void find_far_off() {
    if (profile_.executions.size() < 3) return;
    std::vector<uint64_t> totals;
    for (const Reconciliation& execution : profile_.executions) totals.push_back(execution.total);
    const size_t middle = totals.size() / 2;
    std::nth_element(totals.begin(), totals.begin() + static_cast<ptrdiff_t>(middle), totals.end());
    const uint64_t median = totals[middle];
    for (uint32_t r = 0; r < profile_.executions.size(); ++r) {
      const uint64_t total = profile_.executions[r].total;
      if (total > kFarOffFactor * median && profile_.share(total - median) >= kFarOffShare) {
        profile_.far_off.push_back(r);
      }
    }
  }

  void sum_loading() {
    const EventLog& log = *profile_.log;
    for (const Run& run : log.runs) {
      const std::vector<EventKey>& events = log.sequences[run.sequence].events;
      const EventTree& tree = profile_.trees[run.sequence];
      for (size_t i = 0; i < events.size(); ++i) {
        if (tree.roles[i] != EventRole::Framework || tree.parents[i] != kNone) continue;
        if (log.text(events[i].name) != "Program::load_method") continue;
        profile_.load_ticks +=
            elapsed_ticks(log.start[run.first_row + i], log.end[run.first_row + i]);
      }
    }
  }

  Profile& profile_;
  std::vector<uint64_t> line_sums_;  // run after run
};

}  // namespace

void sum_executions(Profile& profile) { Summation(profile).run(); }

}  // namespace etlens
