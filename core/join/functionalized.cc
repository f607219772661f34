// SPDX-License-Identifier: Apache-2.0
#include "core/join/functionalized.h"

#include <deque>

#include "core/base/budget.h"
#include "core/join/state_buffers.h"

namespace etlens {

bool is_functionalized(std::string_view target) {
  return target.find("auto_functionalized") != std::string_view::npos;
}

std::map<Instruction, NodeId> find_functionalized(const MethodContext& context,
                                                  const ProgramMethod& program,
                                                  std::span<const ExecutedInstruction> unmapped) {
  std::map<Instruction, NodeId> found;
  if (!context.edge_graph().valid()) return found;
  const EtRecord& record = context.record();
  const Graph& graph = record.graphs[context.edge_graph().value];
  const std::vector<StateBuffer> buffers = state_buffers(record, graph, program);
  if (buffers.empty()) return found;
  std::map<StringId, std::deque<NodeId>> changing;  // in graph order
  for (const StateBuffer& buffer : buffers) changing[buffer.input];
  for (const NodeId id : graph.nodes) {
    go_on();
    const Node& node = record.nodes[id.value];
    if (!is_functionalized(record.text(node.target))) continue;
    for (const StringId input : record.inputs_of(node)) {
      const auto at = changing.find(input);
      if (at != changing.end()) at->second.push_back(id);
    }
  }
  std::map<uint32_t, StringId> buffer_of;  // by tensor
  for (const StateBuffer& buffer : buffers) buffer_of[buffer.tensor] = buffer.input;
  for (const ExecutedInstruction& row : unmapped) {
    const ProgramInstruction* instruction = program.find(row.instruction);
    if (instruction == nullptr || instruction->kind != InstructionKind::Kernel) continue;
    std::vector<uint32_t> tensors;
    for (const uint32_t value : program.arguments_of(*instruction))
      program.append_tensors_of(value, tensors);
    go_on(1 + tensors.size() / 16);
    for (const uint32_t tensor : tensors) {
      const auto buffer = buffer_of.find(tensor);
      if (buffer == buffer_of.end() || changing[buffer->second].empty()) continue;
      if (!found.emplace(row.instruction, changing[buffer->second].front()).second) break;
      changing[buffer->second].pop_front();
      break;
    }
  }
  return found;
}

}  // namespace etlens
