// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/payload_placement.h"

#include <algorithm>
#include <span>

namespace etlens {
namespace {

// An event that could be of more operators than this could be anything.
constexpr size_t kMaxCandidates = 64;

}  // namespace

PayloadPlacement::PayloadPlacement(const MethodContext& context, const OperatorNodes& nodes,
                                   const XnnpackAlignment& alignment)
    : context_(context), nodes_(nodes) {
  for (const XnnpackMatch& match : alignment.events) {
    if (match.origin.part == XnnpackPart::Activation) has_activation_event_.insert(match.origin.op);
  }
  for (const XnnpackAbsorption& row : alignment.absorbed)
    absorbed_by_[row.by].push_back(row.folded);
}

NodePlacement PayloadPlacement::place(const XnnpackMatch& match) const {
  if (match.origin.op == kNone) return {};
  const OperatorNode& row = nodes_.of(match.origin.op);
  PossibleNodes possible = possible_of(match);
  NodePlacement placement = place_on_likeliest(context_, possible);
  if (!placement.node.valid()) return placement;
  const XnnpackPart part = match.origin.part;
  placement.is_layout =
      row.is_layout || part == XnnpackPart::Inserted || part == XnnpackPart::Conversion;
  // Alternatives are no further work, and what is only probable takes nothing over.
  const bool has_own_node = part == XnnpackPart::Own && !row.is_layout;
  if (has_own_node && (placement.confidence == Confidence::Aligned || row.is_guess)) {
    placement.fused = fused_of(match.origin.op, placement.node);
  }
  return placement;
}

PossibleNodes PayloadPlacement::possible_of(const XnnpackMatch& match) const {
  PossibleNodes possible;
  possible.is_sound = match.is_sound;
  possible.is_certain = match.is_certain;
  add(match.origin, possible);
  const size_t count = std::min(match.candidates.size(), kMaxCandidates);
  possible.is_sound &= count == match.candidates.size();
  for (const XnnpackOrigin& origin : std::span(match.candidates).first(count)) {
    if (origin == match.origin) continue;
    add(origin, possible);
    // What the exporter inserted is on no line of its own, so it is on no line with others.
    possible.is_sound &= !nodes_.of(origin.op).is_layout && !nodes_.of(match.origin.op).is_layout;
  }
  possible.is_certain &= possible.is_sound && possible.nodes.size() == 1;
  return possible;
}

void PayloadPlacement::add(const XnnpackOrigin& origin, PossibleNodes& possible) const {
  const OperatorNode& row = nodes_.of(origin.op);
  if (!row.node.valid()) {
    possible.is_sound = false;
    return;
  }
  if (origin.part == XnnpackPart::Activation && row.activation.valid()) {
    possible.add(row.activation);
  } else {
    possible.add(row.node);
    for (const NodeId node : row.others) possible.add(node);
  }
  const bool lacks_activation = origin.part == XnnpackPart::Activation && !row.activation.valid();
  if (row.is_guess || lacks_activation || origin.part == XnnpackPart::Inserted)
    possible.is_sound = false;
}

// The nodes without operator that `op` does the work of, and those of operators folded into it.
std::vector<NodeId> PayloadPlacement::fused_of(uint32_t op, NodeId self) const {
  std::vector<NodeId> fused = nodes_.of(op).fused;
  if (nodes_.of(op).activation.valid() && !has_activation_event_.contains(op)) {
    fused.push_back(nodes_.of(op).activation);
  }
  if (const auto absorbed = absorbed_by_.find(op); absorbed != absorbed_by_.end()) {
    for (const uint32_t folded : absorbed->second) {
      const OperatorNode& row = nodes_.of(folded);
      if (row.node.valid() && !row.is_layout) fused.push_back(row.node);
      fused.insert(fused.end(), row.fused.begin(), row.fused.end());
    }
  }
  std::sort(fused.begin(), fused.end());
  fused.erase(std::unique(fused.begin(), fused.end()), fused.end());
  std::erase(fused, self);
  return fused;
}

}  // namespace etlens
