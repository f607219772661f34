// SPDX-License-Identifier: Apache-2.0
#include "tests/core/measure/sample/count.h"

#include <algorithm>

namespace etlens::test {
namespace {

std::optional<Measure> count_events(const MeasureInput& input) {
  const Join& join = input.join;
  const size_t events = join.events.size();
  if (events == 0) return std::nullopt;
  Measure measure;
  measure.quantity.id = "count";
  measure.quantity.label = "events";
  measure.quantity.dimension = Dimension::Count;
  measure.quantity.over_samples = OverSamples::Last;
  measure.landings = join.landings;
  measure.series = Series(events, 1);
  std::ranges::fill(measure.series.sample(0), 1);
  measure.samples.totals = {Amount(static_cast<int64_t>(events))};
  measure.samples.used = {0};
  measure.statistic = Statistic::Mean;
  measure.slack.assign(events, 0);
  measure.occurrences.assign(events, 1);
  sum_up(measure, {});
  return measure;
}

}  // namespace

MeasureRow count_measure() { return {"count", "events", count_events}; }

}  // namespace etlens::test
