// SPDX-License-Identifier: Apache-2.0
#include "core/measure/measure.h"

#include <algorithm>
#include <numeric>

#include "core/base/assert.h"
#include "core/base/budget.h"

namespace etlens {
namespace {

// Contributions that are read at a time: a few cache lines of every sample.
constexpr size_t kTile = 16;

// What contains what is a few steps deep; more would be a circle.
constexpr int kMaxNesting = 16;

void summarize_all(Measure& measure) {
  const size_t count = measure.series.contributions();
  const std::vector<uint32_t>& used = measure.samples.used;
  measure.self.assign(count, {});
  std::vector<int64_t> tile(kTile * used.size());
  std::array<size_t, kTile> present{};
  for (size_t first = 0; first < count; first += kTile) {
    const size_t width = std::min(kTile, count - first);
    go_on(1 + used.size());
    present.fill(0);
    for (const uint32_t s : used) {
      const std::span<const int64_t> sample = measure.series.sample(s).subspan(first, width);
      for (size_t c = 0; c < width; ++c) {
        if (sample[c] != Series::kAbsent) tile[c * used.size() + present[c]++] = sample[c];
      }
    }
    for (size_t c = 0; c < width; ++c) {
      const std::span<const int64_t> values = std::span(tile).subspan(c * used.size(), present[c]);
      Total& total = measure.self[first + c];
      total.amount = summarize(values, measure.statistic, measure.slack[first + c]);
      total.disturbance =
          Amount(std::accumulate(values.begin(), values.end(), int64_t{0})) - total.amount;
    }
  }
}

void add_to_modules(Measure& measure, const Landing& row, const Total& self) {
  if (!row.module.valid()) return;
  const auto add = [&](ModuleId module) {
    ModuleTotal& total = measure.modules[module.value];
    total.inclusive += self;
    if (row.partition.valid()) total.delegated += self.amount;
  };
  const Code& code = *measure.landings->code;
  measure.modules[row.module.value].self += self;
  if (row.part == Part::OpaquePartition) {
    for (ModuleId at = row.module; at.valid(); at = code.modules[at.value].parent) add(at);
    if (row.module != ModuleId(0)) measure.in_modules += self.amount;
  } else if (row.place.valid()) {
    const Place& place = code.places[row.place.value];
    for (const ModuleId owner : place.owners) add(owner);
    if (place.has_modules) measure.in_modules += self.amount;
  } else {
    add(row.module);
  }
}

void add_to_partition(Measure& measure, const Landing& row, const Total& self) {
  if (!row.partition.valid()) return;
  PartitionTotal& total = measure.partitions[row.partition.value];
  measure.delegated += self.amount;
  total.total += self;
  if (row.part == Part::Line || row.part == Part::Unattributed) total.explained += self.amount;
  else if (row.part == Part::DelegateOverhead) total.overhead += self.amount;
  else total.opaque += self.amount;
}

void sum_lines(Measure& measure) {
  for (size_t l = 0; l < measure.lines.size(); ++l) {
    const LineLandings& landings = measure.landings->lines[l];
    LineTotal& line = measure.lines[l];
    go_on(1 + landings.through.size() / 16);
    for (const ContributionId id : landings.own) {
      line.self += measure.self[id.value];
      line.occurrences += measure.occurrences[id.value];
    }
    line.inclusive = line.self;
    for (const ContributionId id : landings.through) line.inclusive += measure.self[id.value];
  }
}

}  // namespace

Amount Reconciliation::typical() const {
  return std::accumulate(parts.begin(), parts.end(), Amount());
}

double Measure::share(Amount amount) const {
  const Amount whole = total.typical();
  return whole.value == 0 ? 0
                          : static_cast<double>(amount.value) / static_cast<double>(whole.value);
}

std::vector<int64_t> Measure::values_of(std::span<const ContributionId> contributions) const {
  std::vector<int64_t> values;
  values.reserve(samples.used.size());
  for (const uint32_t s : samples.used) {
    const std::span<const int64_t> sample = series.sample(s);
    int64_t sum = 0;
    for (const ContributionId id : contributions) sum += std::max<int64_t>(sample[id.value], 0);
    values.push_back(sum);
  }
  return values;
}

Sum sum_of(const Measure& measure, std::span<const ContributionId> contributions) {
  Sum sum;
  for (const ContributionId id : contributions) {
    sum.total += measure.self[id.value];
    if ((*measure.landings)[id].partition.valid()) sum.delegated += measure.self[id.value].amount;
    sum.occurrences += measure.occurrences[id.value];
    sum.confidence = std::max(sum.confidence, (*measure.landings)[id].confidence);
  }
  return sum;
}

void sum_up(Measure& measure, std::span<const ContributionId> parents) {
  const Landings& landings = *measure.landings;
  ETLENS_ASSERT(measure.series.contributions() == landings.rows.size());
  summarize_all(measure);
  measure.lines.assign(landings.lines.size(), {});
  measure.modules.assign(landings.code->modules.size(), {});
  measure.partitions.assign(landings.partitions.size(), {});
  measure.inclusive.assign(landings.rows.size(), {});
  for (size_t c = 0; c < landings.rows.size(); ++c) {
    const Landing& row = landings.rows[c];
    const Total& self = measure.self[c];
    measure.total[row.part] += self.amount;
    measure.total.disturbance += self.disturbance;
    add_to_modules(measure, row, self);
    add_to_partition(measure, row, self);
    ContributionId at(c);
    for (int depth = 0; at.valid() && depth < kMaxNesting; ++depth) {
      measure.inclusive[at.value] += self.amount;
      at = parents.empty() ? ContributionId() : parents[at.value];
    }
  }
  for (const uint32_t s : measure.samples.used) measure.total.total += measure.samples.totals[s];
  ETLENS_ASSERT(measure.total.typical() + measure.total.disturbance == measure.total.total);
  sum_lines(measure);
}

Measure measure_once(Quantity quantity, std::shared_ptr<const Landings> landings,
                     std::span<const int64_t> amounts) {
  Measure measure;
  measure.quantity = quantity;
  measure.landings = std::move(landings);
  measure.statistic = Statistic::Maximum;
  measure.series = Series(amounts.size(), 1);
  std::copy(amounts.begin(), amounts.end(), measure.series.sample(0).begin());
  measure.samples.totals = {Amount(std::accumulate(amounts.begin(), amounts.end(), int64_t{0}))};
  measure.samples.used = {0};
  measure.slack.assign(amounts.size(), 0);
  measure.occurrences.assign(amounts.size(), 1);
  sum_up(measure, {});
  return measure;
}

}  // namespace etlens
