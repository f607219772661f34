// SPDX-License-Identifier: Apache-2.0
// From the nodes that an event may be of to its placement.
#pragma once

#include <vector>

#include "core/code/node_placement.h"

namespace etlens {

// Where an event's time may go: every node that is possible, the likeliest first.
struct PossibleNodes {
  std::vector<NodeId> nodes;
  bool is_certain = false;  // there is one
  bool is_sound = false;    // the right one is among them, and none of them is a guess

  void add(NodeId node);  // once
};

// On the likeliest node's line. Aligned where no other line is possible, else Inferred.
NodePlacement place_on_likeliest(const MethodContext& context, const PossibleNodes& possible);

}  // namespace etlens
