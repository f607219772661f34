// SPDX-License-Identifier: Apache-2.0
// The edge program of the shown method as text: a node per line, with its time and its source line
// beside it; what a delegate call runs is indented below it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/facts/prepared.h"

namespace etlens {

struct EdgeProgramLine {
  std::string text;
  NodeId node;  // invalid for remarks
  LineId line;  // where the node's source is; invalid if the profile has no such line
  Rollup sum;   // of the node's events
};

struct EdgeProgram {
  std::vector<EdgeProgramLine> lines;  // without line breaks
  std::string text() const;
};

EdgeProgram edge_program(const PreparedProfile& prepared, std::optional<TimeScale> unit);

}  // namespace etlens
