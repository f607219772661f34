// SPDX-License-Identifier: Apache-2.0
#include "core/measure/values/error_measure.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

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
  row.candidates = static_cast<uint32_t>(std::max<size_t>(origin.lines.size(), 1));
  row.confidence = origin.lines.size() > 1 ? Confidence::Inferred : Confidence::Exact;
  const Place* place = code.place_of(row.node);
  if (place != nullptr) row.place = code.place_of_node[row.node.value];
  const bool is_on_line = place != nullptr && origin.line.valid();
  row.part = is_on_line ? Part::Line : Part::Unattributed;
  if (is_on_line) row.line = origin.line;
  row.module = place != nullptr ? place->module : ModuleId(0);
  return row;
}

// The node behind which the error is first seen.
ContributionLabel label_of(const Code& code, const ErrorOrigin& origin) {
  ContributionLabel label;
  if (origin.value.node.valid() && code.record != nullptr)
    label.name = code.record->text(code.record->nodes[origin.value.node.value].name);
  label.remark = origin.snr_before && std::isfinite(*origin.snr_before)
                     ? fmt::format("SNR {:.0f} dB before", *origin.snr_before)
                     : "nothing before it is in error";
  return label;
}

}  // namespace

Measure measure_error(std::shared_ptr<const Code> code, std::span<const ErrorOrigin> origins) {
  Quantity quantity;
  quantity.id = quantity.label = kErrorId;
  quantity.dimension = Dimension::Error;
  quantity.over_samples = OverSamples::Last;
  quantity.per_unit = kErrorUnit;
  quantity.whole = "the final error";
  auto landings = std::make_shared<Landings>();
  std::vector<int64_t> made;
  std::vector<ContributionLabel> labels;
  std::vector<double> levels;
  for (const ErrorOrigin& origin : origins) {
    landings->rows.push_back(land(*code, origin));
    made.push_back(std::llround(origin.made * kErrorUnit));
    labels.push_back(label_of(*code, origin));
    levels.push_back(origin.snr_after);
  }
  landings->code = std::move(code);
  index_landings(*landings, std::vector<bool>(origins.size(), false));
  Measure measure = measure_once(quantity, std::move(landings), made);
  measure.labels = std::move(labels);
  measure.levels = std::move(levels);
  return measure;
}

}  // namespace etlens
