// SPDX-License-Identifier: Apache-2.0
#include "core/base/budget.h"
#include "core/program_graph/program_graph.h"
#include "core/program_graph/record_nodes.h"

namespace etlens {
namespace {

GraphNodeKind kind_of(GraphInputKind kind) {
  switch (kind) {
    case GraphInputKind::Parameter:
    case GraphInputKind::Constant:
      return GraphNodeKind::Constant;
    case GraphInputKind::Buffer:
      return GraphNodeKind::State;
    default:
      return GraphNodeKind::Input;
  }
}

RecordNodes::Names add_inputs(ProgramGraph& graph, RecordNodes& nodes, GraphId edge) {
  const EtRecord& record = *graph.code->record;
  RecordNodes::Names names;
  for (const GraphInput& input : record.graphs[edge.value].inputs) {
    go_on();
    const auto row = static_cast<uint32_t>(graph.nodes.size());
    GraphNode& node = graph.nodes.emplace_back();
    node.kind = kind_of(input.kind);
    const std::string_view target = record.text(input.target);
    node.name = target.empty() ? record.text(input.name) : target;
    const uint32_t value = nodes.add_value(edge, input.name);
    graph.nodes[row].makes = {value};
    names.insert_or_assign(record.text(input.name), MadeValue{{row}, value});
  }
  return names;
}

void add_outputs(ProgramGraph& graph, const RecordNodes::Names& names, GraphId edge) {
  const EtRecord& record = *graph.code->record;
  for (const StringId output : record.graphs[edge.value].outputs) {
    go_on();
    const auto made = names.find(record.text(output));
    if (made == names.end()) continue;
    const auto row = static_cast<uint32_t>(graph.nodes.size());
    GraphNode& node = graph.nodes.emplace_back();
    node.kind = GraphNodeKind::Output;
    node.name = record.text(output);
    node.reads = {{made->second.value, 0}};
    for (const uint32_t maker : made->second.makers)
      graph.edges.push_back({maker, row, node.reads.front()});
  }
}

}  // namespace

ProgramGraph graph_of_record(std::shared_ptr<const Code> code) {
  ProgramGraph graph;
  graph.code = std::move(code);
  graph.method = graph.code->method_name();
  const GraphId edge = graph.code->method->edge;
  if (!edge.valid()) return graph;
  RecordNodes nodes(graph);
  RecordNodes::Names names = add_inputs(graph, nodes, edge);
  names = nodes.add(graph.code->record->graphs[edge.value].nodes, kNone, std::move(names));
  add_outputs(graph, names, edge);
  uint32_t calls = 0;
  for (GraphNode& node : graph.nodes)
    if (node.kind == GraphNodeKind::DelegateCall && node.group == kNone) node.number = ++calls;
  find_repeats(graph);
  return graph;
}

}  // namespace etlens
