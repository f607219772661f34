// SPDX-License-Identifier: Apache-2.0
#include "core/join/program_code.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/code/build_code.h"
#include "core/code/call_nodes.h"
#include "core/formats/scalar_type.h"
#include "core/join/branch_placement.h"
#include "core/join/delegate_call.h"
#include "core/join/program_fit.h"

namespace etlens {
namespace {

// Of the kernels that a record maps, the part whose operators have to be those of its nodes.
constexpr double kAgreeing = 0.9;

std::vector<ExecutedInstruction> kernels_of(const ProgramMethod& program) {
  std::vector<ExecutedInstruction> kernels;
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    if (program.instructions[i].kind == InstructionKind::Kernel)
      kernels.push_back({static_cast<int32_t>(i), program.operator_of(program.instructions[i])});
  }
  return kernels;
}

std::optional<RecordMethod> method_in(const EtRecord* record, std::string_view name) {
  if (record == nullptr) return std::nullopt;
  for (const RecordMethod& method : record->methods) {
    if (record->text(method.name) == name) return method;
  }
  return std::nullopt;
}

// A method of a program beside that of the record. The members refer to each other.
struct Pairing {
  Pairing(const EtRecord& record, const RecordMethod& method, const ProgramMethod& program,
          const std::vector<std::string>& library_frames)
      : frames(record, library_frames),
        context(record, method, frames),
        kernels(kernels_of(program)),
        operators(context, kernels, &program),
        branches(context, program) {}
  Pairing(const Pairing&) = delete;
  Pairing& operator=(const Pairing&) = delete;

  ProjectFrames frames;
  MethodContext context;
  std::vector<ExecutedInstruction> kernels;
  OperatorPlacer operators;
  BranchPlacer branches;
};

// "1, s0, Max(2, s1)": a size may be an expression.
std::vector<std::string_view> sizes_in(std::string_view text) {
  std::vector<std::string_view> sizes;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] != ',' || depth > 0) continue;
    sizes.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  sizes.push_back(text.substr(begin));
  return sizes;
}

// Who makes and who reads the values of a graph.
struct GraphValues {
  GraphValues(const EtRecord& record, const Graph& graph) {
    for (const NodeId node : graph.nodes) {
      go_on();
      const Node& row = record.nodes[node.value];
      for (const StringId output : record.outputs_of(row)) makers.try_emplace(output, node);
      for (const StringId input : record.inputs_of(row)) ++readings[input];
    }
    // The graph reads what it returns.
    for (const StringId output : graph.outputs) ++readings[output];
  }

  std::unordered_map<StringId, NodeId> makers;
  std::unordered_map<StringId, uint32_t> readings;
};

// Those of each graph, once.
class ValuesOfGraphs {
 public:
  explicit ValuesOfGraphs(const EtRecord& record) : record_(record) {}
  const GraphValues& of(GraphId graph) {
    std::unique_ptr<GraphValues>& values = known_[graph];
    if (values == nullptr)
      values = std::make_unique<GraphValues>(record_, record_.graphs[graph.value]);
    return *values;
  }

 private:
  const EtRecord& record_;
  std::unordered_map<GraphId, std::unique_ptr<GraphValues>> known_;
};

// Quantizing what a node made is no work of its own: the node whose value it really is.
NodeId behind_quantizing(const EtRecord& record, const GraphValues& values, NodeId node) {
  constexpr int kMaxQuantizing = 4;
  for (int step = 0; step < kMaxQuantizing; ++step) {
    const Node& row = record.nodes[node.value];
    const std::string_view target = base_operator_of_target(record.text(row.target));
    const std::span<const StringId> inputs = record.inputs_of(row);
    if (rank_of_operator(target) != OperatorRank::Quantize || inputs.empty()) return node;
    const auto maker = values.makers.find(inputs.front());
    if (maker == values.makers.end()) return node;
    node = maker->second;
  }
  return node;
}

// The nodes of the call's own graph that make what it returns.
std::vector<ReturnedNode> returned_by(const EtRecord& record, GraphId id, ValuesOfGraphs& graphs) {
  const GraphValues& values = graphs.of(id);
  std::vector<ReturnedNode> returned;
  for (const StringId output : record.graphs[id.value].outputs) {
    const auto maker = values.makers.find(output);
    returned.push_back({maker == values.makers.end()
                            ? NodeId()
                            : behind_quantizing(record, values, maker->second)});
  }
  return returned;
}

