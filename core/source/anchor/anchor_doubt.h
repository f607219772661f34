// SPDX-License-Identifier: Apache-2.0
// Which of the alignment's placements are certain enough to be shown: the part of the ladder that
// abstains.
#pragma once

#include <optional>
#include <vector>

#include "core/source/anchor/line_alignment.h"

namespace etlens {

// Per recorded line its place, or nothing where another explanation is nearly as good or something
// speaks against it.
std::vector<std::optional<Candidate>> certain_places(const PythonSyntax& syntax,
                                                     const OwnerFit& owners,
                                                     const LineCandidates& candidates,
                                                     const std::vector<Placement>& placements);

// A line of the document is the place of one recorded line, or of pieces of one statement. Of
// others that share one the cheapest keeps it, if it is cheaper than the next.
void drop_shared_lines(std::vector<std::optional<Candidate>>& placed);

}  // namespace etlens
