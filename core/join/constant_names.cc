// SPDX-License-Identifier: Apache-2.0
#include "core/join/constant_names.h"

#include <algorithm>

#include "core/base/budget.h"
#include "core/code/operator_name.h"

namespace etlens {
namespace {

// A weight may be transposed or dequantized on its way to the operator.
constexpr int kMaxSteps = 6;

uint64_t key_of(GraphId graph, StringId value) { return uint64_t{graph.value} << 32 | value.value; }

// The name of a parameter or buffer among a graph's placeholders, without its prefix; "" for
// inputs and for what a call gets from outside.
std::string_view parameter_name(std::string_view placeholder) {
  for (const std::string_view prefix : {"p_", "b_", "c_"}) {
    if (placeholder.starts_with(prefix)) return placeholder.substr(prefix.size());
  }
  for (const std::string_view prefix : {"_lifted_tensor", "_tensor_constant", "_param_constant"}) {
    if (placeholder.starts_with(prefix)) return placeholder;
  }
  return {};
}

// If the name begins with the module's path, dots written as underscores: what is left.
std::string_view name_in_module(std::string_view name, std::string_view path) {
  if (path.empty() || name.size() <= path.size() + 1 || name[path.size()] != '_') return {};
  for (size_t i = 0; i < path.size(); ++i) {
    if (name[i] != (path[i] == '.' ? '_' : path[i])) return {};
  }
  return name.substr(path.size() + 1);
}

}  // namespace

ConstantNames::ConstantNames(const Code& code, const ProgramMethod& program)
    : code_(code), program_(program), nodes_(find_nodes(code, program)) {
  if (!program.inputs.empty())
    first_input_ = *std::min_element(program.inputs.begin(), program.inputs.end());
  if (code.record == nullptr) return;
  for (size_t n = 0; n < code.place_of_node.size(); ++n) {
    if (!code.place_of_node[n].valid()) continue;
    const Node& node = code.record->nodes[n];
    for (const StringId output : code.record->outputs_of(node))
      makers_.try_emplace(key_of(node.graph, output), NodeId(n));
  }
}

ConstantOwner ConstantNames::of_kernel(uint32_t instruction, uint32_t tensor) const {
  ConstantOwner owner;
  const NodePlacement& placement = nodes_.placements[instruction];
  owner.landing = land_kernel(code_, placement);
  owner.module = owner.landing.module;
  if (!placement.node.valid()) return owner;
  if (kernel_ != instruction) {
    kernel_ = instruction;
    names_of_kernel_.clear();
    const std::vector<uint32_t> tensors = parameters_of(instruction);
    const std::vector<std::string_view> names = placeholders_of(placement.node, false);
    for (size_t i = 0; i < tensors.size() && tensors.size() == names.size(); ++i)
      names_of_kernel_.try_emplace(tensors[i], names[i]);
  }
  const auto at = names_of_kernel_.find(tensor);
  if (at != names_of_kernel_.end()) name(at->second, owner);
  return owner;
}

ConstantOwner ConstantNames::of_call(uint32_t instruction) const {
  ConstantOwner owner;
  owner.landing = land_in_call(code_, instruction, {});
  owner.module = owner.landing.module;
  return owner;
}

std::vector<ConstantOwner> ConstantNames::of_payload(
    uint32_t instruction, std::span<const PayloadConstant> constants) const {
  const std::vector<ReturnedNode> nodes = nodes_of_operators(instruction, constants);
  std::vector<ConstantOwner> owners;
  for (size_t c = 0; c < constants.size(); ++c) {
    ConstantOwner& owner = owners.emplace_back(of_call(instruction));
    if (!nodes[c].node.valid()) continue;
    owner.landing = land_in_call(code_, instruction, nodes[c]);
    owner.module = owner.landing.module;
    std::vector<std::string_view> names = placeholders_of(nodes[c].node, true);
    // Which of them it is the record does not say; a bias is called so.
    const bool is_bias = constants[c].role.starts_with("bias");
    std::erase_if(names, [&](std::string_view name) { return name.ends_with("bias") != is_bias; });
    if (names.size() == 1) name(names.front(), owner);
  }
  return owners;
}

// The node of each constant's operator: by debug handle; for operators without one, if there are as
// many that have weights as nodes that read parameters, in their order.
std::vector<ReturnedNode> ConstantNames::nodes_of_operators(
    uint32_t instruction, std::span<const PayloadConstant> constants) const {
  std::vector<ReturnedNode> found;
  std::vector<uint32_t> rows;  // of operators with weights
  bool is_complete = true;
  for (const PayloadConstant& constant : constants) {
    found.push_back({node_in_call(instruction, constant.debug_handle)});
    is_complete = is_complete && (constant.op_row == kNone || found.back().node.valid());
    if (constant.role == "filter") rows.push_back(constant.op_row);
  }
  if (is_complete) return found;
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  std::vector<NodeId> nodes;
  for (const NodeId node : nodes_of_call(instruction)) {
    const std::string_view target = code_.record->text(code_.record->nodes[node.value].target);
    const bool has_weights =
        rank_of_operator(base_operator_of_target(target)) == OperatorRank::Compute &&
        !placeholders_of(node, true).empty();
    if (has_weights) nodes.push_back(node);
  }
  if (nodes.size() != rows.size()) return found;
  for (size_t c = 0; c < constants.size(); ++c) {
    const auto row = std::lower_bound(rows.begin(), rows.end(), constants[c].op_row);
    if (found[c].node.valid() || row == rows.end() || *row != constants[c].op_row) continue;
    found[c] = {nodes[static_cast<size_t>(row - rows.begin())], Confidence::Aligned};
  }
  return found;
}

// The tensors that a kernel reads and that are there before anything runs, inputs aside.
std::vector<uint32_t> ConstantNames::parameters_of(uint32_t instruction) const {
  std::vector<uint32_t> tensors;
  for (const uint32_t value : program_.arguments_of(program_.instructions[instruction]))
    program_.append_tensors_of(value, tensors);
  std::erase_if(tensors, [&](uint32_t t) {
    const ProgramTensor& tensor = program_.tensors[t];
    return !tensor.is_constant() && tensor.value >= first_input_;
  });
  return tensors;
}

// Parameters and buffers among the node's inputs, in their order; also those that something before
// it only gave another form.
std::vector<std::string_view> ConstantNames::placeholders_of(NodeId node, bool is_in_call) const {
  const Node& row = code_.record->nodes[node.value];
  std::vector<std::string_view> names;
  for (const StringId input : code_.record->inputs_of(row)) {
    const std::string_view name = placeholder_behind(row.graph, input, is_in_call);
    if (!parameter_name(name).empty()) names.push_back(name);
  }
  return names;
}

std::string_view ConstantNames::placeholder_behind(GraphId graph, StringId value,
                                                   bool is_in_call) const {
  for (int step = 0; step < kMaxSteps; ++step) {
    const auto maker = makers_.find(key_of(graph, value));
    if (maker == makers_.end()) return code_.record->text(value);
    // A kernel reads what was made for it; a backend takes weights through what it takes over.
    if (!is_in_call) return {};
    const std::span<const StringId> inputs =
        code_.record->inputs_of(code_.record->nodes[maker->second.value]);
    if (inputs.empty()) return {};
    for (const StringId further : inputs.subspan(1)) {
      const bool is_parameter = !makers_.contains(key_of(graph, further)) &&
                                !parameter_name(code_.record->text(further)).empty();
      if (!is_parameter) return {};
    }
    value = inputs.front();
  }
  return {};
}

std::span<const NodeId> ConstantNames::nodes_of_call(uint32_t instruction) const {
  const PartitionId partition =
      code_.find_partition(Instruction(static_cast<int32_t>(instruction)));
  if (!partition.valid()) return {};
  return code_.partitions[partition.value].nodes;
}

NodeId ConstantNames::node_in_call(uint32_t instruction, DebugHandle handle) const {
  if (handle == kNoHandle) return {};
  NodeId best;
  OperatorRank best_rank = OperatorRank::Quantize;
  for (const NodeId node : nodes_of_call(instruction)) {
    go_on();
    const Node& row = code_.record->nodes[node.value];
    if (row.debug_handle != handle) continue;
    const OperatorRank rank =
        rank_of_operator(base_operator_of_target(code_.record->text(row.target)));
    if (best.valid() && rank >= best_rank) continue;
    best = node;
    best_rank = rank;
  }
  return best;
}

void ConstantNames::name(std::string_view placeholder, ConstantOwner& owner) const {
  const std::string_view name = parameter_name(placeholder);
  owner.name = name;
  std::string_view best;
  const Place* place = code_.place_of(owner.landing.node);
  if (place == nullptr) return;
  for (const ModuleId module : place->owners) {
    const std::string& path = code_.modules[module.value].path;
    const std::string_view rest = name_in_module(name, path);
    if (rest.empty() || path.size() < best.size()) continue;
    best = path;
    owner.name = path + "." + std::string(rest);
    owner.module = module;
  }
}

}  // namespace etlens
