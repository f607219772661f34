// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/rule_graph.h"

#include <algorithm>

#include "core/base/budget.h"
#include "core/base/text.h"

namespace etlens {
namespace {

bool is_name_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

int64_t size_of(std::string_view text) {
  text = trim(text);
  if (const auto number = parse_int(text)) return *number;
  // An expression over symbols depends on data if one of them does: u0, never Mul or Union.
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    const bool is_start = i == 0 || !is_name_part(text[i - 1]);
    if (is_start && text[i] == 'u' && text[i + 1] >= '0' && text[i + 1] <= '9') return kDataSize;
  }
  return kSymbolicSize;
}

// "[1, s0, Max(2, s1)] float32".
TensorType type_in(std::string_view text) {
  TensorType type;
  const size_t end = text.rfind(']');
  if (end == std::string_view::npos || text.empty()) return type;
  type.dtype = trim(text.substr(end + 1));
  const std::string_view sizes = text.substr(1, end - 1);
  if (trim(sizes).empty()) return type;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= sizes.size(); ++i) {
    if (i < sizes.size() && sizes[i] == '(') ++depth;
    if (i < sizes.size() && sizes[i] == ')') --depth;
    if (i < sizes.size() && (sizes[i] != ',' || depth > 0)) continue;
    type.sizes.push_back(size_of(sizes.substr(begin, i - begin)));
    begin = i + 1;
  }
  return type;
}

}  // namespace

bool TensorType::is_dynamic() const {
  return std::ranges::any_of(sizes, [](int64_t size) { return size < 0; });
}

RuleGraph::RuleGraph(const EtRecord& record, GraphId graph, const NodeArguments& arguments)
    : record_(&record), arguments_(&arguments) {
  if (!graph.valid()) return;
  const Graph& row = record.graphs[graph.value];
  for (const TensorShape& tensor : row.tensors) {
    go_on();
    types_.emplace(tensor.name, type_in(record.text(tensor.shape)));
  }
  for (const GraphInput& input : row.inputs) inputs_.emplace(input.name, input.kind);
  for (const NodeId id : row.nodes) {
    go_on();
    const Node& node = record.nodes[id.value];
    for (const StringId output : record.outputs_of(node)) makers_.try_emplace(output, id);
    for (const StringId input : record.inputs_of(node)) {
      std::vector<NodeId>& readers = readers_[input];
      if (readers.empty() || readers.back() != id) readers.push_back(id);
    }
  }
  for (const StringId output : row.outputs) returned_.emplace(output, true);
}

const TensorType* RuleGraph::type_of(StringId value) const {
  const auto at = types_.find(value);
  return at == types_.end() ? nullptr : &at->second;
}

bool RuleGraph::is_constant(StringId value) const {
  const auto at = inputs_.find(value);
  return at != inputs_.end() &&
         (at->second == GraphInputKind::Parameter || at->second == GraphInputKind::Buffer ||
          at->second == GraphInputKind::Constant);
}

NodeId RuleGraph::maker_of(StringId value) const {
  const auto at = makers_.find(value);
  return at == makers_.end() ? NodeId() : at->second;
}

std::span<const NodeId> RuleGraph::readers_of(StringId value) const {
  const auto at = readers_.find(value);
  return at == readers_.end() ? std::span<const NodeId>() : std::span(at->second);
}

bool RuleGraph::is_returned(StringId value) const { return returned_.contains(value); }

RuleNode::RuleNode(const RuleGraph& graph, NodeId id)
    : graph_(&graph), id_(id), row_(&graph.record().nodes[id.value]) {
  const std::span<const StringId> made = outputs();
  arguments_ = graph.arguments().find(graph.record().text(made.empty() ? row_->name : made[0]));
}

std::string_view RuleNode::op() const { return without_namespace(target()); }

const TensorType* RuleNode::input_type(size_t i) const {
  return i < inputs().size() ? graph_->type_of(inputs()[i]) : nullptr;
}

const TensorType* RuleNode::output_type(size_t i) const {
  return i < outputs().size() ? graph_->type_of(outputs()[i]) : nullptr;
}

const NodeArgument* RuleNode::argument(std::string_view name) const {
  for (const NodeArgument& argument : arguments())
    if (argument.name == name) return &argument;
  return nullptr;
}

bool RuleNode::flag(std::string_view name, bool by_default) const {
  const NodeArgument* found = argument(name);
  return found == nullptr || found->kind != ArgumentKind::Bool ? by_default
                                                               : found->numbers.front() != 0;
}

std::optional<int64_t> RuleNode::integer(std::string_view name) const {
  const NodeArgument* found = argument(name);
  if (found == nullptr || found->kind != ArgumentKind::Int || found->integers.empty())
    return std::nullopt;
  return found->integers.front();
}

std::vector<int64_t> RuleNode::integers(std::string_view name) const {
  const NodeArgument* found = argument(name);
  return found == nullptr ? std::vector<int64_t>() : found->integers;
}

std::string_view without_namespace(std::string_view target) {
  const size_t dot = target.find('.');
  // A name without an overload has no namespace that could be told from it.
  if (dot == std::string_view::npos || target.find('.', dot + 1) == std::string_view::npos)
    return target;
  return target.substr(dot + 1);
}

bool is_quantize_node(std::string_view op) {
  return op.starts_with("quantize_") || op.starts_with("dequantize_") ||
         op.starts_with("choose_qparams");
}

bool is_dequantize_node(std::string_view op) { return op.starts_with("dequantize_"); }

}  // namespace etlens
