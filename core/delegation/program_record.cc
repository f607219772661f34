// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/program_record.h"

#include <fmt/format.h>

#include <unordered_set>

#include "core/base/budget.h"
#include "core/delegation/kernel_names.h"

namespace etlens {
namespace {

constexpr std::string_view kPrimitives = "executorch_prim::";
constexpr std::string_view kView = "executorch_prim::et_view";

// Of a branch or a loop: the instructions from `begin` to in front of `end`.
struct ControlFlow {
  uint32_t begin = 0;
  uint32_t end = 0;
  bool is_loop = false;
};

// The outermost ones, ascending.
std::vector<ControlFlow> control_flow_of(const ProgramMethod& program) {
  std::vector<ControlFlow> found;
  const std::vector<ProgramInstruction>& rows = program.instructions;
  for (uint32_t i = 0; i < rows.size(); ++i) {
    go_on();
    if (rows[i].kind != InstructionKind::JumpFalse) continue;
    ControlFlow flow{i, rows[i].target, false};
    if (flow.end <= i) {
      flow = {rows[i].target, i + 1, true};
    } else if (const ProgramInstruction& last = rows[flow.end - 1];
               flow.end - 1 > i && last.kind == InstructionKind::JumpFalse &&
               last.target > flow.end) {
      flow.end = last.target;  // the branch for true jumps over the one for false
    }
    while (!found.empty() && found.back().begin >= flow.begin) found.pop_back();
    if (!found.empty() && found.back().end >= flow.end) continue;
    found.push_back(flow);
  }
  return found;
}

// As edge programs call the kernel's operator.
TargetKind kind_of(std::string_view kernel) {
  const bool is_size = (kernel.starts_with(kPrimitives) && !kernel.starts_with(kView)) ||
                       kernel.starts_with("aten::sym_") ||
                       kernel.starts_with("aten::_local_scalar_dense");
  if (is_size) return TargetKind::Function;
  return kernel.starts_with("aten::scalar_tensor.") ? TargetKind::TorchOperator
                                                    : TargetKind::EdgeOperator;
}

class Builder {
 public:
  Builder(const ProgramMethod& program,
          std::span<const std::optional<std::vector<CallOperator>>> operators)
      : program_(program), operators_(operators), is_known_(program.tensors.size(), false) {}

  ProgramRecord build() {
    EtRecord& record = built_.record;
    built_.method = {record.strings.intern(program_.name), GraphId(0)};
    record.methods.push_back(built_.method);
    record.graphs.emplace_back();
    record.graphs[0].name = built_.method.name;
    MethodMap& map = record.maps.emplace_back();
    map.method = built_.method.name;
    for (const uint32_t value : program_.inputs)
      for (const uint32_t tensor : tensors_of(value)) is_known_[tensor] = true;
    add_tensors();
    add_instructions();
    for (const uint32_t value : program_.outputs)
      for (const uint32_t tensor : tensors_of(value))
        record.graphs[0].outputs.push_back(name_of(tensor));
    return std::move(built_);
  }

 private:
  std::vector<uint32_t> tensors_of(uint32_t value) const {
    std::vector<uint32_t> tensors;
    program_.append_tensors_of(value, tensors);
    return tensors;
  }

  StringId name_of(uint32_t tensor) {
    return built_.record.strings.intern(fmt::format("t{}", tensor));
  }

  void add_tensors() {
    EtRecord& record = built_.record;
    for (uint32_t t = 0; t < program_.tensors.size(); ++t) {
      go_on();
      const ProgramTensor& tensor = program_.tensors[t];
      record.graphs[0].tensors.push_back(
          {name_of(t), record.strings.intern(shape_text(program_, tensor))});
      if (!tensor.is_constant()) continue;
      record.graphs[0].inputs.push_back({GraphInputKind::Constant, name_of(t), kEmptyString});
      is_known_[t] = true;
    }
  }

  void add_instructions() {
    const std::vector<ControlFlow> flows = control_flow_of(program_);
    size_t flow = 0;
    for (uint32_t i = 0; i < program_.instructions.size(); ++i) {
      go_on();
      while (flow < flows.size() && flows[flow].end <= i) ++flow;
      const bool is_inside = flow < flows.size() && flows[flow].begin <= i;
      if (is_inside && flows[flow].begin == i)
        add_node(i, flows[flow].is_loop ? "higher_order.loop" : "higher_order.cond",
                 TargetKind::Function, {}, {});
      const ProgramInstruction& row = program_.instructions[i];
      if (row.kind == InstructionKind::Delegate) add_call(i);
      else if (row.kind == InstructionKind::Kernel) add_kernel(i, is_inside);
      else if (row.kind == InstructionKind::Move) note(program_.arguments_of(row));
    }
  }

