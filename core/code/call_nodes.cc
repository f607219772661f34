// SPDX-License-Identifier: Apache-2.0
#include "core/code/call_nodes.h"

#include <algorithm>
#include <utility>

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
  // Of each handle where it is listed first; one that is not listed counts as the first.
  std::vector<std::pair<DebugHandle, size_t>> places;
  const std::span<const DebugHandle> handles = handles_of_call(context, instruction);
  places.reserve(handles.size());
  for (size_t i = 0; i < handles.size(); ++i) places.emplace_back(handles[i], i);
  std::sort(places.begin(), places.end());
  const auto place_of = [&](NodeId node) -> size_t {
    const DebugHandle handle = record.nodes[node.value].debug_handle;
    const auto at = std::lower_bound(places.begin(), places.end(), std::pair(handle, size_t{0}));
    return at == places.end() || at->first != handle ? 0 : at->second;
  };
  const auto is_before = [&](NodeId a, NodeId b) { return place_of(a) < place_of(b); };
  if (!std::is_sorted(nodes.begin(), nodes.end(), is_before))
    std::stable_sort(nodes.begin(), nodes.end(), is_before);
  return nodes;
}

}  // namespace etlens
