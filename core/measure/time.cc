// SPDX-License-Identifier: Apache-2.0
#include "core/measure/time.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/join/event_names.h"
#include "core/measure/groups.h"
#include "core/measure/run_times.h"
#include "core/measure/samples.h"

namespace etlens {
namespace {

// A clock finer than this is no better than what surrounds a measurement.
constexpr double kFinestNs = 200;
constexpr int64_t kFinestCycles = 200;
// Two executions of the same work may differ by so many steps of the clock.
constexpr int64_t kSlackSteps = 2;

double ticks_per_nanosecond(TimeScale clock) {
  return clock == TimeScale::Cycles ? 0 : 1 / scale_factor(clock, TimeScale::Nanoseconds);
}

// The step to which the event's backend cuts its durations; 0 for the clock's own.
Ticks backend_step(const Join& join, ContributionId id) {
  if (!join.event(id).has_duration()) return {};
  const auto resolution = static_cast<double>(join.backend_of(id).resolution_ns);
  return Ticks(static_cast<int64_t>(resolution * ticks_per_nanosecond(join.clock)));
}

// What two executions of the event may differ by because no clock is finer. Of events that occur
// several times in an execution the errors add up like those of random steps.
int64_t slack_of(const Join& join, ContributionId id, double occurrences) {
  const EventRole role = join.event(id).role;
  const bool is_cut = role == EventRole::DelegateEvent || role == EventRole::DelegateCall;
  const int64_t step = std::max<int64_t>(1, is_cut ? backend_step(join, id).value : 0);
  const int64_t finest = join.clock == TimeScale::Cycles
                             ? kFinestCycles
                             : static_cast<int64_t>(kFinestNs * ticks_per_nanosecond(join.clock));
  const auto slack = static_cast<double>(std::max(kSlackSteps * step, finest));
  return static_cast<int64_t>(slack * std::sqrt(std::max(1.0, occurrences)));
}

// One sequence of the block with what its runs need, worked out once.
class SequenceReader {
 public:
  SequenceReader(const Join& join, size_t index, const std::vector<Ticks>& half_steps)
      : event_of_(join.event_of_position[index]),
        times_(*join.log, join.trees[join.selected().sequences[index].value],
               join.conversions[index], of_positions(half_steps)) {
    const EventTree& tree = join.trees[join.selected().sequences[index].value];
    const std::vector<bool> inside = positions_in_execution(tree);
    for (uint32_t i = 0; i < event_of_.size(); ++i) {
      if (!event_of_[i].valid()) continue;
      if (tree.roles[i] == EventRole::DelegateTotal) totals_.push_back(i);
      else if (inside[i]) inside_.push_back(i);
    }
  }

  // Fills what the run has of the sample, and gives its total.
  Amount read(const Run& run, std::span<int64_t> sample) {
    times_.compute(run);
    Ticks total;
    for (const uint32_t i : inside_) {
      const Ticks self = times_.self(i);
      int64_t& amount = sample[event_of_[i].value];
      amount = std::max<int64_t>(amount, 0) + self.value;
      total += self;
    }
    return Amount(total);
  }

  // Some event counts in another unit, or was longer than its call.
  bool has_more() const { return times_.has_conversions() || times_.was_rescaled(); }

  // Adds how often each event occurs in so many runs.
  void count(uint64_t runs, std::vector<uint64_t>& occurrences) const {
    for (const uint32_t i : inside_) occurrences[event_of_[i].value] += runs;
    for (const uint32_t i : totals_) occurrences[event_of_[i].value] += runs;
  }

  void add_logged(const Run& run, LoggedValues& logged) {
    times_.compute(run);
    for (const std::vector<uint32_t>* positions : {&inside_, &totals_}) {
      for (const uint32_t i : *positions) {
        logged.reported[event_of_[i].value] += times_.reported(i);
        if (times_.is_rescaled(i)) logged.is_rescaled[event_of_[i].value] = true;
      }
    }
  }

 private:
  std::vector<Ticks> of_positions(const std::vector<Ticks>& half_steps) const {
    if (half_steps.empty()) return {};
    std::vector<Ticks> positions;
    for (const ContributionId id : event_of_)
      positions.push_back(id.valid() ? half_steps[id.value] : Ticks());
    return positions;
  }

  const std::vector<ContributionId>& event_of_;
  RunTimes times_;
  std::vector<uint32_t> inside_;  // positions inside Method::execute
  std::vector<uint32_t> totals_;  // of delegate calls: counted, in no sum
};

class TimeReader {
 public:
  TimeReader(const Join& join, const TimeOptions& options) : join_(join), options_(options) {
    std::vector<Ticks>& steps = result_.logged.half_step;
    for (size_t e = 0; e < join.events.size(); ++e) {
      const bool is_cut = join.events[e].role == EventRole::DelegateEvent;
      const Ticks step = is_cut ? backend_step(join, ContributionId(e)) : Ticks();
      result_.logged.step.push_back(static_cast<double>(step.value));
      steps.push_back(options.is_raw ? Ticks() : Ticks(step.value / 2));
    }
    const bool is_centred =
        std::any_of(steps.begin(), steps.end(), [](Ticks s) { return s > Ticks(); });
    const std::vector<SequenceId>& sequences = join.selected().sequences;
    readers_.reserve(sequences.size());
    for (size_t s = 0; s < sequences.size(); ++s) {
      index_of_sequence_.emplace(sequences[s], s);
      readers_.emplace_back(join, s, is_centred ? steps : std::vector<Ticks>());
    }
  }

