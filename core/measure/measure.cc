// SPDX-License-Identifier: Apache-2.0
#include "core/measure/measure.h"

#include <algorithm>
#include <numeric>

#include "core/base/assert.h"
#include "core/base/budget.h"

namespace etlens {
namespace {

// Contributions that are read at a time. Their values of all samples fit into the second cache, or
// they are those of one cache line.
constexpr size_t kLeastTile = 8;
constexpr size_t kMostTile = 64;
constexpr size_t kMostValues = 1 << 14;

// What contains what is a few steps deep; more would be a circle.
constexpr int kMaxNesting = 16;

std::vector<Total> summarize_all(const Measure& measure, std::span<const uint32_t> used) {
  const size_t count = measure.series.contributions();
  std::vector<Total> self(count);
  const size_t most = std::clamp(kMostValues / (used.size() + 1), kLeastTile, kMostTile);
  std::vector<int64_t> tile(most * used.size());
  std::array<size_t, kMostTile> present{};
  for (size_t first = 0; first < count; first += most) {
    const size_t width = std::min(most, count - first);
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
      Total& total = self[first + c];
      total.amount = summarize(values, measure.statistic, measure.slack[first + c]);
      total.disturbance =
          Amount(std::accumulate(values.begin(), values.end(), int64_t{0})) - total.amount;
    }
  }
  return self;
}

void add_to_modules(Sums& sums, const Code& code, const Landing& row, const Total& self) {
  if (!row.module.valid()) return;
  const auto add = [&](ModuleId module) {
    ModuleTotal& total = sums.modules[module.value];
    total.inclusive += self;
    if (row.partition.valid()) total.delegated += self.amount;
  };
  sums.modules[row.module.value].self += self;
  if (row.part == Part::OpaquePartition) {
    for (ModuleId at = row.module; at.valid(); at = code.modules[at.value].parent) add(at);
    if (row.module != ModuleId(0)) sums.in_modules += self.amount;
  } else if (row.place.valid()) {
    const Place& place = code.places[row.place.value];
    for (const ModuleId owner : place.owners) add(owner);
    if (place.has_modules) sums.in_modules += self.amount;
  } else {
    add(row.module);
  }
}

void add_to_partition(Sums& sums, const Landing& row, const Total& self) {
  if (!row.partition.valid()) return;
  PartitionTotal& total = sums.partitions[row.partition.value];
  sums.delegated += self.amount;
  total.total += self;
  if (row.part == Part::Line || row.part == Part::Unattributed) total.explained += self.amount;
  else if (row.part == Part::DelegateOverhead) total.overhead += self.amount;
  else total.opaque += self.amount;
}

void sum_lines(Sums& sums, const Landings& all) {
  for (size_t l = 0; l < sums.lines.size(); ++l) {
    const LineLandings& landings = all.lines[l];
    LineTotal& line = sums.lines[l];
    go_on(1 + landings.through.size() / 16);
    for (const ContributionId id : landings.own) {
      line.self += sums.self[id.value];
      line.occurrences += sums.occurrences[id.value];
    }
    line.inclusive = line.self;
    for (const ContributionId id : landings.through) line.inclusive += sums.self[id.value];
  }
}

}  // namespace

Amount Reconciliation::typical() const {
  return std::accumulate(parts.begin(), parts.end(), Amount());
}

double Sums::share(Amount amount) const {
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
  Sums& sums = measure;
  sums = sums_of(measure, measure.samples.used, std::move(measure.occurrences), parents);
}

Sums sums_of(const Measure& measure, std::span<const uint32_t> samples,
             std::vector<uint64_t> occurrences, std::span<const ContributionId> parents) {
  const Landings& landings = *measure.landings;
  ETLENS_ASSERT(measure.series.contributions() == landings.rows.size());
  Sums sums;
  sums.self = summarize_all(measure, samples);
  sums.occurrences = std::move(occurrences);
  sums.lines.resize(landings.lines.size());
  sums.modules.resize(landings.code->modules.size());
  sums.partitions.resize(landings.partitions.size());
  sums.inclusive.resize(landings.rows.size());
  for (size_t c = 0; c < landings.rows.size(); ++c) {
    const Landing& row = landings.rows[c];
    const Total& self = sums.self[c];
    sums.total[row.part] += self.amount;
    sums.total.disturbance += self.disturbance;
    add_to_modules(sums, *landings.code, row, self);
    add_to_partition(sums, row, self);
    ContributionId at(c);
    for (int depth = 0; at.valid() && depth < kMaxNesting; ++depth) {
      sums.inclusive[at.value] += self.amount;
      at = parents.empty() ? ContributionId() : parents[at.value];
    }
  }
  for (const uint32_t s : samples) sums.total.total += measure.samples.totals[s];
  ETLENS_ASSERT(sums.total.typical() + sums.total.disturbance == sums.total.total);
  sum_lines(sums, landings);
  return sums;
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
