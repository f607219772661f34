// SPDX-License-Identifier: Apache-2.0
#include "core/facts/graph_advice.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>
#include <utility>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/code/node_flow.h"
#include "core/code/operator_name.h"

namespace etlens {
namespace {

// What gives another result each time, whatever it is given.
constexpr auto kRandom = std::to_array<std::string_view>(
    {"bernoulli", "empty", "empty_like", "empty_permuted", "multinomial", "native_dropout",
     "normal", "normal_functional", "rand", "rand_like", "randint", "randint_like", "randn",
     "randn_like", "randperm"});

// Everything of one method that the findings ask its graphs.
class MethodGraph {
 public:
  explicit MethodGraph(const Facts& facts)
      : facts_(facts), record_(*facts.code().record), nodes_(nodes_of()), flow_(record_, nodes_) {
    find_constants();
  }

  std::vector<Advice> run() {
    std::vector<ContributionId> constant_work;
    std::vector<ContributionId> quantizing;
    std::vector<ContributionId> islands;
    bool has_quantized_products = false;
    for (const ContributionId id : facts_.ranked()) {
      const EventFacts event = facts_.event(id);
      if (!event.node.valid() || event.self.amount <= Amount()) continue;
      const OperatorRank rank = rank_of_operator(base_operator_of_target(event.op));
      const bool is_on_cpu = event.backend.empty();
      if (is_on_cpu && constants_.contains(event.node)) constant_work.push_back(id);
      else if (is_on_cpu && rank == OperatorRank::Quantize) quantizing.push_back(id);
      if (rank != OperatorRank::Compute) continue;
      if (reads_quantized(event.node)) has_quantized_products = true;
      else islands.push_back(id);
    }
    std::vector<Advice> rows;
    const auto add = [&](AdviceKind kind, std::vector<ContributionId>& events) {
      if (!events.empty()) rows.push_back(named(kind, std::move(events)));
    };
    add(AdviceKind::ConstantWork, constant_work);
    add(AdviceKind::Quantizing, quantizing);
    if (has_quantized_products) add(AdviceKind::FloatIsland, islands);
    return rows;
  }

 private:
  const Node& row(NodeId node) const { return record_.nodes[node.value]; }

  // Of the method's edge program and of what its delegate calls lowered, in graph order.
  std::vector<NodeId> nodes_of() const {
    std::vector<NodeId> nodes;
    for (const Graph& graph : record_.graphs) {
      for (const NodeId node : graph.nodes) {
        go_on();
        if (facts_.code().place_of(node) != nullptr) nodes.push_back(node);
      }
    }
    return nodes;
  }

  bool is_constant(NodeId node) {
    const std::string_view op = base_operator_of_target(record_.text(row(node).target));
    if (row(node).lowered.valid() || row(node).target_kind != TargetKind::EdgeOperator ||
        std::find(kRandom.begin(), kRandom.end(), op) != kRandom.end()) {
      return false;
    }
    const auto inputs = record_.inputs_of(row(node));
    for (size_t i = 0; i < inputs.size(); ++i) {
      const NodeId source = flow_.source(node, i);
      if (source.valid() ? !constants_.contains(source) : !held_.contains(inputs[i])) return false;
    }
    return true;
  }

  // In the edge program alone: what its delegate calls are given is not called by its name there.
  void find_constants() {
    GraphId graph;
    for (const NodeId node : nodes_) {
      go_on();
      if (record_.graphs[row(node).graph.value].kind != GraphKind::Edge) continue;
      if (row(node).graph != graph) {
        graph = row(node).graph;
        find_held(record_.graphs[graph.value]);
      }
      if (is_constant(node)) constants_.insert(node);
    }
  }

  // What the model holds and no run changes; buffers may change.
  void find_held(const Graph& graph) {
    held_.clear();
    for (const GraphInput& input : graph.inputs) {
      if (input.kind == GraphInputKind::Parameter || input.kind == GraphInputKind::Constant)
        held_.insert(input.name);
    }
  }

  bool reads_quantized(NodeId node) const {
    const size_t count = record_.inputs_of(row(node)).size();
    for (size_t i = 0; i < count; ++i) {
      const NodeId source = flow_.source(node, i);
      if (!source.valid()) continue;
      const std::string_view op = base_operator_of_target(record_.text(row(source).target));
      if (op.starts_with("dequantize")) return true;
    }
    return false;
  }

  Advice named(AdviceKind kind, std::vector<ContributionId> events) const {
    Advice row = advice_about(facts_, kind, std::move(events));
    row.subject = join(operator_names(facts_, row.events), ", ");
    return row;
  }

  const Facts& facts_;
  const EtRecord& record_;
  std::vector<NodeId> nodes_;
  NodeFlow flow_;
  std::unordered_set<StringId> held_;  // values of the graph that is looked at
  std::unordered_set<NodeId> constants_;
};

}  // namespace

std::string operator_name(const Facts& facts, ContributionId id) {
  const EventFacts event = facts.event(id);
  if (!event.op.empty()) return std::string(base_operator_of_target(event.op));
  // Without a record the kernel's name is all that is known.
  const bool is_kernel = event.part == Part::Unattributed;
  return is_kernel ? std::string(base_operator_of_kernel(event.name)) : event.name;
}

std::vector<std::string> operator_names(const Facts& facts,
                                        std::span<const ContributionId> events) {
  std::vector<std::string> names;
  std::unordered_set<std::string> known;
  for (const ContributionId id : events) {
    std::string name = operator_name(facts, id);
    if (known.insert(name).second) names.push_back(std::move(name));
  }
  return names;
}

Advice advice_about(const Facts& facts, AdviceKind kind, std::vector<ContributionId> events) {
  std::sort(events.begin(), events.end(), [&](ContributionId a, ContributionId b) {
    const Amount cost_a = facts.measure().self[a.value].amount;
    const Amount cost_b = facts.measure().self[b.value].amount;
    return cost_a != cost_b ? cost_a > cost_b : a < b;
  });
  Advice row;
  row.kind = kind;
  row.count = static_cast<uint32_t>(events.size());
  std::map<LineId, std::vector<ContributionId>> by_line;
  for (const ContributionId id : events) {
    const EventFacts event = facts.event(id);
    row.occurrences += event.occurrences;
    if (event.line.valid()) by_line[event.line].push_back(id);
  }
  std::vector<std::pair<Amount, LineId>> lines;
  lines.reserve(by_line.size());
  for (const auto& [line, on_line] : by_line)
    lines.emplace_back(facts.cost_of(on_line).amount, line);
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [amount, line] : lines) row.lines.push_back(line);
  row.work = facts.cost_of(events);
  row.at_most = row.work;
  row.events = std::move(events);
  return row;
}

std::vector<Advice> graph_advice(const Facts& facts) {
  return facts.code().record ? MethodGraph(facts).run() : std::vector<Advice>();
}

}  // namespace etlens
