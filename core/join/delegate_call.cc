// SPDX-License-Identifier: Apache-2.0
#include "core/join/delegate_call.h"

#include <algorithm>

namespace etlens {

NodeId call_node(const MethodMap& map, const MethodNodes& nodes, int32_t instruction) {
  const std::vector<DelegateEntry>& delegates = map.delegates;
  const std::vector<NodeId>& calls = nodes.delegate_calls();
  const DelegateEntry* entry = map.find_delegate(instruction);
  if (entry == nullptr || delegates.size() != calls.size()) return {};
  return calls[static_cast<size_t>(entry - delegates.data())];
}

NodeId call_node(const MethodContext& context, int32_t instruction) {
  return call_node(context.map(), context.nodes(), instruction);
}

const LoweredModule* lowered_module(const MethodContext& context, int32_t instruction) {
  const NodeId call = call_node(context, instruction);
  if (!call.valid()) return nullptr;
  return &context.record().lowered[context.record().nodes[call.value].lowered.value];
}

std::span<const DebugHandle> handles_of_call(const EtRecord& record, const MethodMap& map,
                                             int32_t instruction) {
  const InstructionHandles* row = map.find(instruction);
  // The maps of releases up to 0.3 list handles of the outer graph for a delegate call.
  if (row == nullptr || record.layout == RecordLayout::UpTo03) return {};
  return map.handles_of(*row);
}

std::span<const DebugHandle> handles_of_call(const MethodContext& context, int32_t instruction) {
  return handles_of_call(context.record(), context.map(), instruction);
}

std::vector<NodeId> nodes_of_call(const MethodContext& context, const OperatorPlacer& operators,
                                  int32_t instruction) {
  const EtRecord& record = context.record();
  const LoweredModule* lowered = lowered_module(context, instruction);
  if (lowered != nullptr && lowered->graph.valid())
    return record.graphs[lowered->graph.value].nodes;
  std::vector<NodeId> nodes;
  for (const DebugHandle handle : handles_of_call(context, instruction)) {
    for (const NodeId node : context.nodes().nodes_of(handle)) {
      if (!operators.ran(node)) nodes.push_back(node);
    }
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

std::vector<NodeId> in_payload_order(const MethodContext& context, int32_t instruction,
                                     std::vector<NodeId> nodes) {
  const EtRecord& record = context.record();
  const LoweredModule* lowered = lowered_module(context, instruction);
  if (lowered != nullptr && lowered->graph.valid()) return nodes;
  std::unordered_map<DebugHandle, size_t> place;
  for (const DebugHandle handle : handles_of_call(context, instruction))
    place.try_emplace(handle, place.size());
  std::stable_sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
    return place[record.nodes[a.value].debug_handle] < place[record.nodes[b.value].debug_handle];
  });
  return nodes;
}

NodeFlow::NodeFlow(const EtRecord& record, std::span<const NodeId> nodes) : record_(record) {
  for (const NodeId node : nodes) {
    const Node& row = record.nodes[node.value];
    for (const StringId name : record.outputs_of(row)) makers_.try_emplace({row.graph, name}, node);
  }
  for (const NodeId node : nodes) {
    const Node& row = record.nodes[node.value];
    const std::span<const StringId> inputs = record.inputs_of(row);
    for (size_t i = 0; i < inputs.size(); ++i) {
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
