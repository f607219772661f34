// SPDX-License-Identifier: Apache-2.0
// Cuts: what keeps two delegate calls apart.
#pragma once

#include <vector>

#include "core/delegation/delegation.h"

namespace etlens {

// The call `after` needs what the call `before` made: by way of operators on the CPU, or directly.
struct Cut {
  uint32_t before = 0;  // into Delegation::calls
  uint32_t after = 0;
  std::vector<NodeId> nodes;  // on the CPU between them, in graph order
  bool is_direct = false;     // it also reads a value of `before` as it is
};

// Ascending by calls. A node on the CPU is between the last call that it needs and the first one
// that needs it, so that it is in one cut, or in none.
std::vector<Cut> find_cuts(const Delegation& delegation);

}  // namespace etlens
