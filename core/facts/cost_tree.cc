// SPDX-License-Identifier: Apache-2.0
#include "core/facts/cost_tree.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace etlens {
namespace {

class TreeBuilder {
 public:
  explicit TreeBuilder(const Facts& facts) : facts_(facts) {
    nodes_.emplace_back();
    totals_.emplace_back();
  }

  std::vector<CostNode> run() {
    for (size_t c = 0; c < facts_.contribution_count(); ++c) {
      const Total& total = facts_.measure().self[c];
      if (total.amount != Amount()) add(ContributionId(c), total);
    }
    for (size_t row = 0; row < nodes_.size(); ++row) nodes_[row].cost = facts_.cost(totals_[row]);
    for (CostNode& node : nodes_) {
      std::stable_sort(node.children.begin(), node.children.end(), [&](uint32_t a, uint32_t b) {
        return totals_[a].amount > totals_[b].amount;
      });
    }
    return std::move(nodes_);
  }

 private:
  // What tells the children of one node apart: kind, row of what it is of, name.
  using Key = std::tuple<uint32_t, CostNodeKind, uint64_t, std::string>;

  uint32_t child(uint32_t parent, CostNode node, uint64_t row) {
    const auto [at, is_new] = known_.try_emplace(Key{parent, node.kind, row, node.name},
                                                 static_cast<uint32_t>(nodes_.size()));
    if (!is_new) return at->second;
    node.parent = parent;
    node.depth = nodes_[parent].depth + 1;
    nodes_[parent].children.push_back(at->second);
    nodes_.push_back(std::move(node));
    totals_.emplace_back();
    return at->second;
  }

  void add(ContributionId id, const Total& total) {
    const Landing& landing = (*facts_.measure().landings)[id];
    uint32_t at = 0;
    for (const ModuleId module : modules_of(facts_, id)) {
      CostNode node;
      node.kind = CostNodeKind::Module;
      node.module = module;
      at = child(at, std::move(node), module.value);
    }
    CostNode place;
    if (landing.line.valid()) {
      place.kind = CostNodeKind::Line;
      place.line = landing.line;
      at = child(at, std::move(place), landing.line.value);
    } else {
      const bool is_call =
          landing.part == Part::OpaquePartition || landing.part == Part::DelegateOverhead;
      place.kind = CostNodeKind::Part;
      place.part = landing.part;
      if (is_call) place.partition = landing.partition;
      at = child(
          at, std::move(place),
          static_cast<uint64_t>(landing.part) << 32 | (is_call ? landing.partition.value : 0));
    }
    CostNode operation;
    operation.kind = CostNodeKind::Operation;
    operation.name = facts_.contribution(id).name;
    at = child(at, std::move(operation), 0);
    nodes_[at].self += total.amount;
    for (; at != kNone; at = nodes_[at].parent) totals_[at] += total;
  }

  const Facts& facts_;
  std::vector<CostNode> nodes_;
  std::vector<Total> totals_;
  std::map<Key, uint32_t> known_;
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

std::vector<CostNode> cost_tree(const Facts& facts) { return TreeBuilder(facts).run(); }

}  // namespace etlens
