// SPDX-License-Identifier: Apache-2.0
// How often the graphs of control flow ran, by the events of the dump: the branches of cond, the
// bodies of map and scan. One instruction of each graph runs once whenever the graph does.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/code/code.h"
#include "core/formats/etdump/event_log.h"
#include "core/formats/pte/program.h"
#include "core/join/block.h"
#include "core/join/control_match.h"

namespace etlens {

struct BodyRuns {
  NodeId node;              // the cond, map or scan
  LineId line;              // of that node; invalid if it has none
  uint32_t number = 0;      // among the node's graphs: 0 and 1 are the branches of cond
  uint64_t shown = 0;       // how often it ran in each execution of the joined block
  uint64_t least = 0;       // in one execution, over all of the method in the dump
  uint64_t most = 0;        // the same
  uint64_t executions = 0;  // of the method in the dump
  uint64_t taken_in = 0;    // of these: it ran at least once
};

struct ControlRuns {
  std::vector<BodyRuns> bodies;
  // Per line of the code, ascending: bodies that have an operator there, or whose node stands
  // there. Empty without bodies.
  std::vector<std::vector<uint32_t>> of_line;
  // Per line: the body that all operators of the line are in directly; kNone for no single one.
  std::vector<uint32_t> around_line;
};

// "cond", "map", "scan".
std::string_view operation_of(const Code& code, const BodyRuns& body);
// "true branch", "false branch", "body".
std::string_view part_of_body(std::string_view operation, uint32_t number);

struct ControlRunsRequest {
  const EventLog& log;
  const EventTrees& trees;
  std::span<const Block> blocks;
  BlockId block;  // that is joined
  const EtProgram& program;
  const ProgramMethod& method;  // of the program: that the block ran
  const Code& code;
};

// Empty where the numbers contradict each other (a runtime that does not log each instruction), or
// where another block may be one of several methods.
ControlRuns count_control_runs(const ControlRunsRequest& request,
                               const std::vector<ControlBody>& bodies);

}  // namespace etlens
