// SPDX-License-Identifier: Apache-2.0
// Delegate calls that do the same in repeated layers, as one row each.
#pragma once

#include <string>
#include <vector>

#include "core/facts/facts.h"

namespace etlens {

struct PartitionGroup {
  std::vector<PartitionId> calls;  // ascending; never empty
  std::string module;              // "layers.0–31.mlp"; "" is the root
  Cost total;                      // of all calls, like the three below
  Cost explained;
  Cost opaque;
  Cost overhead;
};

// Calls are equal if one backend runs the same operators of the same lines in modules that repeat. A
// call of which no node is known is a group of its own. The most costly first; ties in the order of
// execution.
std::vector<PartitionGroup> partition_groups(const Facts& facts);

// Of all that fell back to the CPU between two delegate calls.
Cost cost_of_fallbacks(const Facts& facts);

}  // namespace etlens
