// SPDX-License-Identifier: Apache-2.0
#include "core/measure/operators.h"

#include <string>
#include <utility>
#include <vector>

#include "core/base/budget.h"
#include "core/join/program_code.h"

namespace etlens {

Measure measure_operators(std::shared_ptr<const Code> code,
                          std::span<const PlacedOperator> operators) {
  auto landings = std::make_shared<Landings>();
  landings->code = std::move(code);
  const Code& places = *landings->code;
  std::vector<ContributionLabel> labels;
  for (const PlacedOperator& row : operators) {
    go_on();
    landings->rows.push_back(land_kernel(places, {.node = row.node}));
    landings->rows.back().partition = row.partition;
    const Node& node = places.record->nodes[row.node.value];
    labels.push_back({std::string(places.record->text(node.name)), row.remark});
  }
  index_landings(*landings, std::vector<bool>(landings->rows.size(), false));
  Quantity quantity;
  quantity.id = quantity.label = kOperatorsId;
  quantity.dimension = Dimension::Count;
  quantity.over_samples = OverSamples::Last;
  quantity.whole = "all operators";
  Measure measure =
      measure_once(quantity, std::move(landings), std::vector<int64_t>(operators.size(), 1));
  measure.labels = std::move(labels);
  return measure;
}

}  // namespace etlens
