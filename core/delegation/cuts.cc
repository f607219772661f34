// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/cuts.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/base/budget.h"

namespace etlens {
namespace {

class CutFinder {
 public:
  explicit CutFinder(const Delegation& delegation)
      : delegation_(delegation), record_(*delegation.record) {
    for (const NodeDelegation& row : delegation.nodes) {
      if (row.is_delegated()) call_of_.emplace(row.node, row.call);
      else on_cpu_.emplace(row.node, true);
    }
    uint32_t call = 0;
    for (const NodeId id : nodes())
      if (record_.nodes[id.value].lowered.valid()) call_of_.emplace(id, call++);
  }

  std::vector<Cut> find() {
    follow_forward();
    follow_back();
    std::vector<Cut> cuts;
    for (auto& [calls, cut] : cuts_) cuts.push_back(std::move(cut));
    return cuts;
  }

 private:
  const std::vector<NodeId>& nodes() const {
    return record_.graphs[delegation_.method.edge.value].nodes;
  }

  uint32_t call_of(NodeId node) const {
    const auto at = call_of_.find(node);
    return at == call_of_.end() ? kNone : at->second;
  }

  Cut& cut(uint32_t before, uint32_t after) {
    Cut& found = cuts_[{before, after}];
    found.before = before;
    found.after = after;
    return found;
  }

  // The last call that each value needs. What a call itself makes needs that call.
  void follow_forward() {
    for (const NodeId id : nodes()) {
      go_on();
      const Node& node = record_.nodes[id.value];
      const uint32_t own = call_of(id);
      uint32_t last = kNone;
      for (const StringId input : record_.inputs_of(node)) {
        const auto at = needs_.find(input);
        if (at == needs_.end()) continue;
        const auto [call, is_direct] = at->second;
        if (last == kNone || call > last) last = call;
        if (is_direct && own != kNone && call < own) cut(call, own).is_direct = true;
      }
      before_.emplace(id, last);
      const bool passes_on = own == kNone && !on_cpu_.contains(id);  // getitem
      for (const StringId output : record_.outputs_of(node)) {
        if (own != kNone) needs_[output] = {own, true};
        else if (last != kNone) needs_[output] = {last, passes_on && is_direct(node)};
      }
    }
  }

  bool is_direct(const Node& node) const {
    for (const StringId input : record_.inputs_of(node)) {
      const auto at = needs_.find(input);
      if (at != needs_.end() && at->second.second) return true;
    }
    return false;
  }

  // The first call that needs each value.
  void follow_back() {
    std::unordered_map<StringId, uint32_t> first;
    for (size_t i = nodes().size(); i-- > 0;) {
      go_on();
      const NodeId id = nodes()[i];
      const Node& node = record_.nodes[id.value];
      uint32_t after = call_of(id);
      const bool is_call = after != kNone;
      for (const StringId output : record_.outputs_of(node)) {
        const auto at = first.find(output);
        if (!is_call && at != first.end()) after = std::min(after, at->second);
      }
      if (after == kNone) continue;
      for (const StringId input : record_.inputs_of(node)) {
        const auto [at, is_new] = first.try_emplace(input, after);
        if (!is_new) at->second = std::min(at->second, after);
      }
      const uint32_t before = before_.at(id);
      if (!is_call && on_cpu_.contains(id) && before != kNone && before < after)
        cut(before, after).nodes.push_back(id);
    }
    for (auto& [calls, cut] : cuts_) std::ranges::reverse(cut.nodes);
  }

  const Delegation& delegation_;
  const EtRecord& record_;
  std::unordered_map<NodeId, uint32_t> call_of_;
  std::unordered_map<NodeId, bool> on_cpu_;
  std::unordered_map<StringId, std::pair<uint32_t, bool>> needs_;  // a call, and whether it made it
  std::unordered_map<NodeId, uint32_t> before_;
  std::map<std::pair<uint32_t, uint32_t>, Cut> cuts_;
};

}  // namespace

std::vector<Cut> find_cuts(const Delegation& delegation) {
  if (!delegation.method.edge.valid() || delegation.calls.size() < 2) return {};
  return CutFinder(delegation).find();
}

}  // namespace etlens
