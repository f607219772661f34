// SPDX-License-Identifier: Apache-2.0
#include "core/facts/cost_tree.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/facts/event_filter.h"
#include "core/facts/repeated_modules.h"

namespace etlens {
namespace {

class TreeBuilder {
 public:
  TreeBuilder(const Facts& facts, const CostTreeOptions& options)
      : facts_(facts), options_(options), filter_(options.filter), repeated_(facts.code()) {
    nodes_.emplace_back();
    totals_.emplace_back();
  }

  std::vector<CostNode> run() {
    for (size_t c = 0; c < facts_.contribution_count(); ++c) {
      const Total& total = facts_.measure().self[c];
      if (total.amount != Amount()) add(ContributionId(c), total);
    }
    for (size_t row = 0; row < nodes_.size(); ++row) {
      nodes_[row].cost = facts_.cost(totals_[row].all);
      nodes_[row].found = facts_.cost(totals_[row].found);
    }
    if (options_.order == CostOrder::Execution) return std::move(nodes_);
    for (CostNode& node : nodes_) {
      std::stable_sort(node.children.begin(), node.children.end(), [&](uint32_t a, uint32_t b) {
        return totals_[a].all.amount > totals_[b].all.amount;
      });
    }
    return std::move(nodes_);
  }

 private:
  // What tells the children of one node apart: kind, row of what it is of, name, where.
  using Key = std::tuple<uint32_t, CostNodeKind, uint64_t, std::string, std::string>;
  struct Totals {
    Total all;
    Total found;
  };

  // Children are made as contributions reach them, which stand in the order of execution.
  uint32_t child(uint32_t parent, CostNode node, uint64_t row) {
    const auto [at, is_new] = known_.try_emplace(Key{parent, node.kind, row, node.name, node.where},
                                                 static_cast<uint32_t>(nodes_.size()));
    if (!is_new) return at->second;
    node.parent = parent;
    node.depth = nodes_[parent].depth + 1;
    nodes_[parent].children.push_back(at->second);
    nodes_.push_back(std::move(node));
    totals_.emplace_back();
    return at->second;
  }

  uint32_t module_child(uint32_t parent, ModuleId module) {
    CostNode node;
    node.kind = CostNodeKind::Module;
    node.name = options_.folds_repeated ? repeated_.name(module)
                                        : std::string(name_below_parent(facts_.code(), module));
    const uint32_t at =
        child(parent, std::move(node), facts_.code().modules[module.value].type.value);
    if (instances_.emplace(at, module).second) nodes_[at].modules.push_back(module);
    return at;
  }

  uint32_t place_child(uint32_t parent, const Landing& landing) {
    CostNode place;
    if (landing.line.valid()) {
      place.kind = CostNodeKind::Line;
      place.line = landing.line;
      return child(parent, std::move(place), landing.line.value);
    }
    const bool is_call = landing.part == Part::OpaquePartition ||
                         (landing.part == Part::DelegateOverhead && !options_.folds_repeated);
    place.kind = CostNodeKind::Part;
    place.part = landing.part;
    if (is_call) place.partition = landing.partition;
    return child(
        parent, std::move(place),
        static_cast<uint64_t>(landing.part) << 32 | (is_call ? landing.partition.value : 0));
  }

  void add(ContributionId id, const Total& total) {
    uint32_t at = 0;
    for (const ModuleId module : modules_of(facts_, id)) {
      const CodeModule& row = facts_.code().modules[module.value];
      if (row.calls > 0 || (*facts_.measure().landings)[id].module == module)
        at = module_child(at, module);
    }
    at = place_child(at, (*facts_.measure().landings)[id]);
    ContributionFacts facts = facts_.contribution(id);
    CostNode operation;
    operation.kind = CostNodeKind::Operation;
    operation.name = std::move(facts.name);
    operation.where = std::move(facts.where);
    at = child(at, std::move(operation), 0);
    nodes_[at].self += total.amount;
    const bool is_found = filter_.is_empty() || filter_.matches(facts_, id);
    for (; at != kNone; at = nodes_[at].parent) {
      totals_[at].all += total;
      if (is_found) totals_[at].found += total;
    }
  }

  const Facts& facts_;
  const CostTreeOptions options_;
  const EventFilter filter_;
  const RepeatedModules repeated_;
  std::vector<CostNode> nodes_;
  std::vector<Totals> totals_;
  std::map<Key, uint32_t> known_;
  std::set<std::pair<uint32_t, ModuleId>> instances_;  // by node
};

}  // namespace

std::vector<LineId> lines_of(const Facts& facts, ContributionId id) {
  const Landing& landing = (*facts.measure().landings)[id];
  if (!landing.line.valid()) return {};
  std::vector<LineId> lines;
  if (landing.place.valid()) lines = facts.code().places[landing.place.value].stack;
  // A line that runs itself again stands in the stack once, further out.
  if (lines.empty() || lines.back() != landing.line) lines.push_back(landing.line);
  return lines;
}

std::vector<ModuleId> modules_of(const Facts& facts, ContributionId id) {
  const std::vector<CodeModule>& rows = facts.code().modules;
  std::vector<ModuleId> modules;
  ModuleId at = (*facts.measure().landings)[id].module;
  while (at.valid() && rows[at.value].parent.valid()) {
    modules.push_back(at);
    at = rows[at.value].parent;
  }
  std::reverse(modules.begin(), modules.end());
  return modules;
}

std::vector<CostNode> cost_tree(const Facts& facts, const CostTreeOptions& options) {
  return TreeBuilder(facts, options).run();
}

}  // namespace etlens
