// SPDX-License-Identifier: Apache-2.0
#include "core/code/call_nodes.h"

#include <algorithm>
#include <unordered_map>

namespace etlens {

NodeId call_node(const MethodMap& map, const MethodNodes& nodes, Instruction instruction) {
  const std::vector<DelegateEntry>& delegates = map.delegates;
  const std::vector<NodeId>& calls = nodes.delegate_calls();
  const DelegateEntry* entry = map.find_delegate(instruction);
  if (entry == nullptr || delegates.size() != calls.size()) return {};
  return calls[static_cast<size_t>(entry - delegates.data())];
}

NodeId call_node(const MethodContext& context, Instruction instruction) {
  return call_node(context.map(), context.nodes(), instruction);
}

const LoweredModule* lowered_module(const MethodContext& context, Instruction instruction) {
  const NodeId call = call_node(context, instruction);
  if (!call.valid()) return nullptr;
  return &context.record().lowered[context.record().nodes[call.value].lowered.value];
}

std::span<const DebugHandle> handles_of_call(const EtRecord& record, const MethodMap& map,
                                             Instruction instruction) {
  const InstructionHandles* row = map.find(instruction);
  // The maps of releases up to 0.3 list handles of the outer graph for a delegate call.
  if (row == nullptr || record.layout == RecordLayout::UpTo03) return {};
  return map.handles_of(*row);
}

std::span<const DebugHandle> handles_of_call(const MethodContext& context,
                                             Instruction instruction) {
  return handles_of_call(context.record(), context.map(), instruction);
}

std::vector<NodeId> in_payload_order(const MethodContext& context, Instruction instruction,
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

}  // namespace etlens
