// SPDX-License-Identifier: Apache-2.0
#include "core/measure/values/value_graph.h"

#include <algorithm>

#include "core/base/budget.h"

namespace etlens {
namespace {

// Calls nest in calls; no record nests deeper.
constexpr int kMaxDepth = 8;

void add_once(std::vector<NodeOutput>& list, const NodeOutput& value) {
  go_on(1 + list.size() / 16);
  if (value.node.valid() && std::find(list.begin(), list.end(), value) == list.end())
    list.push_back(value);
}

}  // namespace

ValueGraph::ValueGraph(const Code& code) : code_(code) {
  if (!code.record || !code.method) return;
  const EtRecord& record = *code.record;
  nodes_.emplace(record, *code.method);
  for (const NodeId id : nodes_->all()) {
    const Node& node = record.nodes[id.value];
    uint32_t output = 0;
    for (const StringId name : record.outputs_of(node))
      makers_.try_emplace({node.graph, name}, NodeOutput{id, output++});
    for (const StringId name : record.inputs_of(node)) readers_.emplace(Key{node.graph, name}, id);
  }
}

// The name's maker, seen through calls: what a call returns is made inside, what a call's module
// reads from outside has the name that it has there.
NodeOutput ValueGraph::maker_of(GraphId graph, StringId name) const {
  const EtRecord& record = *code_.record;
  for (int depth = 0; depth < kMaxDepth && graph.valid(); ++depth) {
    const auto at = makers_.find({graph, name});
    if (at == makers_.end()) {
      graph = record.graphs[graph.value].parent;
      continue;
    }
    const Node& node = record.nodes[at->second.node.value];
    if (!node.lowered.valid()) return at->second;
    const GraphId inner = record.lowered[node.lowered.value].graph;
    if (!inner.valid()) return at->second;
    const std::vector<StringId>& outputs = record.graphs[inner.value].outputs;
    if (at->second.output >= outputs.size()) return at->second;
    graph = inner;
    name = outputs[at->second.output];
  }
  return {};
}

std::vector<NodeOutput> ValueGraph::sources(NodeId id) const {
  std::vector<NodeOutput> found;
  const Node& node = code_.record->nodes[id.value];
  for (const StringId name : code_.record->inputs_of(node))
    add_once(found, maker_of(node.graph, name));
  return found;
}

std::vector<NodeOutput> ValueGraph::results_of_graph(GraphId graph) const {
  std::vector<NodeOutput> results;
  for (const StringId name : code_.record->graphs[graph.value].outputs)
    results.push_back(maker_of(graph, name));
  return results;
}

std::vector<NodeOutput> ValueGraph::results() const {
  if (!nodes_ || !code_.method->edge.valid()) return {};
  return results_of_graph(code_.method->edge);
}

bool ValueGraph::is_read_outside(const Partition& partition, GraphId graph, StringId name) const {
  const std::vector<StringId>& outputs = code_.record->graphs[graph.value].outputs;
  go_on(1 + outputs.size() / 16);
  if (std::find(outputs.begin(), outputs.end(), name) != outputs.end()) return true;
  const auto [first, last] = readers_.equal_range({graph, name});
  return std::any_of(first, last, [&](const auto& reader) {
    go_on();
    return !std::binary_search(partition.nodes.begin(), partition.nodes.end(), reader.second);
  });
}

std::vector<NodeOutput> ValueGraph::results_of(const Partition& partition) const {
  if (!nodes_ || partition.nodes.empty()) return {};
  const EtRecord& record = *code_.record;
  const GraphId graph = record.nodes[partition.nodes.front().value].graph;
  if (record.graphs[graph.value].kind == GraphKind::Lowered) return results_of_graph(graph);
  std::vector<NodeOutput> results;
  for (const NodeId id : partition.nodes) {
    const Node& node = record.nodes[id.value];
    uint32_t output = 0;
    for (const StringId name : record.outputs_of(node)) {
      if (is_read_outside(partition, node.graph, name)) results.push_back({id, output});
      ++output;
    }
  }
  return results;
}

std::span<const NodeId> ValueGraph::nodes_of(DebugHandle handle) const {
  return nodes_ ? nodes_->nodes_of(handle) : std::span<const NodeId>();
}

const std::vector<NodeId>& ValueGraph::all() const {
  static const std::vector<NodeId> none;
  return nodes_ ? nodes_->all() : none;
}

bool ValueGraph::ends_handle(NodeId id) const {
  const EtRecord& record = *code_.record;
  const Node& node = record.nodes[id.value];
  if (!record.is_set(node.debug_handle)) return false;
  const std::span<const NodeId> nodes = nodes_of(node.debug_handle);
  if (nodes.empty() || nodes.back() == id) return !nodes.empty();
  const Node& last = record.nodes[nodes.back().value];
  return last.target == node.target &&
         std::ranges::equal(record.inputs_of(last), record.inputs_of(node));
}

}  // namespace etlens
