// SPDX-License-Identifier: Apache-2.0
// Stacks and the tree of costs: what pictures of the whole are drawn from. Every contribution with
// an amount is in exactly one leaf, so that the leaves add up to the total of the statistic.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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
  Module,     // one that owns contributions, or several that repeat
  Part,       // of the time that is on no line: by Part, and where it is one by delegate call
  Line,       // the line that carries the contributions below it
  Operation,  // all contributions of one name and one backend there
};

struct CostNode {
  CostNodeKind kind = CostNodeKind::Whole;
  uint32_t parent = kNone;        // row of the tree
  uint32_t depth = 0;             // 0: the whole
  std::vector<ModuleId> modules;  // of Module: one, or those that are folded
  LineId line;                    // of Line
  Part part = Part::Line;         // of Part
  PartitionId partition;          // of Part, if it is one delegate call's
  std::string name;   // of Operation; of Module below the one around it: "layers.0–31"
  std::string where;  // of Operation: the label of its backend; "" outside of calls
  Cost cost;          // with what is below it
  Cost found;         // of what the filter finds; all without one
  Amount self;        // without what is below it
  std::vector<uint32_t> children;  // rows, in the order that was asked for
};

enum class CostOrder : uint8_t {
  Cost,       // the most costly first
  Execution,  // in the order in which they ran first
};

struct CostTreeOptions {
  CostOrder order = CostOrder::Cost;
  // Modules of one class that stand beside each other under running numbers are one, and so is
  // what delegate calls took beyond their operators.
  bool folds_repeated = false;
  std::string_view filter;  // as EventFilter takes it
};

// Row 0 is the whole; parents stand before children.
std::vector<CostNode> cost_tree(const Facts& facts, const CostTreeOptions& options = {});

}  // namespace etlens
