// SPDX-License-Identifier: Apache-2.0
// Turns the alignment of one call's events with the operators of its payload into placements.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/backend/xnnpack/alignment.h"
#include "core/backend/xnnpack/operator_nodes.h"
#include "core/backend/xnnpack/possible_nodes.h"

namespace etlens {

class PayloadPlacement {
 public:
  // All references must outlive the object.
  PayloadPlacement(const MethodContext& context, const OperatorNodes& nodes,
                   const XnnpackAlignment& alignment);

  // `match` is one of the alignment's.
  NodePlacement place(const XnnpackMatch& match) const;

 private:
  PossibleNodes possible_of(const XnnpackMatch& match) const;
  void add(const XnnpackOrigin& origin, PossibleNodes& possible) const;
  std::vector<NodeId> fused_of(uint32_t op, NodeId self) const;

  const MethodContext& context_;
  const OperatorNodes& nodes_;
  std::unordered_set<uint32_t> has_activation_event_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> absorbed_by_;
};

}  // namespace etlens