// The same for a record made before lowering: of the call's nodes those whose values are read
// outside it, in the payload's order. They have to have the shapes that the call returns.
std::vector<ReturnedNode> read_outside(const EtRecord& record, GraphId id,
                                       const std::vector<NodeId>& call,
                                       const std::vector<std::string>& shapes,
                                       ValuesOfGraphs& graphs) {
  if (call.empty() || shapes.empty()) return {};
  const GraphValues& values = graphs.of(id);
  std::unordered_map<StringId, uint32_t> inside;  // readings
  for (const NodeId node : call) {
    go_on();
    const Node& row = record.nodes[node.value];
    if (row.graph != id) continue;
    for (const StringId input : record.inputs_of(row)) ++inside[input];
  }
  const auto is_read = [&](StringId output) {
    const auto all = values.readings.find(output);
    if (all == values.readings.end()) return false;
    const auto own = inside.find(output);
    return all->second > (own == inside.end() ? 0 : own->second);
  };
  std::vector<ReturnedNode> returned;
  for (const NodeId node : call) {
    const Node& row = record.nodes[node.value];
    if (row.graph != id || !std::ranges::any_of(record.outputs_of(row), is_read)) continue;
    const size_t at = returned.size();
    if (at >= shapes.size() || !row.shape.valid() ||
        !fits_shape(record.text(row.shape), shapes[at]))
      return {};
    returned.push_back({node, Confidence::Inferred});
  }
  if (returned.size() != shapes.size()) return {};
  for (ReturnedNode& row : returned) row.node = behind_quantizing(record, values, row.node);
  if (returned.size() == 1) returned.front().confidence = Confidence::Aligned;
  return returned;
}

// The shapes of what a call returns: of the last arguments those that nothing named before.
std::vector<std::string> returned_shapes(const ProgramMethod& program, uint32_t instruction,
                                         std::vector<bool>& is_known) {
  std::vector<uint32_t> tensors;
  for (const uint32_t value : program.arguments_of(program.instructions[instruction]))
    program.append_tensors_of(value, tensors);
  std::vector<std::string> shapes;
  for (const uint32_t tensor : tensors) {
    if (is_known[tensor] || program.tensors[tensor].is_constant()) shapes.clear();
    else shapes.push_back(shape_text(program, program.tensors[tensor]));
  }
  return shapes;
}

std::vector<bool> known_at_start(const ProgramMethod& program) {
  std::vector<uint32_t> inputs;
  for (const uint32_t value : program.inputs) program.append_tensors_of(value, inputs);
  std::vector<bool> is_known(program.tensors.size(), false);
  for (const uint32_t tensor : inputs) is_known[tensor] = true;
  return is_known;
}

void find_returned(const Pairing& pairing, const ProgramMethod& program, InstructionNodes& nodes) {
  const EtRecord& record = pairing.context.record();
  ValuesOfGraphs graphs(record);
  std::vector<bool> is_known = known_at_start(program);
  for (uint32_t i = 0; i < program.instructions.size(); ++i) {
    const ProgramInstruction& row = program.instructions[i];
    const Instruction instruction(static_cast<int32_t>(i));
    if (row.kind == InstructionKind::Delegate) {
      const LoweredModule* lowered = lowered_module(pairing.context, instruction);
      const GraphId edge = pairing.context.edge_graph();
      if (lowered != nullptr && lowered->graph.valid()) {
        nodes.returned[i] = returned_by(record, lowered->graph, graphs);
      } else if (edge.valid()) {
        const std::vector<NodeId> call =
            in_payload_order(pairing.context, instruction,
                             nodes_of_call(pairing.context, pairing.operators, instruction));
        nodes.returned[i] =
            read_outside(record, edge, call, returned_shapes(program, i, is_known), graphs);
      }
    }
    std::vector<uint32_t> tensors;
    for (const uint32_t value : program.arguments_of(row))
      program.append_tensors_of(value, tensors);
    for (const uint32_t tensor : tensors) is_known[tensor] = true;
  }
}

// False if some mapped kernel is the operator of none of its nodes.
bool agrees(const MethodContext& context, const ExecutedInstruction& kernel, bool& is_known) {
  const InstructionHandles* row = context.map().find(kernel.instruction);
  is_known = false;
  if (row == nullptr) return true;
  const std::string_view base = base_operator_of_kernel(kernel.kernel);
  for (const DebugHandle handle : context.map().handles_of(*row)) {
    for (const NodeId node : context.nodes().nodes_of(handle)) {
      is_known = true;
      if (context.operator_of(node) == base) return true;
    }
  }
  return false;
}

}  // namespace

bool fits_shape(std::string_view recorded, std::string_view bound) {
  if (recorded == bound) return true;
  const size_t end = recorded.find(']');
  const size_t bound_end = bound.find(']');
  if (end == std::string_view::npos || bound_end == std::string_view::npos) return false;
  if (recorded.substr(end) != bound.substr(bound_end)) return false;  // another data type
  const std::vector<std::string_view> sizes = sizes_in(recorded.substr(1, end - 1));
  const std::vector<std::string_view> bounds = sizes_in(bound.substr(1, bound_end - 1));
  if (sizes.size() != bounds.size()) return false;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const std::string_view size = trim(sizes[d]);
    if (size.empty() || (parse_int(size) && size != trim(bounds[d]))) return false;
  }
  return true;
}

