// SPDX-License-Identifier: Apache-2.0
#include "core/code/node_flow.h"

#include <algorithm>

#include "core/base/budget.h"

namespace etlens {

NodeFlow::NodeFlow(const EtRecord& record, std::span<const NodeId> nodes) : record_(record) {
  makers_.reserve(nodes.size());
  readers_.reserve(2 * nodes.size());
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    const Node& row = record.nodes[nodes[n].value];
    for (const StringId name : record.outputs_of(row))
      makers_.push_back({row.graph, name, n, nodes[n]});
    const std::span<const StringId> inputs = record.inputs_of(row);
    for (size_t i = 0; i < inputs.size(); ++i) {
      go_on(1 + i / 16);
      const bool repeated = std::find(inputs.begin(), inputs.begin() + static_cast<ptrdiff_t>(i),
                                      inputs[i]) != inputs.begin() + static_cast<ptrdiff_t>(i);
      if (!repeated) readers_.push_back({row.graph, inputs[i], n, nodes[n]});
    }
  }
  std::sort(makers_.begin(), makers_.end());
  std::sort(readers_.begin(), readers_.end());
}

std::span<const NodeFlow::Use> NodeFlow::uses_of(const std::vector<Use>& uses, GraphId graph,
                                                 StringId name) {
  const auto first = std::lower_bound(uses.begin(), uses.end(), Use{graph, name, 0, NodeId(0)});
  const Use behind{graph, name, UINT32_MAX, NodeId(UINT32_MAX)};
  return {first, std::upper_bound(first, uses.end(), behind)};
}

NodeId NodeFlow::source(NodeId node, size_t i) const {
  const Node& row = record_.nodes[node.value];
  const std::span<const StringId> inputs = record_.inputs_of(row);
  if (i >= inputs.size()) return {};
  const std::span<const Use> makers = uses_of(makers_, row.graph, inputs[i]);
  return makers.empty() ? NodeId() : makers.front().node;
}

std::vector<NodeId> NodeFlow::readers(NodeId node) const {
  std::vector<NodeId> found;
  const Node& row = record_.nodes[node.value];
  for (const StringId name : record_.outputs_of(row)) {
    for (const Use& use : uses_of(readers_, row.graph, name)) found.push_back(use.node);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace etlens
