// SPDX-License-Identifier: Apache-2.0
#include "core/code/node_flow.h"

#include <algorithm>

#include "core/base/budget.h"

namespace etlens {

NodeFlow::NodeFlow(const EtRecord& record, std::span<const NodeId> nodes) : record_(record) {
  for (const NodeId node : nodes) {
    const Node& row = record.nodes[node.value];
    for (const StringId name : record.outputs_of(row)) makers_.try_emplace({row.graph, name}, node);
  }
  for (const NodeId node : nodes) {
    const Node& row = record.nodes[node.value];
    const std::span<const StringId> inputs = record.inputs_of(row);
    for (size_t i = 0; i < inputs.size(); ++i) {
      go_on(1 + i / 16);
      const bool repeated = std::find(inputs.begin(), inputs.begin() + static_cast<ptrdiff_t>(i),
                                      inputs[i]) != inputs.begin() + static_cast<ptrdiff_t>(i);
      if (!repeated) readers_.emplace(Value{row.graph, inputs[i]}, node);
    }
  }
}

NodeId NodeFlow::source(NodeId node, size_t i) const {
  const Node& row = record_.nodes[node.value];
  const std::span<const StringId> inputs = record_.inputs_of(row);
  if (i >= inputs.size()) return {};
  const auto at = makers_.find({row.graph, inputs[i]});
  return at == makers_.end() ? NodeId() : at->second;
}

std::vector<NodeId> NodeFlow::readers(NodeId node) const {
  std::vector<NodeId> found;
  const Node& row = record_.nodes[node.value];
  for (const StringId name : record_.outputs_of(row)) {
    const auto [first, last] = readers_.equal_range({row.graph, name});
    for (auto at = first; at != last; ++at) found.push_back(at->second);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace etlens
