// SPDX-License-Identifier: Apache-2.0
#include "core/facts/headline.h"

#include <algorithm>

#include "core/measure/samples.h"

namespace etlens {
namespace {

constexpr double kMostOfExcess = 0.5;   // above this share, one event is the reason
constexpr double kMuchNoise = 1.0 / 3;  // of the mean

// What each contribution takes in a sample by the statistic.
std::vector<double> values_of_statistic(const Measure& measure) {
  std::vector<double> values;
  values.reserve(measure.self.size());
  for (const Total& total : measure.self) values.push_back(measure.shown(total.amount));
  return values;
}

Excess worst_of_sample(const Measure& measure, const std::vector<double>& typical, uint32_t s) {
  const std::span<const int64_t> sample = measure.series.sample(s);
  double most = 0;
  size_t worst = sample.size();
  for (size_t c = 0; c < sample.size(); ++c) {
    const double beyond = static_cast<double>(sample[c]) - typical[c];
    if (beyond <= most) continue;
    most = beyond;
    worst = c;
  }
  if (worst == sample.size()) return {s, {}, {}, 0, 0};
  return {s, ContributionId(worst), measure.landings->rows[worst].line,
          static_cast<double>(sample[worst]), typical[worst]};
}

double rounding_bound(const Facts& facts) {
  double bound = 0;
  for (size_t p = 0; p < facts.measure().partitions.size(); ++p)
    bound += rounding_of(facts, PartitionId(p));
  return bound;
}

std::optional<double> tokens_per_second(const Quantity& quantity, const GroupFacts& group) {
  const bool is_time = quantity.dimension == Dimension::Time && quantity.ticks != TimeScale::Cycles;
  if (!group.tokens || !is_time || group.typical <= 0) return std::nullopt;
  const double seconds = group.typical / scale_factor(quantity.ticks, TimeScale::Seconds);
  return static_cast<double>(*group.tokens) / seconds;
}

std::vector<GroupFacts> groups_of(const Measure& measure) {
  const Samples& samples = measure.samples;
  const bool is_decoding =
      std::any_of(samples.groups.begin(), samples.groups.end(),
                  [](const SampleGroup& group) { return group.name == "decode"; });
  std::vector<GroupFacts> groups;
  for (const SampleGroup& group : samples.groups) {
    GroupFacts& facts = groups.emplace_back();
    facts.name = group.name;
    facts.samples = group.samples;
    facts.size = group.size;
    facts.work = group.work;
    facts.is_tokens = is_decoding;
    facts.tokens = group.tokens;
    facts.typical = measure.quantity.shown(group.sums.total.typical(), group.samples.size());
    facts.tokens_per_second = tokens_per_second(measure.quantity, facts);
    facts.total = group.sums.total;
    facts.is_shown = group.samples == samples.used;
  }
  return groups;
}

// Which samples are far from the others, and why.
void find_odd(const Measure& measure, Headline& head) {
  const Samples& samples = measure.samples;
  const std::vector<double> typical = values_of_statistic(measure);
  for (const uint32_t s : samples.used) {
    const Excess worst = worst_of_sample(measure, typical, s);
    if (worst.took - worst.typical > head.worst.took - head.worst.typical) head.worst = worst;
  }
  for (const uint32_t s : samples.odd) {
    const auto total = static_cast<double>(samples.totals[s].value);
    const Excess worst = worst_of_sample(measure, typical, s);
    const bool is_most = worst.took - worst.typical > kMostOfExcess * (total - head.total.value);
    head.odd.push_back({s, total, worst, worst.event.valid() && is_most});
  }
}

}  // namespace

// What backends cut off their events is at most a step of each, and at most what the call took
// beyond them; what centring gave back is no longer missing.
double rounding_of(const Facts& facts, PartitionId partition) {
  const Measure& measure = facts.measure();
  double bound = 0;
  for (const ContributionId id : measure.landings->partitions[partition.value].inside) {
    const double step = facts.study().logged.step[id.value];
    bound += step * static_cast<double>(measure.occurrences[id.value]);
  }
  if (!measure.is_raw) bound /= 2;
  const int64_t overhead = measure.partitions[partition.value].overhead.value;
  bound = std::min(bound, static_cast<double>(std::max<int64_t>(overhead, 0)));
  return bound / static_cast<double>(std::max<size_t>(1, measure.sample_count()));
}

Headline headline(const Facts& facts) {
  const Measure& measure = facts.measure();
  const Samples& samples = measure.samples;
  Headline head;
  head.method = facts.code().method_name();
  head.block = facts.join().selected().name;
  head.samples = samples.totals.size();
  head.used = samples.used;
  head.used_text = samples_text(samples.used, head.samples);
  head.statistic = measure.statistic;
  head.is_raw = measure.is_raw;
  head.total = facts.cost(Total{measure.total.typical(), measure.total.disturbance});
  head.mean = measure.shown(measure.total.total);
  head.disturbance = measure.shown(measure.total.disturbance);
  head.disturbance_share = head.mean == 0 ? 0 : head.disturbance / head.mean;
  for (size_t p = 0; p < kParts; ++p) {
    const auto part = static_cast<Part>(p);
    if (measure.total[part] == Amount() && part != Part::Line) continue;
    head.parts.push_back(
        {part, facts.cost(measure.total[part]),
         part == Part::DelegateOverhead && facts.has_events() ? rounding_bound(facts) : 0});
  }
  if (facts.has_events()) head.cold = facts.study().cold;
  head.loading = static_cast<double>(head.cold.loading().value);
  head.on_lines = measure.share(measure.total[Part::Line]);
  head.in_modules = measure.share(measure.in_modules);
  head.in_delegates = facts.cost(measure.delegated);
  head.delegated = head.in_delegates.share;
  for (const Amount total : samples.totals) head.totals.push_back(measure.quantity.shown(total, 1));
  head.groups = groups_of(measure);
  if (measure.quantity.is_sampled()) find_odd(measure, head);
  head.clock_stands = facts.clock_stands();
  head.is_noisy = facts.has_events() && head.disturbance_share > kMuchNoise;
  if (head.is_noisy) head.noisy = noisy_executions(facts, samples.odd);
  head.silent = silent_backends(facts);
  if (facts.has_events()) head.run = run_facts(facts);
  return head;
}

std::optional<Error> check_executions(const Facts& facts, std::string_view choice) {
  const Samples& samples = facts.measure().samples;
  const auto chosen = choose_samples(choice, "", samples.totals.size(), samples.groups);
  return chosen ? std::nullopt : std::optional(chosen.error());
}

std::optional<Error> check_group(const Facts& facts, std::string_view name) {
  const Samples& samples = facts.measure().samples;
  const auto chosen = choose_samples("", name, samples.totals.size(), samples.groups);
  return chosen ? std::nullopt : std::optional(chosen.error());
}

}  // namespace etlens
