// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/left_out.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/code/operator_name.h"
#include "core/delegation/without_handle.h"

namespace etlens {
namespace {

// How likely a node that shares its handle is the one that was left out.
enum Likelihood : int {
  kTaken = 0,
  kUndecided = 1,
  kAtEdge = 2,         // converts what the model is given or returns
  kBesideLeftOut = 3,  // converts between a call and a node on the CPU
  kRefused = 4,
  kIsKernel = 8,  // a kernel of the handle runs its operator
};

class LeftOut {
 public:
  LeftOut(const RuleGraph& graph, const std::vector<NodeId>& nodes, const HandlePlaces& places,
          const BackendRules* rules, const ExportFacts& facts)
      : graph_(graph), nodes_(nodes), places_(places), rules_(rules), facts_(facts) {}

  std::vector<uint32_t> find() {
    calls_.assign(nodes_.size(), kNone);
    is_out_.assign(nodes_.size(), false);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      row_of_.emplace(nodes_[i], i);
      rows_of_handle_[handle_of(i)].push_back(i);
    }
    std::vector<DebugHandle> handles;
    for (const auto& [handle, rows] : rows_of_handle_) handles.push_back(handle);
    std::sort(handles.begin(), handles.end());
    std::vector<DebugHandle> shared;
    std::vector<DebugHandle> in_several;  // calls: where neighbours are is known by then
    for (const DebugHandle handle : handles) {
      const HandlePlace* place = places_.find(handle);
      const std::vector<size_t>& rows = rows_of_handle_[handle];
      if (!is_whole(handle, place, rows)) shared.push_back(handle);
      else if (place != nullptr && place->calls.size() > 1) in_several.push_back(handle);
      else settle_whole(handle, rows);
    }
    for (const DebugHandle handle : in_several) settle_whole(handle, rows_of_handle_[handle]);
    guess_refused(shared);
    // What converts between two nodes depends on where these are.
    constexpr int kRounds = 3;
    for (int round = 0; round < kRounds; ++round)
      for (const DebugHandle handle : shared) divide(handle, rows_of_handle_[handle]);
    place_without_handle(graph_, nodes_, without_handle_, places_, is_out_, calls_);
    return std::move(calls_);
  }

 private:
  DebugHandle handle_of(size_t row) const {
    return graph_.record().nodes[nodes_[row].value].debug_handle;
  }

  bool is_known(DebugHandle handle, const HandlePlace* place) const {
    return graph_.record().is_set(handle) && place != nullptr;
  }

  // All nodes of the handle are on one side. Else they have to be divided.
  bool is_whole(DebugHandle handle, const HandlePlace* place,
                const std::vector<size_t>& rows) const {
    return !is_known(handle, place) || place->delegated == 0 ||
           (place->kernels == 0 && place->delegated >= rows.size());
  }

  void settle_whole(DebugHandle handle, const std::vector<size_t>& rows) {
    const HandlePlace* place = places_.find(handle);
    const bool has_place = is_known(handle, place);
    if (has_place && place->delegated > 0) return assign_calls(*place, rows);
    // The maps of releases up to 0.3 list no handles of calls: what no kernel ran is in one.
    const bool is_in_call = !has_place && graph_.record().layout == RecordLayout::UpTo03;
    const bool is_without_handle = !is_in_call && !graph_.record().is_set(handle);
    if (is_without_handle) without_handle_ = rows;
    for (const size_t row : rows) {
      if (is_in_call) calls_[row] = 0;
      else is_out_[row] = !is_without_handle || likelihood_by_rules(row) != kTaken;
    }
  }

  void guess_refused(const std::vector<DebugHandle>& shared) {
    for (const DebugHandle handle : shared) {
      for (const size_t row : rows_of_handle_[handle]) {
        go_on();
        verdicts_[row] = likelihood_by_rules(row);
        is_out_[row] = verdicts_[row] == kRefused;
      }
    }
  }

  int likelihood_by_rules(size_t row) const {
    const RuleNode node(graph_, nodes_[row]);
    if (rules_ == nullptr || !node.is_operator()) return kUndecided;
    const RuleVerdict verdict = judge_at_best(*rules_, node, facts_);
    if (verdict.answer == RuleAnswer::Refused) return kRefused;
    // One of the two devices refuses it.
    if (verdict.reason.id == "unsupported_by_u55") return kRefused;
    return verdict.answer == RuleAnswer::Taken ? kTaken : kUndecided;
  }

  bool is_out(NodeId node) const {
    const auto at = row_of_.find(node);
    return at != row_of_.end() && is_out_[at->second];
  }

