// SPDX-License-Identifier: Apache-2.0
#include "core/view/graph_view.h"

#include "core/view/report_view.h"

namespace etlens {
namespace {

Nullable<uint32_t> number_or_null(uint32_t number) {
  if (number == kNone) return std::nullopt;
  return number;
}

GraphNodeView graph_node_view(const ProgramGraph& graph, uint32_t id) {
  const GraphNode& node = graph.nodes[id];
  GraphNodeView view;
  view.id = id;
  view.kind = name_of(node.kind);
  view.op = text_or_null(node.op);
  view.name = text_or_null(node.name);
  view.group = number_or_null(node.group);
  view.instruction_id = number_or_null(node.instruction);
  view.target = number_or_null(node.target);
  if (node.number > 0) view.call = node.number;
  for (const uint32_t value : node.makes) {
    const GraphValue& row = graph.values[value];
    view.makes.push_back(
        {value, text_or_null(row.name), text_or_null(row.shape), text_or_null(row.dtype)});
  }
  for (const GraphArgument& read : node.reads) {
    const GraphValue& row = graph.values[read.value];
    if (!row.literal.empty())
      view.literals.push_back({read.argument, number_or_null(read.element), row.literal});
  }
  if (node.module.valid())
    view.module = std::string_view(graph.code->modules[node.module.value].path);
  if (node.line.valid()) {
    const CodeLine& line = graph.code->lines[node.line.value];
    view.line = line.number;
    view.recorded_path = graph.code->recorded_path(line.file);
  }
  return view;
}

GraphEdgeView graph_edge_view(const ProgramGraph& graph, const GraphEdge& edge) {
  const GraphValue& row = graph.values[edge.at.value];
  return {edge.from,
          edge.to,
          edge.at.value,
          edge.at.argument,
          number_or_null(edge.at.element),
          text_or_null(row.shape),
          text_or_null(row.dtype)};
}

}  // namespace

GraphView graph_view(const LoadedGraph& loaded) {
  const ProgramGraph& graph = loaded.graph;
  GraphView view;
  view.method = graph.method;
  view.pte = text_or_null(loaded.pte);
  view.etrecord = text_or_null(loaded.etrecord);
  view.nodes = Rows<GraphNodeView>([&graph](const auto& take) {
    for (uint32_t id = 0; id < graph.nodes.size(); ++id) take(graph_node_view(graph, id));
  });
  view.edges = Rows<GraphEdgeView>([&graph](const auto& take) {
    for (const GraphEdge& edge : graph.edges) take(graph_edge_view(graph, edge));
  });
  for (const GraphRepeat& repeat : graph.repeats)
    view.repeats.push_back({repeat.count, repeat.times, repeat.nodes});
  return view;
}

}  // namespace etlens