  Result<TimeMeasure> read() {
    Measure& measure = result_.measure;
    measure.quantity.id = measure.quantity.label = kTimeId;
    measure.quantity.ticks = join_.clock;
    measure.landings = join_.landings;
    measure.statistic = options_.statistic;
    measure.is_raw = options_.is_raw;
    read_series(measure);
    Samples& samples = measure.samples;
    samples.groups = find_groups(join_, measure.series, samples.totals);
    leave_out_first(samples.groups, samples.totals, options_.warmup);
    Result<std::vector<uint32_t>> used =
        choose_samples(options_.executions, options_.group, samples.totals.size(), samples.groups);
    if (used) used = without_first(*std::move(used), options_.warmup, samples.totals.size());
    if (!used) return std::move(used).error();
    samples.used = std::move(*used);
    samples.odd = find_odd(samples.totals, samples.used);
    read_logged(samples.used);
    std::vector<ContributionId> parents;
    for (const Event& event : join_.events) parents.push_back(event.around);
    sum_up(measure, parents);
    for (SampleGroup& group : samples.groups)
      group.sums = sums_of(measure, group.samples, occurrences_in(group.samples), parents);
    result_.cold = cold_start(join_, measure);
    return std::move(result_);
  }

 private:
  SequenceReader& reader_of(const Run& run) {
    return readers_[index_of_sequence_.at(run.sequence)];
  }
  const Run& run_of(uint32_t sample) const { return join_.log->run(join_.selected().runs[sample]); }

  void read_series(Measure& measure) {
    const size_t samples = join_.selected().runs.size();
    measure.series = Series(join_.events.size(), samples);
    std::vector<uint64_t> occurrences(join_.events.size());
    for (uint32_t s = 0; s < samples; ++s) {
      go_on(1 + join_.events.size() / 16);
      measure.samples.totals.push_back(
          reader_of(run_of(s)).read(run_of(s), measure.series.sample(s)));
    }
    for (const SequenceReader& reader : readers_) reader.count(1, occurrences);
    for (size_t e = 0; e < join_.events.size(); ++e) {
      const double in_each =
          static_cast<double>(occurrences[e]) / static_cast<double>(readers_.size());
      measure.slack.push_back(slack_of(join_, ContributionId(e), in_each));
    }
  }

  std::vector<uint64_t> occurrences_in(std::span<const uint32_t> samples) {
    std::vector<uint64_t> occurrences(join_.events.size());
    std::vector<uint64_t> runs(readers_.size());
    for (const uint32_t s : samples) ++runs[index_of_sequence_.at(run_of(s).sequence)];
    for (size_t r = 0; r < readers_.size(); ++r) {
      if (runs[r] == 0) continue;
      go_on(1 + join_.events.size() / 16);
      readers_[r].count(runs[r], occurrences);
    }
    return occurrences;
  }

  // What else was logged in the executions used.
  void read_logged(const std::vector<uint32_t>& used) {
    LoggedValues& logged = result_.logged;
    logged.reported.resize(join_.events.size());
    logged.is_rescaled.resize(join_.events.size());
    result_.measure.occurrences = occurrences_in(used);
    const bool is_plain = std::none_of(readers_.begin(), readers_.end(),
                                       [](const SequenceReader& r) { return r.has_more(); });
    if (!is_plain) {
      for (const uint32_t s : used) {
        go_on(1 + join_.events.size() / 16);
        reader_of(run_of(s)).add_logged(run_of(s), logged);
      }
    }
    note_unsure(used.size());
  }

  // The errors of several events that were cut add up like those of random steps.
  void note_unsure(size_t samples) {
    const std::vector<Ticks>& steps = result_.logged.half_step;
    if (std::none_of(steps.begin(), steps.end(), [](Ticks step) { return step > Ticks(); })) return;
    for (size_t e = 0; e < steps.size(); ++e) {
      const double in_each = static_cast<double>(result_.measure.occurrences[e]) /
                             static_cast<double>(std::max<size_t>(1, samples));
      result_.measure.unsure.push_back(static_cast<double>(steps[e].value) * std::sqrt(in_each));
    }
  }

  const Join& join_;
  const TimeOptions& options_;
  TimeMeasure result_;
  std::unordered_map<SequenceId, size_t> index_of_sequence_;
  std::vector<SequenceReader> readers_;
};

}  // namespace

Result<TimeMeasure> measure_time(const Join& join, const TimeOptions& options) {
  return TimeReader(join, options).read();
}

}  // namespace etlens
