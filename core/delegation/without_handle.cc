// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/without_handle.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/code/operator_name.h"
#include "core/delegation/delegation.h"

namespace etlens {
namespace {

// Nodes without a handle that read each other's values.
struct Group {
  std::vector<size_t> rows;  // in graph order
  uint32_t call = kNone;     // that most neighbours are in
};

void settle_kernels(const RuleGraph& graph, const std::vector<NodeId>& nodes,
                    const std::vector<size_t>& rows, const HandlePlaces& places,
                    std::vector<bool>& is_out) {
  std::unordered_map<std::string_view, size_t> kernels;
  for (const std::string_view kernel : places.unlisted_kernels()) ++kernels[kernel];
  for (const size_t row : rows) {
    go_on();
    const auto kernel = kernels.find(base_operator_of_target(RuleNode(graph, nodes[row]).target()));
    if (kernel == kernels.end() || kernel->second == 0) continue;
    --kernel->second;
    is_out[row] = true;
  }
}

class Groups {
 public:
  Groups(const RuleGraph& graph, const std::vector<NodeId>& nodes, const std::vector<bool>& is_out,
         const std::vector<uint32_t>& calls)
      : graph_(graph), nodes_(nodes), is_out_(is_out), calls_(calls) {
    for (size_t row = 0; row < nodes.size(); ++row) row_of_.emplace(nodes[row], row);
  }

  std::vector<Group> find(const std::vector<size_t>& rows) {
    for (const size_t row : rows)
      if (!is_out_[row]) parent_.emplace(row, row);
    for (const size_t row : rows) {
      if (is_out_[row]) continue;
      for (const size_t maker : makers_of(row))
        if (parent_.contains(maker)) parent_[top_of(row)] = top_of(maker);
    }
    std::vector<Group> groups;
    std::unordered_map<size_t, size_t> group_of;
    for (const size_t row : rows) {
      if (is_out_[row]) continue;
      const auto [at, is_new] = group_of.try_emplace(top_of(row), groups.size());
      if (is_new) groups.emplace_back();
      groups[at->second].rows.push_back(row);
    }
    for (Group& group : groups) group.call = call_of_neighbours(group);
    return groups;
  }

 private:
  size_t top_of(size_t row) {
    while (parent_[row] != row) {
      go_on();
      row = parent_[row] = parent_[parent_[row]];
    }
    return row;
  }

  std::vector<size_t> makers_of(size_t row) const {
    std::vector<size_t> makers;
    for (const StringId input : RuleNode(graph_, nodes_[row]).inputs()) {
      go_on();
      const auto at = row_of_.find(graph_.maker_of(input));
      if (at != row_of_.end()) makers.push_back(at->second);
    }
    return makers;
  }

  uint32_t call_of_neighbours(const Group& group) const {
    std::unordered_map<uint32_t, size_t> counts;
    const auto count = [&](size_t row) {
      if (calls_[row] != kNone) ++counts[calls_[row]];
    };
    for (const size_t row : group.rows) {
      for (const size_t maker : makers_of(row)) count(maker);
      for (const StringId output : RuleNode(graph_, nodes_[row]).outputs()) {
        for (const NodeId reader : graph_.readers_of(output)) {
          go_on();
          if (const auto at = row_of_.find(reader); at != row_of_.end()) count(at->second);
        }
      }
    }
    uint32_t best = kNone;
    for (const auto& [call, found] : counts) {
      if (best == kNone || found > counts[best] || (found == counts[best] && call < best))
        best = call;
    }
    return best;
  }

  const RuleGraph& graph_;
  const std::vector<NodeId>& nodes_;
  const std::vector<bool>& is_out_;
  const std::vector<uint32_t>& calls_;
  std::unordered_map<NodeId, size_t> row_of_;
  std::unordered_map<size_t, size_t> parent_;
};

}  // namespace

void place_without_handle(const RuleGraph& graph, const std::vector<NodeId>& nodes,
                          const std::vector<size_t>& rows, const HandlePlaces& places,
                          std::vector<bool>& is_out, std::vector<uint32_t>& calls) {
  if (rows.empty()) return;
  settle_kernels(graph, nodes, rows, places, is_out);
  std::vector<Group> groups = Groups(graph, nodes, is_out, calls).find(rows);
  // Groups without neighbours in a call come first: they need a call whose nodes have no handle.
  std::vector<Group*> order;
  for (Group& group : groups) order.push_back(&group);
  const std::vector<uint32_t>& free = places.calls_without_handles();
  std::ranges::stable_sort(order, [](const Group* a, const Group* b) {
    return (a->call == kNone) > (b->call == kNone);
  });
  if (order.size() > free.size())
    order.resize(free.size());  // the others stay with their neighbours
  std::ranges::sort(order, {}, [](const Group* group) { return group->rows.front(); });
  for (size_t i = 0; i < order.size(); ++i) order[i]->call = free[i];
  uint32_t last = 0;
  for (const Group& group : groups) {
    if (group.call != kNone) last = group.call;
    for (const size_t row : group.rows) calls[row] = last;
  }
}

}  // namespace etlens
