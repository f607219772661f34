// SPDX-License-Identifier: Apache-2.0
#include "core/join/delegate_call.h"

#include <algorithm>
#include <utility>

#include "core/code/call_nodes.h"

namespace etlens {

std::vector<NodeId> nodes_of_call(const MethodContext& context, const OperatorPlacer& operators,
                                  Instruction instruction) {
  const EtRecord& record = context.record();
  const LoweredModule* lowered = lowered_module(context, instruction);
  if (lowered != nullptr && lowered->graph.valid())
    return record.graphs[lowered->graph.value].nodes;
  const std::span<const DebugHandle> handles = handles_of_call(context, instruction);
  std::vector<NodeId> nodes;
  nodes.reserve(handles.size());
  for (const DebugHandle handle : handles) {
    for (const NodeId node : context.nodes().nodes_of(handle)) {
      if (!operators.ran(node)) nodes.push_back(node);
    }
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

DelegateCall describe_call(const MethodContext& context, Instruction instruction,
                           std::vector<NodeId> nodes, const PayloadSource& payloads) {
  DelegateCall call;
  call.context = &context;
  call.instruction = instruction;
  call.nodes = std::move(nodes);
  call.payload_order = in_payload_order(context, instruction, call.nodes);
  call.handles = handles_of_call(context, instruction);
  const LoweredModule* lowered = lowered_module(context, instruction);
  call.is_lowered = lowered != nullptr && lowered->graph.valid();
  if (lowered != nullptr && !lowered->payload.empty()) call.payload = lowered->payload;
  else if (payloads) call.payload = payloads(instruction);
  return call;
}

}  // namespace etlens
