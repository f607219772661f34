// SPDX-License-Identifier: Apache-2.0
// Runs that are no whole execution: what broke off, and what a dump without any execution holds
// instead.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/formats/etdump/event_log.h"
#include "core/join/block.h"
#include "core/join/event_tree.h"

namespace etlens {

// An execution that fails has no Method::execute from release 0.5 on. Its instructions are there.
// Before, it is told by what it lacks (unfinished.h), and its block is no execution any more.
struct BrokenRuns {
  uint64_t count = 0;
  std::string first;  // "block 4 of the dump, in or after instruction 12"
};
BrokenRuns find_broken_runs(const EventLog& log, const EventTrees& trees,
                            const std::vector<Block>& blocks);

// Why no block is an execution, and what to do about it: a sentence that does not name the file.
std::string why_no_execution(const EventLog& log, const EventTrees& trees,
                             const std::vector<Block>& blocks);

}  // namespace etlens