InstructionNodes find_nodes(const Code& code, const ProgramMethod& program) {
  if (code.record != nullptr && code.method) return find_nodes(*code.record, *code.method, program);
  InstructionNodes nodes;
  nodes.placements.resize(program.instructions.size());
  nodes.returned.resize(program.instructions.size());
  return nodes;
}

InstructionNodes find_nodes(const EtRecord& record, const RecordMethod& method,
                            const ProgramMethod& program) {
  InstructionNodes nodes;
  nodes.placements.resize(program.instructions.size());
  nodes.returned.resize(program.instructions.size());
  // Which frames are the project's own does not matter for nodes.
  const Pairing pairing(record, method, program, {});
  for (const ExecutedInstruction& kernel : pairing.kernels) {
    NodePlacement& placement = nodes.placements[static_cast<size_t>(kernel.instruction.value)];
    placement = pairing.operators.place(kernel.instruction, kernel.kernel);
    if (placement.node.valid()) continue;
    const NodeId node = pairing.branches.node_of(kernel.instruction);
    if (node.valid()) placement = place_on_dominating(pairing.context, std::span(&node, 1), true);
  }
  find_returned(pairing, program, nodes);
  return nodes;
}

std::shared_ptr<const Code> code_of_program(std::shared_ptr<const EtRecord> record,
                                            const ProgramMethod& program,
                                            const std::vector<std::string>& library_frames) {
  const std::optional<RecordMethod> method = method_in(record.get(), program.name);
  std::unique_ptr<Pairing> pairing;
  if (method) pairing = std::make_unique<Pairing>(*record, *method, program, library_frames);
  std::vector<CallNodes> calls;
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    if (program.instructions[i].kind != InstructionKind::Delegate) continue;
    CallNodes& call = calls.emplace_back();
    call.instruction = static_cast<int32_t>(i);
    if (!pairing) {
      const ProgramDelegate* delegate = program.delegate_of(program.instructions[i]);
      if (delegate != nullptr) call.backend_name = delegate->backend;
      continue;
    }
    const DelegateEntry* entry = pairing->context.map().find_delegate(call.instruction);
    if (entry != nullptr) call.backend = entry->backend;
    call.nodes = nodes_of_call(pairing->context, pairing->operators, call.instruction);
  }
  if (!pairing) return std::make_shared<const Code>(build_code(calls));
  return std::make_shared<const Code>(
      build_code(std::move(record), *method, pairing->context, calls));
}

std::optional<std::string> record_difference(const EtRecord& record, const EtProgram& program) {
  size_t known = 0;
  size_t agreeing = 0;
  for (const RecordMethod& method : record.methods) {
    const std::string name(record.text(method.name));
    const ProgramMethod* row = program.find(name);
    if (row == nullptr) return "the program has no method " + name;
    if (std::optional<std::string> why = program_difference(*row, record)) return why;
    const Pairing pairing(record, method, *row, {});
    for (const ExecutedInstruction& kernel : pairing.kernels) {
      bool is_known = false;
      const bool is_agreeing = agrees(pairing.context, kernel, is_known);
      known += is_known ? 1 : 0;
      agreeing += is_known && is_agreeing ? 1 : 0;
    }
  }
  if (static_cast<double>(agreeing) >= kAgreeing * static_cast<double>(known)) return std::nullopt;
  return std::to_string(known - agreeing) + " of " + std::to_string(known) +
         " kernels are none of the record's operators";
}

Landing land_kernel(const Code& code, const NodePlacement& placement) {
  Landing row;
  row.part = Part::Unattributed;
  row.confidence = placement.confidence;
  row.candidates = placement.candidates;
  row.node = placement.node;
  row.module = ModuleId(0);
  const Place* place = code.place_of(placement.node);
  if (place == nullptr) return row;
  row.place = code.place_of_node[placement.node.value];
  row.module = place->module;
  if (place->line.valid()) {
    row.part = Part::Line;
    row.line = place->line;
  }
  return row;
}

Landing land_in_call(const Code& code, uint32_t instruction, const ReturnedNode& inside) {
  Landing row;
  if (code.place_of(inside.node) != nullptr) {
    row = land_kernel(code, {.node = inside.node, .confidence = inside.confidence});
  } else {
    row.part = Part::OpaquePartition;
    row.confidence = Confidence::Partition;
    row.module = ModuleId(0);
  }
  row.partition = code.find_partition(Instruction(static_cast<int32_t>(instruction)));
  if (row.part == Part::OpaquePartition && row.partition.valid())
    row.module = code.partitions[row.partition.value].module;
  return row;
}

}  // namespace etlens
