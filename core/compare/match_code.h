// SPDX-License-Identifier: Apache-2.0
// What corresponds to what in two exports of a program: the same source exported twice, refactored,
// changed, quantized, or lowered to another backend.
//
// The same export: everything to itself. Otherwise
//   nodes     by module path, operator and order; in modules that were renamed by their sequence
//   modules   by path; those with another one by their nodes
//   lines     by anchoring the lines of each record in the text of the other: certain where both
//             directions agree and the text is the same. Elsewhere by nodes that do equal work,
//             which know no file: statements that were split, joined or moved end up in groups.
//             Anchors that only one direction gives, or of text that was edited, count where nodes
//             say nothing. A function that was rewritten altogether is one group
//
// Lines correspond in groups, because a line may have been split in two: costs are compared where
// both sides are complete, never half of a group.
#pragma once

#include <memory>
#include <vector>

#include "core/code/code.h"
#include "core/compare/recorded_text.h"

namespace etlens {

struct NodePair {
  NodeId before;
  NodeId after;
  bool is_equal = false;  // same operator on the same shapes
};

// Lines that do the same work; one on each side for a line that was left alone.
struct LineGroup {
  std::vector<LineId> before;  // ascending; not empty
  std::vector<LineId> after;   // likewise
};

struct ModulePair {
  ModuleId before;
  ModuleId after;
};

struct CodeMatch {
  bool is_identical = false;
  std::vector<NodePair> nodes;      // ascending by `before`
  std::vector<LineGroup> lines;     // ascending by the first line before
  std::vector<ModulePair> modules;  // ascending by `before`
};

CodeMatch match_code(const Code& before, const SourceTexts& texts_before, const Code& after,
                     const SourceTexts& texts_after);

}  // namespace etlens
