// SPDX-License-Identifier: Apache-2.0
// Anchors after a keystroke: carried through the editor's changes by arithmetic, without looking at the
// rest of the file. The whole ladder is climbed only if an edit deleted, split, joined or rewrote a line
// that was placed, or brought the text of one back that was not.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/source/anchor.h"

namespace etlens {

// `anchors` of `lines` were those in `before`; `after` is `before` after the edits. `evidence` is of
// `after`; its `known` is not looked at.
std::vector<Anchor> anchor_after_edits(const Document& before, const std::vector<Anchor>& anchors,
                                       std::span<const TextEdit> edits,
                                       const std::shared_ptr<const Document>& after,
                                       const std::vector<RecordedLine>& lines,
                                       const AnchorEvidence& evidence = {});

}  // namespace etlens
