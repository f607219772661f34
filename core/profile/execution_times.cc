// SPDX-License-Identifier: Apache-2.0
#include "core/profile/execution_times.h"

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

// The ticks of one run's events, computed in place for run after run of one sequence.
class RunTimes {
 public:
  RunTimes(const EventLog& log, const EventTree& tree) : log_(log), tree_(tree) {
    const size_t count = tree.roles.size();
    in_execution_.assign(count, false);
    for (size_t i = count; i-- > 0;) {  // what contains an event stands behind it
      const uint32_t parent = tree.parents[i];
      in_execution_[i] = tree.roles[i] == EventRole::Execute ||
                         (parent != kNone && in_execution_[parent]);
    }
  }

  void compute(const Run& run) {
    const size_t count = tree_.roles.size();
    const uint64_t* start = log_.start.data() + run.first_row;
    const uint64_t* end = log_.end.data() + run.first_row;
    total_.resize(count);
    children_.assign(count, 0);
    for (size_t i = 0; i < count; ++i) {
      total_[i] = elapsed_ticks(start[i], end[i]);
      if (tree_.parents[i] != kNone) children_[tree_.parents[i]] += total_[i];
    }
    any_rescaled_ = false;
    for (size_t i = count; i-- > 0;) {
      if (children_[i] > total_[i]) any_rescaled_ = true;
    }
    if (any_rescaled_) rescale();
    self_ = total_;
    for (size_t i = 0; i < count; ++i) {
      if (tree_.parents[i] != kNone) self_[tree_.parents[i]] -= total_[i];
    }
  }

  uint64_t total(size_t i) const { return total_[i]; }
  uint64_t self(size_t i) const { return self_[i]; }
  bool in_execution(size_t i) const { return in_execution_[i]; }
  bool rescaled(size_t i) const { return any_rescaled_ && rescaled_[i]; }

 private:
  // Children that together exceed what is around them become shares of it. Cumulative sums are
  // rounded down, so that the shares add up exactly.
  void rescale() {
    const size_t count = tree_.roles.size();
    rescaled_.assign(count, false);
    summed_.assign(count, 0);
    given_.assign(count, 0);
    for (size_t i = count; i-- > 0;) {
      const uint32_t parent = tree_.parents[i];
      if (parent == kNone || children_[parent] <= total_[parent]) continue;
      summed_[parent] += total_[i];
      const uint64_t given = proportion(summed_[parent], children_[parent], total_[parent]);
      total_[i] = given - given_[parent];
      given_[parent] = given;
      rescaled_[i] = true;
    }
  }

  const EventLog& log_;
  const EventTree& tree_;
  std::vector<bool> in_execution_;
  std::vector<uint64_t> total_;
  std::vector<uint64_t> children_;  // sum of the children's own durations
  std::vector<uint64_t> self_;
  std::vector<uint64_t> summed_;
  std::vector<uint64_t> given_;
  std::vector<bool> rescaled_;
  bool any_rescaled_ = false;
};

class Summation {
 public:
  explicit Summation(Profile& profile)
      : profile_(profile), line_sums_(profile.lines.size() * profile.selected().runs.size()) {}

  void run() {
    const Block& block = profile_.selected();
    std::unordered_map<uint32_t, size_t> index_of_sequence;
    std::vector<RunTimes> times;
    for (size_t s = 0; s < block.sequences.size(); ++s) {
      index_of_sequence.emplace(block.sequences[s], s);
      times.emplace_back(*profile_.log, profile_.trees[block.sequences[s]]);
    }
    profile_.executions.reserve(block.runs.size());
    for (size_t r = 0; r < block.runs.size(); ++r) {
      const Run& run = profile_.log->runs[block.runs[r]];
      const size_t s = index_of_sequence[run.sequence];
      times[s].compute(run);
      add(times[s], profile_.trees[run.sequence], profile_.event_of_position[s], r);
    }
    for (const Reconciliation& execution : profile_.executions) {
      profile_.total.total += execution.total;
      for (size_t p = 0; p < static_cast<size_t>(TimePart::kCount); ++p) {
        profile_.total.parts[p] += execution.parts[p];
      }
    }
    if (outside_ > 0) profile_.report.add(Oddity::EventOutsideExecution, first_outside_, outside_);
    finish_line_statistics();
    find_far_off();
    sum_loading();
  }

 private:
  void add(const RunTimes& times, const EventTree& tree, const std::vector<EventId>& event_of, size_t r) {
    Reconciliation execution;
    uint64_t* line_sums = line_sums_.data() + r * profile_.lines.size();
    for (size_t i = 0; i < event_of.size(); ++i) {
      if (!event_of[i].valid()) continue;
      EventRow& row = profile_.events[event_of[i].value];
      if (!times.in_execution(i)) {
        if (outside_++ == 0) first_outside_ = profile_.event_name(row);
        continue;
      }
      const uint64_t self = times.self(i);
      row.self_ticks += self;
      row.total_ticks += times.total(i);
      ++row.occurrences;
      row.rescaled |= times.rescaled(i);
      execution[row.part] += self;
      if (tree.roles[i] == EventRole::Execute && tree.parents[i] == kNone) {
        execution.total += times.total(i);
      }
      if (row.line.valid()) line_sums[row.line.value] += self;
    }
    ETLENS_ASSERT(execution.sum() == execution.total);
    profile_.executions.push_back(execution);
  }

  void finish_line_statistics() {
    const size_t lines = profile_.lines.size();
    std::vector<double> sums(profile_.executions.size());
    for (size_t l = 0; l < lines; ++l) {
      for (size_t r = 0; r < sums.size(); ++r) {
        sums[r] = static_cast<double>(line_sums_[r * lines + l]);
      }
      profile_.lines[l].self = perf_data(std::span<const double>(sums));
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
        profile_.load_ticks += elapsed_ticks(log.start[run.first_row + i], log.end[run.first_row + i]);
      }
    }
  }

  Profile& profile_;
  std::vector<uint64_t> line_sums_;  // run after run
  uint64_t outside_ = 0;
  std::string first_outside_;
};

}  // namespace

void sum_executions(Profile& profile) { Summation(profile).run(); }

}  // namespace etlens
