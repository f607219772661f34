// SPDX-License-Identifier: Apache-2.0
#include "core/measure/values/error_measure.h"

#include <algorithm>
#include <cmath>

namespace etlens {
namespace {

Landing land(const Code& code, const ErrorOrigin& origin) {
  Landing row;
  row.node = origin.value.node;
  const auto on_line = std::find_if(origin.nodes.begin(), origin.nodes.end(), [&](NodeId node) {
    const Place* place = code.place_of(node);
    return place != nullptr && place->line == origin.line;
  });
  if (on_line != origin.nodes.end()) row.node = *on_line;
  row.part = origin.line.valid() ? Part::Line : Part::Unattributed;
  row.line = origin.line;
  row.candidates = static_cast<uint32_t>(std::max<size_t>(origin.lines.size(), 1));
  row.confidence = origin.lines.size() > 1 ? Confidence::Inferred : Confidence::Exact;
  const Place* place = code.place_of(row.node);
  if (place != nullptr) row.place = code.place_of_node[row.node.value];
  row.module = place != nullptr ? place->module : ModuleId(0);
  return row;
}

}  // namespace

Measure measure_error(std::shared_ptr<const Code> code, std::span<const ErrorOrigin> origins) {
  auto landings = std::make_shared<Landings>();
  Measure measure;
  measure.quantity.id = measure.quantity.label = kErrorId;
  measure.quantity.dimension = Dimension::Error;
  measure.quantity.over_samples = OverSamples::Last;
  measure.series = Series(origins.size(), 1);
  Amount total;
  for (size_t i = 0; i < origins.size(); ++i) {
    landings->rows.push_back(land(*code, origins[i]));
    const Amount made(std::llround(origins[i].made * kErrorUnit));
    measure.series.sample(0)[i] = made.value;
    total += made;
  }
  landings->code = std::move(code);
  index_landings(*landings, std::vector<bool>(origins.size(), false));
  measure.landings = std::move(landings);
  measure.statistic = Statistic::Maximum;
  measure.samples.totals = {total};
  measure.samples.used = {0};
  measure.slack.assign(origins.size(), 0);
  measure.occurrences.assign(origins.size(), 1);
  sum_up(measure, {});
  return measure;
}

}  // namespace etlens
