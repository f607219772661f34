// SPDX-License-Identifier: Apache-2.0
// Finds the lines of functions that are gone, under another name: in the function that has most of
// them in their order.
#pragma once

#include <optional>
#include <vector>

#include "core/source/anchor/line_candidates.h"

namespace etlens {

// Per recorded line its place, or nothing; adds to `placed` lines of functions of which none is
// placed.
void place_renamed_functions(const SourceIndex& index, const OwnerFit& owners,
                             const LineCandidates& candidates,
                             std::vector<std::optional<Candidate>>& placed);

}  // namespace etlens
