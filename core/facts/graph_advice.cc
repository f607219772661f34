// SPDX-License-Identifier: Apache-2.0
#include "core/facts/graph_advice.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>
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
    for (const NodeId node : nodes_) {
      for (const StringId output : record_.outputs_of(row(node)))
        makers_.try_emplace(key(node, output), node);
    }
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
  uint64_t key(NodeId node, StringId value) const {
    return uint64_t{row(node).graph.value} << 32 | value.value;
  }

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

  // A parameter, by the name that torch.export gives its placeholder: `p_layers_0_weight` of a
  // module `layers.0`. Buffers change, and what `forward` is given may be called anything.
  bool is_parameter(StringId value) {
    std::string_view name = record_.text(value);
    if (!name.starts_with("p_")) return false;
    name.remove_prefix(2);
    if (modules_.empty()) {
      for (const CodeModule& module : facts_.code().modules) {
        std::string path = module.path;
        std::replace(path.begin(), path.end(), '.', '_');
        if (!path.empty()) modules_.insert(path + "_");
      }
    }
    for (size_t end = name.find('_'); end != std::string_view::npos; end = name.find('_', end + 1))
      if (modules_.contains(std::string(name.substr(0, end + 1)))) return true;
    return false;
  }

  bool is_constant(NodeId node) {
    const std::string_view op = base_operator_of_target(record_.text(row(node).target));
    if (row(node).lowered.valid() || row(node).target_kind != TargetKind::EdgeOperator ||
        std::find(kRandom.begin(), kRandom.end(), op) != kRandom.end()) {
      return false;
    }
    const auto inputs = record_.inputs_of(row(node));
    return std::all_of(inputs.begin(), inputs.end(), [&](StringId input) {
      const auto maker = makers_.find(key(node, input));
      return maker == makers_.end() ? is_parameter(input) : constants_.contains(maker->second);
    });
  }

  // In the edge program alone: what its delegate calls are given is not called by its name there.
  void find_constants() {
    for (const NodeId node : nodes_) {
      go_on();
      if (record_.graphs[row(node).graph.value].kind == GraphKind::Edge && is_constant(node))
        constants_.insert(node);
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
    std::vector<std::string> names;
    for (const ContributionId id : events) {
      std::string name = operator_name(facts_, id);
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    }
    Advice row = advice_about(facts_, kind, std::move(events));
    row.subject = join(names, ", ");
    return row;
  }

  const Facts& facts_;
  const EtRecord& record_;
  std::vector<NodeId> nodes_;
  NodeFlow flow_;
  std::unordered_map<uint64_t, NodeId> makers_;
  std::unordered_set<NodeId> constants_;
  std::set<std::string> modules_;
};

}  // namespace

std::string operator_name(const Facts& facts, ContributionId id) {
  const EventFacts event = facts.event(id);
  return event.op.empty() ? event.name : std::string(base_operator_of_target(event.op));
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
