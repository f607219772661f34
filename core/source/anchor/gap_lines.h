// SPDX-License-Identifier: Apache-2.0
// Finds recorded lines that were edited, between placed neighbours: what the alignment was not sure
// of may be plain once the lines around are certain, for then few lines are left to choose from.
#pragma once

#include <optional>
#include <vector>

#include "core/source/anchor/line_candidates.h"

namespace etlens {

// Per recorded line its place, or nothing; adds to `placed`. A line is placed where it is much more
// alike than anywhere else in the gap, and nothing else that was lost there is as much like it.
void place_in_gaps(const SourceIndex& index, const OwnerFit& owners, LineCandidates& candidates,
                   std::vector<std::optional<Candidate>>& placed);

}  // namespace etlens