  // Quantize nodes are where what they convert for is.
  int likelihood_beside(const RuleNode& node) const {
    if (is_dequantize_node(node.op())) {
      bool is_returned = false;
      for (const StringId output : node.outputs()) {
        is_returned |= graph_.is_returned(output);
        for (const NodeId reader : graph_.readers_of(output))
          if (is_out(reader)) return kBesideLeftOut;
      }
      return is_returned ? kAtEdge : kTaken;
    }
    if (node.inputs().empty()) return kTaken;
    const NodeId maker = graph_.maker_of(node.inputs()[0]);
    if (!maker.valid()) return kAtEdge;
    return is_out(maker) ? kBesideLeftOut : kTaken;
  }

  void divide(DebugHandle handle, const std::vector<size_t>& rows) {
    const HandlePlace& place = *places_.find(handle);
    std::vector<std::string_view> kernels = place.kernel_operators;
    std::vector<std::pair<int, size_t>> order;  // the likeliest first, then in graph order
    for (const size_t row : rows) {
      go_on();
      const RuleNode node(graph_, nodes_[row]);
      int likelihood = is_quantize_node(node.op()) ? likelihood_beside(node) : verdicts_.at(row);
      order.emplace_back(-likelihood, row);
    }
    std::sort(order.begin(), order.end());
    prefer_kernels(kernels, order);
    const size_t left = rows.size() - std::min<size_t>(rows.size(), place.delegated);
    const size_t out = std::min(rows.size(), std::max<size_t>(place.kernels, left));
    std::vector<size_t> inside;
    for (size_t i = 0; i < order.size(); ++i) {
      const size_t row = order[i].second;
      is_out_[row] = i < out;
      calls_[row] = kNone;
      if (i >= out) inside.push_back(row);
    }
    std::sort(inside.begin(), inside.end());
    assign_calls(place, inside);
  }

  // A kernel is of one node.
  void prefer_kernels(std::vector<std::string_view>& kernels,
                      std::vector<std::pair<int, size_t>>& order) const {
    if (kernels.empty()) return;
    for (auto& [likelihood, row] : order) {
      const std::string_view op = base_operator_of_target(RuleNode(graph_, nodes_[row]).target());
      const auto kernel = std::ranges::find(kernels, op);
      if (kernel == kernels.end()) continue;
      kernels.erase(kernel);
      likelihood -= kIsKernel;
    }
    std::sort(order.begin(), order.end());
  }

  // Of several calls a node is in the one that its neighbours are in; where that says nothing, both
  // are in the order in which the program runs.
  void assign_calls(const HandlePlace& place, const std::vector<size_t>& rows) {
    std::vector<HandlePlace::InCall> left = place.calls;
    std::vector<size_t> open;
    for (const size_t row : rows) {
      HandlePlace::InCall* best = left.size() == 1 ? left.data() : nearest_call(row, left);
      if (best == nullptr) {
        open.push_back(row);
        continue;
      }
      calls_[row] = best->call;
      if (best->count > 0) --best->count;
    }
    size_t at = 0;
    for (const size_t row : open) {
      while (at + 1 < left.size() && left[at].count == 0) ++at;
      calls_[row] = left[at].call;
      if (left[at].count > 0) --left[at].count;
    }
  }

  // Null if no call with room has neighbours, or several have as many.
  HandlePlace::InCall* nearest_call(size_t row, std::vector<HandlePlace::InCall>& calls) const {
    const RuleNode node(graph_, nodes_[row]);
    std::unordered_map<uint32_t, size_t> neighbours;
    const auto count = [&](NodeId neighbour) {
      const auto at = row_of_.find(neighbour);
      if (at != row_of_.end() && calls_[at->second] != kNone) ++neighbours[calls_[at->second]];
    };
    for (const StringId input : node.inputs()) count(graph_.maker_of(input));
    for (const StringId output : node.outputs())
      for (const NodeId reader : graph_.readers_of(output)) count(reader);
    HandlePlace::InCall* best = nullptr;
    size_t most = 0;
    for (HandlePlace::InCall& call : calls) {
      const size_t found = neighbours[call.call];
      if (call.count == 0 || found == 0 || found < most) continue;
      best = found == most ? nullptr : &call;
      most = found;
    }
    return best;
  }

  const RuleGraph& graph_;
  const std::vector<NodeId>& nodes_;
  const HandlePlaces& places_;
  const BackendRules* rules_;
  const ExportFacts& facts_;
  std::vector<uint32_t> calls_;
  std::vector<bool> is_out_;
  std::unordered_map<NodeId, size_t> row_of_;
  std::unordered_map<DebugHandle, std::vector<size_t>> rows_of_handle_;
  std::unordered_map<size_t, int> verdicts_;
  std::vector<size_t> without_handle_;  // rows in graph order
};

}  // namespace

std::vector<uint32_t> calls_of_nodes(const RuleGraph& graph, const std::vector<NodeId>& nodes,
                                     const HandlePlaces& places, const BackendRules* rules,
                                     const ExportFacts& facts) {
  return LeftOut(graph, nodes, places, rules, facts).find();
}

}  // namespace etlens
