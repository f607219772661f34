// SPDX-License-Identifier: Apache-2.0
// The edge program of the shown method as text: a node per line, with its cost and its source line
// beside it; what a delegate call runs is indented below it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/time_scale.h"
#include "core/facts/facts.h"

namespace etlens {

struct EdgeProgramLine {
  std::string text;
  NodeId node;            // invalid for remarks
  LineId line;            // where the node's source is; invalid if the code has no such line
  Cost cost;              // of the node's events; 0 if it has none
  ModuleId module;        // the deepest that the node is of; invalid if nothing tells
  PartitionId partition;  // the delegate call that the node is, or that runs it; invalid on the CPU
};

struct EdgeProgram {
  std::vector<EdgeProgramLine> lines;  // without line breaks
  std::string text() const;
};

// `unit`: of times; nullopt: chosen for each value.
EdgeProgram edge_program(const Facts& facts, std::optional<TimeScale> unit);

}  // namespace etlens
