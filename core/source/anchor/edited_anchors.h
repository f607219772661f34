// SPDX-License-Identifier: Apache-2.0
// Anchors after a keystroke: carried through the editor's changes by arithmetic, without looking at
// the rest of the file. The whole ladder is climbed only if an edit deleted, split, joined or
// rewrote a line that was placed, or brought the text of one back that was not.
//
// Who must answer at once takes carry_anchors, whose guesses hold until the ladder was climbed.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/source/anchor/anchor.h"
#include "core/source/anchor/line_shift.h"

namespace etlens {

struct CarriedAnchors {
  std::vector<Anchor> anchors;
  // True if arithmetic says all. Else lines that were typed anew stand where their text is, lines
  // that were broken at their most similar piece, and others that were touched have no place.
  bool is_certain = false;
};

// `anchors` of `lines` were those in `before`; `shift` leads from there to `after`. Takes as long
// as a look at each anchor; what is not certain is checked by anchor_after_edits, later.
CarriedAnchors carry_anchors(const Document& before, const std::vector<Anchor>& anchors,
                             const LineShift& shift, const Document& after,
                             const std::vector<RecordedLine>& lines);

// `anchors` of `lines` were those in `before`; `after` is `before` after the edits. `evidence` is
// of `after`; its `known` is not looked at.
std::vector<Anchor> anchor_after_edits(const Document& before, const std::vector<Anchor>& anchors,
                                       std::span<const TextEdit> edits,
                                       const std::shared_ptr<const Document>& after,
                                       const std::vector<RecordedLine>& lines,
                                       const AnchorEvidence& evidence = {});

}  // namespace etlens
