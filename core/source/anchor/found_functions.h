// SPDX-License-Identifier: Apache-2.0
// Finds functions of which no line could be placed, because they were moved past others or have
// another name now: in the function that has most of their lines, in their order.
#pragma once

#include <optional>
#include <vector>

#include "core/source/anchor/line_candidates.h"

namespace etlens {

// Per recorded line its place, or nothing; adds to `placed` lines of functions of which none is
// placed.
void place_found_functions(const SourceIndex& index, const OwnerFit& owners,
                           const LineCandidates& candidates,
                           std::vector<std::optional<Candidate>>& placed);

}  // namespace etlens
