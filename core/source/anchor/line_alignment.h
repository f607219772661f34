// SPDX-License-Identifier: Apache-2.0
// Aligns recorded lines with the lines of a document, without knowing the file that they were
// recorded in beyond their numbers and texts.
//
// What is looked for is the cheapest edit of that unknown file which leads to the document. The
// numbers say how many lines, of unknown text, lay between two recorded ones: where the document
// has as many, nothing need have happened there; where it has more or fewer, something was inserted
// or deleted, and that is one edit however many lines it took. A recorded line that is not found
// was deleted (which a gap that shrank explains) or rewritten. Functions may have moved or been
// renamed, at a price.
//
// The cheapest edit alone is a guess. A line is placed only if every edit that is nearly as cheap
// leaves it in the same place; how much more the best of the others costs is the placement's
// margin.
#pragma once

#include <cstdint>
#include <vector>

#include "core/source/anchor/line_candidates.h"

namespace etlens {

struct Placement {
  static constexpr size_t kUnplaced = SIZE_MAX;
  size_t candidate = kUnplaced;  // of LineCandidates::of
  float margin = 0;              // in edits, to the best alternative; of an unplaced line likewise
  float scope_margin = 0;        // likewise, to the best alternative in another function
  bool is_supported = false;     // as many lines as before lie between it and a placed neighbour
};

// One placement per recorded line; those lines must be in ascending order.
std::vector<Placement> align_lines(const SourceIndex& index, const OwnerFit& owners,
                                   const LineCandidates& candidates);

}  // namespace etlens
