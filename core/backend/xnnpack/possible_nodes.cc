// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/possible_nodes.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/budget.h"

namespace etlens {
namespace {

// Distinct lines of the nodes; a node without a line is one of its own.
size_t count_lines(const MethodContext& context, const std::vector<NodeId>& nodes) {
  if (nodes.size() == 1) return 1;
  std::set<std::pair<StringId, uint32_t>> lines;
  size_t without = 0;
  for (const NodeId node : nodes) {
    const FrameId frame = context.line_of(node);
    if (!frame.valid()) {
      ++without;
      continue;
    }
    const Frame& row = context.record().frames[frame.value];
    lines.emplace(row.file, row.line);
  }
  return lines.size() + without;
}

}  // namespace

void PossibleNodes::add(NodeId node) {
  go_on(1 + nodes.size() / 16);
  if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
}

NodePlacement place_on_likeliest(const MethodContext& context, const PossibleNodes& possible) {
  NodePlacement placement;
  if (possible.nodes.empty()) return placement;
  placement.node = possible.nodes.front();
  placement.frame = context.line_of(placement.node);
  const size_t lines = count_lines(context, possible.nodes);
  const bool is_aligned = possible.is_certain || (possible.is_sound && lines == 1);
  placement.confidence = is_aligned ? Confidence::Aligned : Confidence::Inferred;
  placement.candidates = is_aligned ? 1 : static_cast<uint32_t>(lines);
  return placement;
}

}  // namespace etlens