  void note(std::span<const uint32_t> values) {
    for (const uint32_t value : values) {
      go_on();
      for (const uint32_t tensor : tensors_of(value)) is_known_[tensor] = true;
    }
  }

  void add_kernel(uint32_t i, bool is_inside) {
    const ProgramInstruction& row = program_.instructions[i];
    const std::string_view kernel = program_.operator_of(row);
    const std::span<const uint32_t> arguments = program_.arguments_of(row);
    built_.record.maps[0].instructions.push_back({Instruction(static_cast<int32_t>(i)), 0, 0});
    // The last argument is what a kernel writes, or a list of it.
    std::vector<uint32_t> written;
    if (!arguments.empty()) written = tensors_of(arguments.back());
    const std::unordered_set<uint32_t> is_written(written.begin(), written.end());
    std::vector<uint32_t> read;
    for (const uint32_t value : arguments) {
      go_on();
      for (const uint32_t tensor : tensors_of(value))
        if (!is_written.contains(tensor)) read.push_back(tensor);
    }
    note(arguments);
    if (is_inside) return;
    add_node(i, edge_operator_of_kernel(kernel), kind_of(kernel), read, written);
  }

  // What a call returns are its last arguments that nothing wrote before.
  void add_call(uint32_t i) {
    EtRecord& record = built_.record;
    const ProgramInstruction& row = program_.instructions[i];
    const ProgramDelegate* delegate = program_.delegate_of(row);
    const StringId backend =
        record.strings.intern(delegate == nullptr ? std::string_view() : delegate->backend);
    std::vector<uint32_t> read;
    std::vector<uint32_t> written;
    for (const uint32_t value : program_.arguments_of(row))
      for (const uint32_t tensor : tensors_of(value))
        (is_known_[tensor] ? read : written).push_back(tensor);
    note(program_.arguments_of(row));
    const NodeId call =
        add_node(i, "executorch_call_delegate", TargetKind::Function, read, written);
    record.nodes[call.value].lowered = LoweredId(record.lowered.size());
    record.maps[0].delegates.push_back({Instruction(static_cast<int32_t>(i)), backend, {}});
    LoweredModule& lowered = record.lowered.emplace_back();
    lowered.backend = backend;
    lowered.call = call;
    if (row.target < operators_.size() && operators_[row.target])
      lowered.graph = add_operators(call, *operators_[row.target]);
  }

  GraphId add_operators(NodeId call, const std::vector<CallOperator>& operators) {
    EtRecord& record = built_.record;
    const GraphId id(record.graphs.size());
    Graph graph;
    graph.kind = GraphKind::Lowered;
    graph.parent = GraphId(0);
    graph.parent_node = call;
    const Instruction instruction = built_.instructions[call.value];
    for (const CallOperator& op : operators) {
      go_on();
      Node node;
      node.graph = id;
      node.target = record.strings.intern(op.name);
      node.target_kind =
          op.name.starts_with("aten.") ? TargetKind::EdgeOperator : TargetKind::Function;
      node.debug_handle = op.debug_handle;
      node.first_input = node.first_output = node.end_output =
          static_cast<uint32_t>(record.values.size());
      graph.nodes.emplace_back(record.nodes.size());
      record.nodes.push_back(node);
      built_.instructions.push_back(instruction);
    }
    record.graphs.push_back(std::move(graph));
    return id;
  }

  NodeId add_node(uint32_t i, std::string_view target, TargetKind kind,
                  const std::vector<uint32_t>& read, const std::vector<uint32_t>& written) {
    EtRecord& record = built_.record;
    Node node;
    node.graph = GraphId(0);
    node.target = record.strings.intern(target);
    node.target_kind = kind;
    node.first_input = static_cast<uint32_t>(record.values.size());
    for (const uint32_t tensor : read) record.values.push_back(name_of(tensor));
    node.first_output = static_cast<uint32_t>(record.values.size());
    for (const uint32_t tensor : written) record.values.push_back(name_of(tensor));
    node.end_output = static_cast<uint32_t>(record.values.size());
    const NodeId id(record.nodes.size());
    record.nodes.push_back(node);
    record.graphs[0].nodes.push_back(id);
    built_.instructions.emplace_back(static_cast<int32_t>(i));
    return id;
  }

  const ProgramMethod& program_;
  std::span<const std::optional<std::vector<CallOperator>>> operators_;
  std::vector<bool> is_known_;  // tensors that have a value
  ProgramRecord built_;
};

}  // namespace

ProgramRecord record_of_program(
    const ProgramMethod& program,
    std::span<const std::optional<std::vector<CallOperator>>> operators) {
  return Builder(program, operators).build();
}

}  // namespace etlens
