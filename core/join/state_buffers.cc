// SPDX-License-Identifier: Apache-2.0
#include "core/join/state_buffers.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/join/program_code.h"

namespace etlens {
namespace {

// The model's buffers that the graph changes, in the order of its inputs.
std::vector<StateBuffer> changed_buffers(const Graph& graph) {
  std::unordered_map<StringId, StringId> new_value;  // by path
  for (const GraphMutation& mutation : graph.mutations)
    new_value.try_emplace(mutation.target, mutation.value);
  std::vector<StateBuffer> buffers;
  for (const GraphInput& input : graph.inputs) {
    go_on();
    const bool is_models =
        input.kind == GraphInputKind::Buffer || input.kind == GraphInputKind::Parameter;
    const auto value = is_models ? new_value.find(input.target) : new_value.end();
    if (value != new_value.end())
      buffers.push_back({kNone, input.name, input.target, value->second});
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

std::vector<StateBuffer> state_buffers(const EtRecord& record, const Graph& graph,
                                       const ProgramMethod& program) {
  std::vector<StateBuffer> buffers = changed_buffers(graph);
  const std::vector<uint32_t> state = state_of(program);
  if (buffers.empty() || buffers.size() != state.size()) return {};
  std::unordered_map<StringId, StringId> shapes;  // by value
  for (const TensorShape& tensor : graph.tensors) {
    go_on();
    shapes.try_emplace(tensor.name, tensor.shape);
  }
  for (size_t s = 0; s < state.size(); ++s) {
    buffers[s].tensor = state[s];
    const auto shape = shapes.find(buffers[s].input);
    if (shape != shapes.end() &&
        !fits_shape(record.text(shape->second), shape_text(program, program.tensors[state[s]])))
      return {};
  }
  return buffers;
}

std::vector<StateBuffer> state_buffers(const Code& code, const ProgramMethod& program) {
  if (code.record == nullptr || !code.method || !code.method->edge.valid()) return {};
  return state_buffers(*code.record, code.record->graphs[code.method->edge.value], program);
}

const StateBuffer* find_buffer(const std::vector<StateBuffer>& buffers, uint32_t tensor) {
  const auto at = std::ranges::lower_bound(buffers, tensor, {}, &StateBuffer::tensor);
  return at != buffers.end() && at->tensor == tensor ? &*at : nullptr;
}

std::vector<LineId> lines_of_new_values(const Code& code, const std::vector<StateBuffer>& buffers) {
  std::vector<LineId> lines(buffers.size());
  if (buffers.empty()) return lines;
  std::unordered_multimap<StringId, size_t> wanted;
  for (size_t b = 0; b < buffers.size(); ++b) wanted.emplace(buffers[b].value, b);
  const EtRecord& record = *code.record;
  for (const NodeId id : record.graphs[code.method->edge.value].nodes) {
    go_on();
    const Place* place = code.place_of(id);
    if (place == nullptr) continue;
    for (const StringId output : record.outputs_of(record.nodes[id.value])) {
      const auto [first, last] = wanted.equal_range(output);
      for (auto at = first; at != last; ++at) lines[at->second] = place->line;
    }
  }
  return lines;
}

std::vector<StateWrite> state_writes(const Code& code, const ProgramMethod& program) {
  const std::vector<StateBuffer> buffers = state_buffers(code, program);
  const std::vector<LineId> lines = lines_of_new_values(code, buffers);
  std::vector<StateWrite> writes;
  for (size_t b = 0; b < buffers.size(); ++b) {
    if (lines[b].valid())
      writes.push_back(
          {lines[b], code.record->text(buffers[b].path), program.tensors[buffers[b].tensor].bytes});
  }
  std::ranges::stable_sort(writes, {}, &StateWrite::line);
  return writes;
}

}  // namespace etlens
