// SPDX-License-Identifier: Apache-2.0
// Which nodes of a record made before lowering were left out of every delegate call.
#pragma once

#include <vector>

#include "core/delegation/handle_places.h"
#include "core/delegation/rule_graph.h"
#include "core/delegation/rules.h"

namespace etlens {

// The call of each of `nodes`, which are in graph order; kNone: on the CPU. `rules` may be null.
std::vector<uint32_t> calls_of_nodes(const RuleGraph& graph, const std::vector<NodeId>& nodes,
                                     const HandlePlaces& places, const BackendRules* rules,
                                     const ExportFacts& facts);

}  // namespace etlens
