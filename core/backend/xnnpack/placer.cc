// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/placer.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/backend/xnnpack/known_alignments.h"
#include "core/backend/xnnpack/listed_handles.h"
#include "core/backend/xnnpack/payload_placement.h"
#include "core/base/budget.h"

namespace etlens {
namespace {

// Without a payload, what moves or converts data and is no listed operator works for a neighbour:
// most often for the next.
void add_layout(std::span<const std::string_view> names, std::vector<NodePlacement>& placements) {
  constexpr uint32_t kNeighbours = 2;
  const auto is_placed = [](const NodePlacement& p) { return p.node.valid(); };
  const auto last = std::find_if(placements.rbegin(), placements.rend(), is_placed);
  if (last == placements.rend()) return;
  NodePlacement near = *last;  // the next that is placed; behind the last that one
  for (size_t i = placements.size(); i-- > 0;) {
    go_on();
    if (placements[i].node.valid()) near = placements[i];
    else if (is_xnnpack_layout_name(names[i]))
      placements[i] = {near.node, near.frame, Confidence::Inferred, kNeighbours, {}, true};
  }
}

std::string where(const DelegateCall& call) {
  return "instruction " + std::to_string(call.instruction.value);
}

std::optional<XnnpackPayload> read_payload(const DelegateCall& call, LoadReport& report) {
  if (call.payload.empty()) return std::nullopt;
  Result<XnnpackPayload> payload = read_xnnpack_payload(call.payload);
  if (!payload) {
    report.add(Oddity::DelegateUnaligned, where(call) + " " + payload.error().message);
    return std::nullopt;
  }
  // A payload of another export names handles that this record does not list for the call.
  std::vector<DebugHandle> known;
  if (!call.is_lowered) known.assign(call.handles.begin(), call.handles.end());
  std::sort(known.begin(), known.end());
  const bool is_foreign =
      !call.is_lowered &&
      std::any_of(payload->operators.begin(), payload->operators.end(), [&](const auto& op) {
        return op.debug_handle != kNoHandle &&
               !std::binary_search(known.begin(), known.end(), op.debug_handle);
      });
  if (is_foreign) {
    report.add(Oddity::ProgramDiffers, where(call) + ": its payload has other debug handles");
    return std::nullopt;
  }
  return std::move(*payload);
}

class ByPayload final : public CallPlacer {
 public:
  ByPayload(DelegateCall call, XnnpackPayload payload)
      : context_(*call.context),
        payload_(std::move(payload)),
        nodes_(context_, payload_, std::move(call.nodes), std::move(call.payload_order),
               call.is_lowered),
        alignments_(KnownAlignments::of(call)) {}

  std::vector<NodePlacement> place(std::span<const std::string_view> ids) override {
    const std::shared_ptr<const XnnpackAlignment> alignment = alignments_->align(payload_, ids);
    const PayloadPlacement placement(context_, nodes_, *alignment);
    std::vector<NodePlacement> placements;
    placements.reserve(ids.size());
    for (const XnnpackMatch& match : alignment->events)
      placements.push_back(placement.place(match));
    return placements;
  }

 private:
  const MethodContext& context_;
  const XnnpackPayload payload_;
  const OperatorNodes nodes_;  // refers to the payload
  const std::shared_ptr<KnownAlignments> alignments_;
};

// By the order of the handles alone: never more than a likely guess.
class ByHandles final : public CallPlacer {
 public:
  ByHandles(DelegateCall call, LoadReport& report)
      : call_(std::move(call)),
        context_(*call_.context),
        report_(report),
        alignments_(KnownAlignments::of(call_)) {
    std::unordered_map<DebugHandle, std::vector<NodeId>> of_handle;
    for (const NodeId node : call_.nodes)
      of_handle[context_.record().nodes[node.value].debug_handle].push_back(node);
    for (const DebugHandle handle : call_.handles) {
      const auto at = of_handle.find(handle);
      if (at == of_handle.end()) continue;
      nodes_.push_back(at->second);
      std::vector<std::string_view>& operators = operators_.emplace_back();
      for (const NodeId node : at->second) operators.push_back(context_.operator_of(node));
    }
  }

  std::vector<NodePlacement> place(std::span<const std::string_view> ids) override {
    const std::shared_ptr<const XnnpackHandleMatches> matches =
        alignments_->align_handles(operators_, ids);
    std::vector<NodePlacement> placements(ids.size());
    size_t placed = 0;
    for (size_t i = 0; i < ids.size(); ++i) {
      PossibleNodes possible;
      for (const auto [handle, node] : (*matches)[i]) possible.add(nodes_[handle][node]);
      placements[i] = place_on_likeliest(context_, possible);
      placed += placements[i].node.valid() ? 1 : 0;
    }
    add_layout(ids, placements);
    if (placed > 0) report_.add(Oddity::DelegateInferred, where(call_), placed);
    return placements;
  }

 private:
  const DelegateCall call_;
  const MethodContext& context_;
  LoadReport& report_;
  std::vector<std::vector<NodeId>> nodes_;                // per listed handle that has any
  std::vector<std::vector<std::string_view>> operators_;  // of these
  const std::shared_ptr<KnownAlignments> alignments_;
};

}  // namespace

std::unique_ptr<CallPlacer> open_xnnpack_placer(DelegateCall call, LoadReport& report) {
  std::optional<XnnpackPayload> payload = read_payload(call, report);
  if (payload) return std::make_unique<ByPayload>(std::move(call), *std::move(payload));
  return std::make_unique<ByHandles>(std::move(call), report);
}

}  // namespace etlens
