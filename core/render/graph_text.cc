// SPDX-License-Identifier: Apache-2.0
#include "core/render/graph_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/base/path.h"
#include "core/base/text.h"

namespace etlens {
namespace {

bool runs(GraphNodeKind kind) {
  using enum GraphNodeKind;
  return kind != Input && kind != Constant && kind != State && kind != Output;
}

// Who makes a value that nothing computes, by value.
using Sources = std::unordered_map<uint32_t, const GraphNode*>;

class Listing {
 public:
  Listing(const ProgramGraph& graph, GraphFolding folding) : graph_(graph) {
    if (folding == GraphFolding::Repeats) folded_ = folded_nodes(graph);
    else folded_.resize(graph.nodes.size());
    for (const GraphNode& node : graph.nodes) {
      const bool is_source =
          node.kind == GraphNodeKind::Constant || node.kind == GraphNodeKind::State;
      if (is_source)
        for (const uint32_t value : node.makes) sources_.try_emplace(value, &node);
    }
    for (const GraphRepeat& repeat : graph.repeats)
      repeat_of_[repeat.nodes[repeat.count]] = &repeat;
  }

  std::string write() {
    text_ = graph_headline(graph_) + "\n";
    write_ends(GraphNodeKind::Input, "inputs");
    std::string module;
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n) {
      const GraphNode& node = graph_.nodes[n];
      if (!runs(node.kind)) continue;
      if (folded_[n]) {
        if (const auto repeat = repeat_of_.find(n);
            repeat != repeat_of_.end() && !is_inside_fold(n))
          write_repeat(*repeat->second);
        continue;
      }
      write_module(node, module);
      write_node(node);
    }
    write_ends(GraphNodeKind::Output, "outputs");
    return std::move(text_);
  }

 private:
  size_t depth_of(const GraphNode& node) const {
    size_t depth = 0;
    for (uint32_t at = node.group; at != kNone; at = graph_.nodes[at].group) ++depth;
    return depth;
  }
  std::string margin(const GraphNode& node) const { return std::string(7 * depth_of(node), ' '); }

  // Of a group that is folded itself.
  bool is_inside_fold(uint32_t n) const {
    const uint32_t group = graph_.nodes[n].group;
    return group != kNone && folded_[group];
  }

  void write_ends(GraphNodeKind kind, std::string_view title) {
    std::vector<std::string> names;
    for (const GraphNode& node : graph_.nodes) {
      if (node.kind != kind) continue;
      for (const uint32_t value : node.makes)
        names.push_back(graph_value_text(graph_, value, true));
      for (const GraphArgument& read : node.reads)
        names.push_back(graph_value_text(graph_, read.value, true));
    }
    text_ += fmt::format("{} {}\n", title, names.empty() ? "none" : join(names, ", "));
  }

  // Modules of what is inside a delegate call stand at the end of its lines.
  void write_module(const GraphNode& node, std::string& module) {
    if (node.group != kNone || !node.module.valid()) return;
    const std::string& path = graph_.code->modules[node.module.value].path;
    if (path == module) return;
    module = path;
    text_ += fmt::format("{}:\n", path.empty() ? "the root module" : path);
  }

  void write_node(const GraphNode& node) {
    std::string line = margin(node);
    line +=
        node.instruction == kNone ? std::string(7, ' ') : fmt::format("{:>5}  ", node.instruction);
    if (node.kind == GraphNodeKind::Jump) {
      line += fmt::format("jump to {} if {} is false", node.target, arguments(node));
    } else {
      line += fmt::format("{}({})", graph_node_title(node), arguments(node));
    }
    std::vector<std::string> made;
    for (const uint32_t value : node.makes) made.push_back(graph_value_text(graph_, value, true));
    if (!made.empty()) line += " → " + join(made, ", ");
    std::string where = graph_line_text(graph_, node);
    if (node.group != kNone && node.module.valid()) {
      const std::string& path = graph_.code->modules[node.module.value].path;
      if (!path.empty()) where += (where.empty() ? "" : " ") + path;
    }
    text_ += line + (where.empty() ? "" : "  # " + where) + "\n";
  }

  std::string arguments(const GraphNode& node) const {
    std::string text;
    for (size_t r = 0; r < node.reads.size(); ++r) {
      const GraphArgument& read = node.reads[r];
      const bool is_element = read.element != kNone;
      const bool begins = is_element && (r == 0 || node.reads[r - 1].argument != read.argument);
      const bool ends =
          is_element && (r + 1 == node.reads.size() || node.reads[r + 1].argument != read.argument);
      text += r > 0 ? ", " : "";
      text += (begins ? "[" : "") + argument(read.value) + (ends ? "]" : "");
    }
    return text;
  }

