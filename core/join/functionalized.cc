// SPDX-License-Identifier: Apache-2.0
#include "core/join/functionalized.h"

#include <algorithm>
#include <deque>
#include <set>

#include "core/base/budget.h"

namespace etlens {
namespace {

// The model's buffers that the graph changes, as its inputs call them: in the order of its inputs,
// in which a program has its state.
std::vector<StringId> changed_buffers(const Graph& graph) {
  std::set<StringId> targets;
  for (const GraphMutation& mutation : graph.mutations) targets.insert(mutation.target);
  std::vector<StringId> buffers;
  for (const GraphInput& input : graph.inputs) {
    go_on();
    const bool is_models =
        input.kind == GraphInputKind::Buffer || input.kind == GraphInputKind::Parameter;
    if (is_models && targets.contains(input.target)) buffers.push_back(input.name);
  }
  return buffers;
}

// Planned values in front of the inputs, by tensor.
std::vector<uint32_t> state_of(const ProgramMethod& program) {
  std::vector<uint32_t> state;
  if (program.inputs.empty()) return state;
  const uint32_t first_input = *std::min_element(program.inputs.begin(), program.inputs.end());
  for (uint32_t t = 0; t < program.tensors.size(); ++t) {
    const ProgramTensor& tensor = program.tensors[t];
    if (tensor.is_planned && tensor.value < first_input) state.push_back(t);
  }
  return state;
}

}  // namespace

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
  const std::vector<StringId> buffers = changed_buffers(graph);
  const std::vector<uint32_t> state = state_of(program);
  if (buffers.empty() || buffers.size() != state.size()) return found;
  std::map<StringId, std::deque<NodeId>> changing;  // in graph order
  for (const StringId buffer : buffers) changing[buffer];
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
  for (size_t s = 0; s < state.size(); ++s) buffer_of[state[s]] = buffers[s];
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
