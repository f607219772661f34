// SPDX-License-Identifier: Apache-2.0
// Which call runs a node that has no debug handle: passes make such nodes.
#pragma once

#include <vector>

#include "core/delegation/handle_places.h"
#include "core/delegation/rule_graph.h"

namespace etlens {

// `rows`: of `nodes`, those without a handle, in graph order. `is_out`: which rows are on the CPU, for
// `rows` as the rules of the backend tell; a kernel of the program that no handle has overrules them.
// `calls`: the call of each row, set for `rows`. Nodes that are connected are in one call: in one
// whose nodes are all without a handle, if there is such a call; else in that of their neighbours.
void place_without_handle(const RuleGraph& graph, const std::vector<NodeId>& nodes,
                          const std::vector<size_t>& rows, const HandlePlaces& places,
                          std::vector<bool>& is_out, std::vector<uint32_t>& calls);

}  // namespace etlens