  std::string argument(uint32_t value) const {
    const GraphValue& row = graph_.values[value];
    if (!row.literal.empty()) return row.literal;
    const auto source = sources_.find(value);
    if (source == sources_.end()) return graph_value_text(graph_, value, false);
    const GraphNode& node = *source->second;
    const std::string name = node.name.empty() ? graph_value_text(graph_, value, false) : node.name;
    return fmt::format("{} {}{}{}{}", node.kind == GraphNodeKind::State ? "state" : "constant",
                       name, row.shape.empty() ? "" : " ", row.shape,
                       row.dtype.empty() ? "" : " " + row.dtype);
  }

  void write_repeat(const GraphRepeat& repeat) {
    const GraphNode& first = graph_.nodes[repeat.nodes[repeat.count]];
    const GraphNode& last = graph_.nodes[repeat.nodes.back()];
    std::string where;
    if (first.instruction != kNone)
      where = fmt::format(", instructions {} to {}", first.instruction, last.instruction);
    text_ += fmt::format("{}       the same {} nodes {} more times{}{}\n", margin(first),
                         repeat.count, repeat.times - 1, where, modules_of(repeat));
  }

  // ", layers.1 to layers.31", where each run begins in another module.
  std::string modules_of(const GraphRepeat& repeat) const {
    const ModuleId first = graph_.nodes[repeat.nodes[repeat.count]].module;
    const ModuleId last = graph_.nodes[repeat.nodes[repeat.nodes.size() - repeat.count]].module;
    if (!first.valid() || !last.valid() || first == last) return "";
    return fmt::format(", {} to {}", graph_.code->modules[first.value].path,
                       graph_.code->modules[last.value].path);
  }

  const ProgramGraph& graph_;
  std::vector<bool> folded_;
  Sources sources_;
  std::unordered_map<uint32_t, const GraphRepeat*> repeat_of_;  // by the first node that is folded
  std::string text_;
};

}  // namespace

std::vector<bool> folded_nodes(const ProgramGraph& graph) {
  std::vector<bool> folded(graph.nodes.size());
  for (const GraphRepeat& repeat : graph.repeats)
    for (size_t n = repeat.count; n < repeat.nodes.size(); ++n) folded[repeat.nodes[n]] = true;
  // What is inside a group stands behind it.
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const uint32_t group = graph.nodes[n].group;
    if (group != kNone && folded[group]) folded[n] = true;
  }
  return folded;
}

std::string graph_headline(const ProgramGraph& graph) {
  size_t outer = 0;
  size_t inner = 0;
  size_t calls = 0;
  bool is_program = false;
  for (const GraphNode& node : graph.nodes) {
    if (!runs(node.kind)) continue;
    ++(node.group == kNone ? outer : inner);
    calls += node.kind == GraphNodeKind::DelegateCall ? 1 : 0;
    is_program = is_program || node.instruction != kNone;
  }
  std::string text =
      fmt::format("{}: {}", graph.method, counted(outer, is_program ? "instruction" : "node"));
  if (calls > 0) {
    text += fmt::format(", {}", counted(calls, "delegate call"));
    if (inner > 0) text += fmt::format(" with {}", counted(inner, "operator"));
  }
  return text + fmt::format(", {}", counted(graph.edges.size(), "edge"));
}

std::string graph_text(const ProgramGraph& graph, GraphFolding folding) {
  return Listing(graph, folding).write();
}

std::string graph_node_title(const GraphNode& node) {
  switch (node.kind) {
    case GraphNodeKind::DelegateCall:
      return fmt::format("{} #{}", built_in_backends().label(node.op), node.number);
    case GraphNodeKind::Jump:
      return fmt::format("jump to {}", node.target);
    case GraphNodeKind::Move:
    case GraphNodeKind::Free:
      return std::string(name_of(node.kind));
    default:
      break;
  }
  if (!node.op.empty()) return node.op;
  return node.name.empty() ? std::string(name_of(node.kind)) : node.name;
}

std::string graph_value_text(const ProgramGraph& graph, uint32_t value, bool with_type) {
  const GraphValue& row = graph.values[value];
  std::string text = "%";
  if (row.number == kNone) text += row.name;
  else text += fmt::format("{}{}", row.is_inside ? "." : "", row.number);
  if (with_type && !row.shape.empty())
    text += fmt::format(" {}{} {}", row.is_bound ? "<=" : "", row.shape, row.dtype);
  return text;
}

std::string graph_line_text(const ProgramGraph& graph, const GraphNode& node) {
  if (!node.line.valid()) return "";
  const CodeLine& line = graph.code->lines[node.line.value];
  return fmt::format("{}:{}", base_name(graph.code->recorded_path(line.file)), line.number);
}

}  // namespace etlens
