// SPDX-License-Identifier: Apache-2.0
#include "core/profile/delegate_placement.h"

#include <algorithm>
#include <unordered_map>

namespace etlens {
namespace {

// The call node of the k-th delegate instruction is the k-th in graph order.
NodeId call_node(const MethodContext& context, int32_t instruction) {
  const std::vector<DelegateEntry>& delegates = context.map().delegates;
  const std::vector<NodeId>& calls = context.nodes().delegate_calls();
  if (delegates.size() != calls.size()) return {};
  const DelegateEntry* entry = context.map().find_delegate(instruction);
  return entry == nullptr ? NodeId() : calls[static_cast<size_t>(entry - delegates.data())];
}

}  // namespace

std::vector<NodeId> nodes_of_call(const MethodContext& context, const OperatorPlacer& operators,
                                  int32_t instruction) {
  const EtRecord& record = context.record();
  if (const NodeId call = call_node(context, instruction); call.valid()) {
    const LoweredModule& lowered = record.lowered[record.nodes[call.value].lowered.value];
    if (lowered.graph.valid()) return record.graphs[lowered.graph.value].nodes;
  }
  std::vector<NodeId> nodes;
  // The maps of releases up to 0.3 list handles of the outer graph for a delegate call.
  const InstructionHandles* row = context.map().find(instruction);
  if (row == nullptr || record.layout == RecordLayout::UpTo03) return nodes;
  for (const DebugHandle handle : context.map().handles_of(*row)) {
    for (const NodeId node : context.nodes().nodes_of(handle)) {
      if (!operators.ran(node)) nodes.push_back(node);
    }
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

std::vector<Placement> place_delegate_events(const MethodContext& context, const EventLog& log,
                                             int32_t instruction, std::span<const EventKey> events) {
  std::vector<Placement> placements(events.size());
  const DelegateEntry* entry = context.map().find_delegate(instruction);
  if (entry == nullptr || entry->ids.empty()) return placements;
  std::unordered_map<std::string_view, const DelegateHandles*> by_id;
  for (const DelegateHandles& ids : entry->ids) by_id.emplace(context.record().text(ids.id), &ids);
  for (size_t i = 0; i < events.size(); ++i) {
    const EventKey& key = events[i];
    // Ids are compared whole: the Inspector's substring rule ties "1" to every id with a 1 in it.
    const auto ids = key.delegate_id_int != -1
                         ? by_id.find(std::to_string(key.delegate_id_int))
                         : by_id.find(log.text(key.delegate_id_str));
    if (ids == by_id.end()) continue;
    std::vector<NodeId> nodes;
    for (const DebugHandle handle : context.map().handles_of(*ids->second)) {
      const std::span<const NodeId> own = context.nodes().nodes_of(handle);
      nodes.insert(nodes.end(), own.begin(), own.end());
    }
    placements[i] = place_on_dominating(context, nodes, true);
  }
  return placements;
}

}  // namespace etlens
