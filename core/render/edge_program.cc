// SPDX-License-Identifier: Apache-2.0
#include "core/render/edge_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/facts/export_facts.h"
#include "core/facts/headline.h"
#include "core/facts/reasons.h"
#include "core/render/display_width.h"
#include "core/render/format.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

constexpr size_t kRemarkColumn = 72;
constexpr size_t kMaxInputs = 8;
constexpr int kMaxDepth = 8;  // of graphs in graphs

class EdgeProgramWriter {
 public:
  EdgeProgramWriter(const Facts& facts, std::optional<TimeScale> unit)
      : facts_(facts), code_(facts.code()), unit_(unit) {
    for (size_t e = 0; e < facts.contribution_count(); ++e) {
      const NodeId node = facts.measure().landings->rows[e].node;
      if (node.valid()) events_of_node_[node].emplace_back(e);
    }
  }

  EdgeProgram run() {
    if (!code_.record || !code_.method) {
      remark("no ETRecord: there is no graph to show");
      return std::move(program_);
    }
    remark("edge program: " + describe_selection(headline(facts_)));
    if (!code_.method->edge.valid()) {
      remark("the record holds no graph of this method");
      return std::move(program_);
    }
    for (size_t g = 0; g < record().graphs.size(); ++g) {
      const Graph& row = record().graphs[g];
      if (row.parent.valid()) children_[row.parent_node].emplace_back(g);
    }
    // By node: a record without graphs of its own for what delegates run has all nodes in one.
    for (size_t p = 0; p < code_.partitions.size(); ++p) {
      for (const NodeId node : code_.partitions[p].nodes) {
        go_on();
        calls_.try_emplace(node, PartitionId(p));
      }
    }
    graph(code_.method->edge, 0, {});
    return std::move(program_);
  }

 private:
  const EtRecord& record() const { return *code_.record; }

  void remark(const std::string& text) { program_.lines.push_back({"# " + text, {}, {}, {}}); }

  // `outer`: the delegate call that all of the graph is of, if it is.
  void graph(GraphId id, int depth, PartitionId outer) {
    if (depth > kMaxDepth) return;
    for (const NodeId node : record().graphs[id.value].nodes) {
      append_node(node, depth, outer);
      const auto below = children_.find(node);
      if (below == children_.end()) continue;
      const PartitionId inner = program_.lines.back().partition;
      for (const GraphId child : below->second) graph(child, depth + 1, inner);
    }
  }

  void append_node(NodeId id, int depth, PartitionId outer) {
    const Node& node = record().nodes[id.value];
    EdgeProgramLine line;
    line.node = id;
    if (const Place* place = code_.place_of(id)) {
      line.line = place->line;
      line.module = place->module;
    }
    line.partition = where_it_ran(id, outer);
    std::string text(static_cast<size_t>(2 * depth), ' ');
    text += fmt::format("%{} = {}({})", printable(record().text(node.name)),
                        printable(record().text(node.target)), inputs(node));
    if (node.shape.valid()) (text += ' ') += printable(record().text(node.shape));
    const std::string remarks = remarks_of(id, line);
    if (!remarks.empty()) {
      const size_t width = display_width(text);
      text +=
          fmt::format("{:{}}# {}", "", width < kRemarkColumn ? kRemarkColumn - width : 2, remarks);
    }
    line.text = std::move(text);
    program_.lines.push_back(std::move(line));
  }

