// SPDX-License-Identifier: Apache-2.0
// Finds recorded lines that the alignment left out because they no longer stand between their
// neighbours: swapped or moved within their function, or moved into a helper that is called where
// they were.
#pragma once

#include <optional>
#include <vector>

#include "core/source/anchor/line_alignment.h"

namespace etlens {

// Per recorded line its place, or nothing. Adds to `placed`; may send an edited line on to the
// helper that its statement became a call of. `placements`: what the alignment said, also of the
// lines that it was not sure enough of.
void place_moved_lines(const SourceIndex& index, const OwnerFit& owners, LineCandidates& candidates,
                       const std::vector<Placement>& placements,
                       std::vector<std::optional<Candidate>>& placed);

// Per recorded line the scope that its function is now; kNone if that is not known.
std::vector<uint32_t> home_scopes(const OwnerFit& owners, const LineCandidates& candidates,
                                  const std::vector<std::optional<Candidate>>& placed);

}  // namespace etlens
