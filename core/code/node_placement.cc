// SPDX-License-Identifier: Apache-2.0
#include "core/code/node_placement.h"

#include <algorithm>
#include <set>

#include "core/base/budget.h"

namespace etlens {

std::string_view name_of(Confidence confidence) {
  switch (confidence) {
    case Confidence::Exact:
      return "exact";
    case Confidence::Aligned:
      return "aligned";
    case Confidence::Recovered:
      return "recovered";
    case Confidence::Inferred:
      return "inferred";
    case Confidence::Partition:
      return "partition";
  }
  return "partition";
}

NodePlacement place_on_dominating(const MethodContext& context, std::span<const NodeId> nodes,
                                  bool is_certain) {
  NodePlacement placement;
  if (nodes.empty()) return placement;
  go_on(nodes.size());
  const auto better = [&](NodeId a, NodeId b) {
    const OperatorRank x = rank_of_operator(context.operator_of(a));
    const OperatorRank y = rank_of_operator(context.operator_of(b));
    return x != y ? x < y : a < b;
  };
  placement.node = *std::min_element(nodes.begin(), nodes.end(), better);
  placement.frame = context.line_of(placement.node);
  for (const NodeId node : nodes) {
    if (node != placement.node) placement.fused.push_back(node);
  }
  if (is_certain) return placement;
  std::set<std::pair<StringId, uint32_t>> lines;
  for (const NodeId node : nodes) {
    if (const FrameId frame = context.line_of(node); frame.valid()) {
      const Frame& row = context.record().frames[frame.value];
      lines.emplace(row.file, row.line);
    }
  }
  if (lines.size() > 1) {
    placement.confidence = Confidence::Inferred;
    placement.candidates = static_cast<uint32_t>(lines.size());
    placement.fused.clear();  // alternatives, not further work
  }
  return placement;
}

}  // namespace etlens
