// SPDX-License-Identifier: Apache-2.0
#include "core/join/graph_index.h"

#include "core/base/budget.h"

namespace etlens {

bool is_view_operator(std::string_view base) {
  return base == "view_copy" || base == "view" || base == "et_view";
}

GraphIndex::GraphIndex(const MethodContext& context) {
  const EtRecord& record = context.record();
  for (const NodeId id : context.nodes().all()) {
    go_on();
    const Node& node = record.nodes[id.value];
    for (const StringId output : record.outputs_of(node))
      makers.try_emplace({node.graph, output}, id);
    const std::span<const StringId> inputs = record.inputs_of(node);
    if (is_view_operator(context.operator_of(id)) && !inputs.empty())
      views[{node.graph, inputs.front()}].nodes.push_back(id);
  }
}

}  // namespace etlens
