// SPDX-License-Identifier: Apache-2.0
// Which nodes of two exports do the same work, and which modules were renamed. Part of match_code.
#pragma once

#include <vector>

#include "core/compare/match_code.h"

namespace etlens {

// Ascending by `before`; each node is in one pair at most.
std::vector<NodePair> match_nodes(const Code& before, const Code& after);

// By path; of the others those whose nodes went to one module of another path, at the same depth.
// Ascending by `before`; the root always corresponds to the root.
std::vector<ModulePair> match_modules(const Code& before, const Code& after,
                                      const std::vector<NodePair>& nodes);

}  // namespace etlens