  // What stands beside a node: cost, delegate call, source line, why it is on the CPU. Fills in the cost.
  std::string remarks_of(NodeId id, EdgeProgramLine& line) const {
    std::vector<std::string> remarks;
    const DelegationReason* reason = nullptr;
    if (const auto events = events_of_node_.find(id); events != events_of_node_.end()) {
      line.cost = facts_.cost_of(events->second);
      remarks.push_back(facts_.has_operators()
                            ? place_of(events->second.front())
                            : fmt::format("{} {}", format_cost(facts_, line.cost, unit_),
                                          format_share(line.cost.share)));
      if (facts_.has_events()) reason = reason_of(facts_, events->second.front());
    }
    if (record().nodes[id.value].lowered.valid() && line.partition.valid())
      remarks.push_back(call_of(line.partition));
    if (line.line.valid()) {
      const CodeLine& row = code_.lines[line.line.value];
      remarks.push_back(
          fmt::format("{}:{}", printable(base_name(code_.recorded_path(row.file))), row.number));
    }
    if (reason != nullptr) remarks.push_back("CPU: " + printable(sentences_of(*reason)));
    return join(remarks, "  ");
  }

  // Where an operator of an export will run, and why not in a delegate: "XNNPACK #2".
  std::string place_of(ContributionId id) const {
    const ContributionFacts row = facts_.contribution(id);
    if (row.partition.valid())
      return fmt::format("{} #{}", printable(row.where), facts_.partition(row.partition).number);
    if (lowering_of(facts_.study()) == Lowering::NotLowered) return "not lowered yet";
    return row.remark.empty() ? "CPU" : "CPU: " + printable(row.remark);
  }

  std::string inputs(const Node& node) const {
    std::vector<std::string> names;
    const std::span<const StringId> inputs = record().inputs_of(node);
    for (size_t i = 0; i < std::min(inputs.size(), kMaxInputs); ++i)
      names.push_back(fmt::format("%{}", printable(record().text(inputs[i]))));
    if (inputs.size() > kMaxInputs) names.push_back("…");
    return join(names, ", ");
  }

  // As the events say where there are any: a handle that many nodes share makes all of them nodes
  // of the call that has it, though some run on the CPU. Invalid on the CPU.
  PartitionId where_it_ran(NodeId id, PartitionId outer) const {
    const PartitionId call = partition_of(id);
    const auto events = events_of_node_.find(id);
    if (events == events_of_node_.end()) return call.valid() ? call : outer;
    const std::vector<Landing>& rows = facts_.measure().landings->rows;
    const auto is_call = [&](auto event) { return rows[event.value].partition == call; };
    return std::any_of(events->second.begin(), events->second.end(), is_call)
               ? call
               : rows[events->second.front().value].partition;
  }

  // The delegate call that runs the node, or that it is: then it runs the nodes of its graph.
  PartitionId partition_of(NodeId id) const {
    if (const auto call = calls_.find(id); call != calls_.end()) return call->second;
    const LoweredId lowered = record().nodes[id.value].lowered;
    if (!lowered.valid() || !record().lowered[lowered.value].graph.valid()) return {};
    for (const NodeId node : record().graphs[record().lowered[lowered.value].graph.value].nodes) {
      if (const auto call = calls_.find(node); call != calls_.end()) return call->second;
    }
    return {};
  }

  // "XNNPACK #2 5.00 ms"
  std::string call_of(PartitionId id) const {
    const PartitionFacts partition = facts_.partition(id);
    return fmt::format("{} #{} {}",
                       partition.backend.empty() ? "delegate call" : printable(partition.label),
                       partition.number, format_cost(facts_, partition.total, unit_));
  }

  const Facts& facts_;
  const Code& code_;
  std::optional<TimeScale> unit_;
  std::unordered_map<NodeId, std::vector<ContributionId>> events_of_node_;
  std::unordered_map<NodeId, std::vector<GraphId>> children_;
  std::unordered_map<NodeId, PartitionId> calls_;  // that run the node
  EdgeProgram program_;
};

}  // namespace

std::string EdgeProgram::text() const {
  std::string text;
  for (const EdgeProgramLine& line : lines) (text += line.text) += '\n';
  return text;
}

EdgeProgram edge_program(const Facts& facts, std::optional<TimeScale> unit) {
  return EdgeProgramWriter(facts, unit).run();
}

}  // namespace etlens
