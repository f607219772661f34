// SPDX-License-Identifier: Apache-2.0
// Stacks and the tree of costs: what pictures of the whole are drawn from. Every contribution with
// an amount is in exactly one leaf, so that the leaves add up to the total of the statistic.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/facts/facts.h"

namespace etlens {

// The recorded lines through which the contribution was reached, outermost first: the last is the
// one that carries it. Empty if it is on no line.
std::vector<LineId> lines_of(const Facts& facts, ContributionId id);
// The modules that own it, outermost first; the root is left out. Empty if none does.
std::vector<ModuleId> modules_of(const Facts& facts, ContributionId id);

enum class CostNodeKind : uint8_t {
  Whole,      // of everything
  Module,     // one that owns contributions
  Part,       // of the time that is on no line: by Part, and where it is one by delegate call
  Line,       // the line that carries the contributions below it
  Operation,  // all contributions of one name there
};

struct CostNode {
  CostNodeKind kind = CostNodeKind::Whole;
  uint32_t parent = kNone;         // row of the tree
  uint32_t depth = 0;              // 0: the whole
  ModuleId module;                 // of Module
  LineId line;                     // of Line
  Part part = Part::Line;          // of Part
  PartitionId partition;           // of Part, if it is one delegate call's
  std::string name;                // of Operation
  Cost cost;                       // with what is below it
  Amount self;                     // without
  std::vector<uint32_t> children;  // rows; the most costly first
};

// Row 0 is the whole; parents stand before children.
std::vector<CostNode> cost_tree(const Facts& facts);

}  // namespace etlens
