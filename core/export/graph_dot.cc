// SPDX-License-Identifier: Apache-2.0
#include "core/export/graph_dot.h"

#include <fmt/format.h>

#include <array>
#include <unordered_map>
#include <vector>

#include "core/export/dot.h"

namespace etlens {
namespace {

std::string_view fill_of(GraphNodeKind kind) {
  switch (kind) {
    case GraphNodeKind::Input:
    case GraphNodeKind::Output:
      return "#d9e6f5";
    case GraphNodeKind::Constant:
    case GraphNodeKind::State:
      return "#eeeeee";
    case GraphNodeKind::Operator:
      return "#dff0dc";
    case GraphNodeKind::DelegateCall:
      return "#c9e5c4";
    case GraphNodeKind::Kernel:
      return "#fbe3b6";
    default:
      return "#f2efe9";
  }
}

class DotWriter {
 public:
  DotWriter(const ProgramGraph& graph, GraphFolding folding, Sink& sink)
      : graph_(graph), sink_(sink), inside_(graph.nodes.size() + 1), is_open_(graph.nodes.size()) {
    folded_ = folding == GraphFolding::Repeats ? folded_nodes(graph)
                                               : std::vector<bool>(graph.nodes.size());
    // Constants that only what is folded away reads.
    std::vector<bool> is_read(graph.nodes.size());
    for (const GraphEdge& edge : graph.edges)
      if (!folded_[edge.to]) is_read[edge.from] = true;
    for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
      const GraphNode& node = graph.nodes[n];
      if (node.kind == GraphNodeKind::Constant && !is_read[n]) folded_[n] = true;
      if (folded_[n]) continue;
      inside_[node.group == kNone ? graph.nodes.size() : node.group].push_back(n);
      if (node.group != kNone) is_open_[node.group] = true;
    }
  }

  void run() {
    sink_ << "digraph {\n  compound=true\n  node [shape=box, style=filled, "
             "fontname=\"sans-serif\", fontsize=11]\n"
             "  edge [fontname=\"sans-serif\", fontsize=9, color=\"#555555\"]\n";
    write_nodes(graph_.nodes.size());
    for (const GraphEdge& edge : graph_.edges) write_edge(edge);
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n) write_jump(n);
    for (const GraphRepeat& repeat : graph_.repeats) write_repeat(repeat);
    sink_ << "}\n";
  }

 private:
  // Groups are a few levels deep (RecordNodes).
  void write_nodes(size_t group) {
    for (const uint32_t n : inside_[group]) {
      const GraphNode& node = graph_.nodes[n];
      if (is_open_[n]) {
        sink_ << fmt::format(
            "  subgraph cluster_{} {{\n  label=\"{}\"\n  style=filled\n  "
            "fillcolor=\"#f3f9f1\"\n  n{} [label=\"called\", shape=ellipse]\n",
            n, label_of(node), n);
        write_nodes(n);
        sink_ << "  }\n";
        continue;
      }
      sink_ << fmt::format("  n{} [label=\"{}\", fillcolor=\"{}\"]\n", n, label_of(node),
                           fill_of(node.kind));
    }
  }

  std::string label_of(const GraphNode& node) const {
    std::string label;
    if (node.instruction != kNone) label = fmt::format("{}: ", node.instruction);
    label += escaped_for_dot(graph_node_title(node));
    for (const uint32_t value : node.makes)
      label += "\\n" + escaped_for_dot(graph_value_text(graph_, value, true));
    const std::string line = graph_line_text(graph_, node);
    return line.empty() ? label : label + "\\n" + escaped_for_dot(line);
  }

  void write_edge(const GraphEdge& edge) {
    if (folded_[edge.from] || folded_[edge.to]) return;
    sink_ << fmt::format("  n{} -> n{} [label=\"{}\"]\n", edge.from, edge.to,
                         escaped_for_dot(graph_.values[edge.at.value].shape));
  }

  void write_jump(uint32_t n) {
    const GraphNode& node = graph_.nodes[n];
    if (node.kind != GraphNodeKind::Jump || folded_[n]) return;
    if (by_instruction_.empty())
      for (uint32_t at = 0; at < graph_.nodes.size(); ++at)
        if (graph_.nodes[at].instruction != kNone)
          by_instruction_[graph_.nodes[at].instruction] = at;
    const auto target = by_instruction_.find(node.target);
    if (target == by_instruction_.end() || folded_[target->second]) return;
    sink_ << fmt::format("  n{} -> n{} [style=dashed, label=\"if false\"]\n", n, target->second);
  }

  void write_repeat(const GraphRepeat& repeat) {
    const uint32_t last = repeat.nodes[repeat.count - 1];
    if (folded_[last] || !folded_[repeat.nodes[repeat.count]]) return;
    sink_ << fmt::format(
        "  r{} [label=\"the same {} nodes {} more times\", shape=note, fillcolor=\"#ffffff\"]\n"
        "  n{} -> r{} [style=dotted]\n",
        last, repeat.count, repeat.times - 1, last, last);
  }

  const ProgramGraph& graph_;
  Sink& sink_;
  std::vector<std::vector<uint32_t>> inside_;  // by group; the last is of those of none
  std::vector<bool> is_open_;                  // groups that contain something
  std::vector<bool> folded_;
  std::unordered_map<uint32_t, uint32_t> by_instruction_;
};

}  // namespace

void write_graph_dot(const ProgramGraph& graph, GraphFolding folding, Sink& sink) {
  DotWriter(graph, folding, sink).run();
}

}  // namespace etlens
