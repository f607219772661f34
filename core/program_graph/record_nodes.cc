// SPDX-License-Identifier: Apache-2.0
#include "core/program_graph/record_nodes.h"

#include "core/base/budget.h"
#include "core/join/program_code.h"

namespace etlens {
namespace {

// Control flow inside of control flow; deeper ones stay closed.
constexpr uint32_t kDeepest = 8;

// What the model holds, as exporters name its placeholders.
bool is_parameter(std::string_view name) {
  for (const std::string_view prefix :
       {"p_", "b_", "c_", "_lifted_tensor", "_tensor_constant", "_param_constant"})
    if (name.starts_with(prefix)) return true;
  return false;
}

uint64_t key_of(GraphId graph, StringId name) { return uint64_t{graph.value} << 32 | name.value; }

}  // namespace

void place_node(const Code& code, NodeId id, GraphNode& node) {
  if (code.record == nullptr || !id.valid()) return;
  node.name = code.record->text(code.record->nodes[id.value].name);
  const Landing landing = land_kernel(code, {.node = id});
  node.line = landing.line;
  if (code.place_of(id) != nullptr) node.module = landing.module;
}

void set_type(std::string_view text, GraphValue& value) {
  const size_t end = text.find(']');
  if (end == std::string_view::npos) return;
  value.shape = text.substr(0, end + 1);
  if (text.size() > end + 2) value.dtype = text.substr(end + 2);
}

RecordNodes::RecordNodes(ProgramGraph& graph) : graph_(graph), record_(*graph.code->record) {
  for (size_t g = 0; g < record_.graphs.size(); ++g) {
    go_on();
    const Graph& row = record_.graphs[g];
    for (const TensorShape& tensor : row.tensors) {
      go_on();
      shapes_.try_emplace(key_of(GraphId(g), tensor.name), record_.text(tensor.shape));
    }
    const bool is_inside = row.kind == GraphKind::Branch || row.kind == GraphKind::Lowered;
    if (is_inside && row.parent_node.valid()) inside_[row.parent_node.value].push_back(GraphId(g));
  }
}

RecordNodes::Names RecordNodes::add(std::span<const NodeId> nodes, uint32_t group, Names outside) {
  for (const NodeId node : nodes) add_node(node, group, outside);
  return outside;
}

uint32_t RecordNodes::add_value(GraphId graph, StringId name) {
  GraphValue value;
  value.name = record_.text(name);
  if (const auto shape = shapes_.find(key_of(graph, name)); shape != shapes_.end())
    set_type(shape->second, value);
  graph_.values.push_back(std::move(value));
  return static_cast<uint32_t>(graph_.values.size() - 1);
}

void RecordNodes::add_node(NodeId id, uint32_t group, Names& names) {
  go_on();
  const Node& node = record_.nodes[id.value];
  const auto inside = inside_.find(id.value);
  const auto row = static_cast<uint32_t>(graph_.nodes.size());
  {
    GraphNode& made = graph_.nodes.emplace_back();
    made.kind = node.lowered.valid()      ? GraphNodeKind::DelegateCall
                : inside != inside_.end() ? GraphNodeKind::ControlFlow
                : group == kNone          ? GraphNodeKind::Kernel
                                          : GraphNodeKind::Operator;
    made.group = group;
    made.op = record_.text(node.lowered.valid() ? record_.lowered[node.lowered.value].backend
                                                : node.target);
    place_node(*graph_.code, id, made);
  }
  read(row, node, group, names);
  Names made;
  for (const StringId output : record_.outputs_of(node)) {
    const uint32_t value = add_value(node.graph, output);
    GraphValue& added = graph_.values[value];
    if (added.shape.empty() && graph_.nodes[row].makes.empty() && node.shape.valid())
      set_type(record_.text(node.shape), added);
    graph_.nodes[row].makes.push_back(value);
    made[record_.text(output)] = {{row}, value};
  }
  if (inside != inside_.end() && depth_of(group) < kDeepest) {
    for (const GraphId graph : inside->second) {
      Names given;  // what the graph's placeholders are called after
      for (const StringId input : record_.inputs_of(node)) {
        go_on();
        given.emplace(record_.text(input), names.at(record_.text(input)));
      }
      add(record_.graphs[graph.value].nodes, row, std::move(given));
    }
  }
  for (auto& [name, value] : made) names.insert_or_assign(name, std::move(value));
}

uint32_t RecordNodes::depth_of(uint32_t group) const {
  uint32_t depth = 0;
  for (; group != kNone; group = graph_.nodes[group].group) ++depth;
  return depth;
}

void RecordNodes::read(uint32_t row, const Node& node, uint32_t group, Names& names) {
  uint32_t argument = 0;
  for (const StringId input : record_.inputs_of(node)) {
    go_on();
    const std::string_view name = record_.text(input);
    auto made = names.find(name);
    if (made == names.end() && !is_parameter(name)) {
      // Made elsewhere: where, nothing tells.
      made = names.emplace(name, MadeValue{{}, add_value(node.graph, input)}).first;
    } else if (made == names.end()) {
      const uint32_t value = add_value(node.graph, input);
      GraphNode constant;
      constant.kind = GraphNodeKind::Constant;
      constant.group = group;
      constant.name = name;
      constant.makes = {value};
      made =
          names.emplace(name, MadeValue{{static_cast<uint32_t>(graph_.nodes.size())}, value}).first;
      graph_.nodes.push_back(std::move(constant));
    }
    const GraphArgument at{made->second.value, argument++};
    graph_.nodes[row].reads.push_back(at);
    for (const uint32_t maker : made->second.makers) graph_.edges.push_back({maker, row, at});
  }
}

}  // namespace etlens
