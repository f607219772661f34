// SPDX-License-Identifier: Apache-2.0
// Blocks: runs of the same shape, aggregated. The shape is the ordered sequence of a run's events
// without the delegates' own, because a backend may drop or reorder those.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/formats/etdump/event_log.h"
#include "core/join/event_tree.h"

namespace etlens {

using BlockId = Id<struct BlockTag>;

struct Block {
  std::string name;  // `Execute`, `Execute #2`, … in first-seen order; `Default`; the user's own
  bool is_execution = false;  // holds Method::execute
  std::vector<RunId> runs;
  std::vector<SequenceId> sequences;  // distinct, in first-seen order
};

// All blocks of the log, in first-seen order. `trees` has one tree per sequence.
std::vector<Block> group_blocks(const EventLog& log, const EventTrees& trees);

// The block logs its instructions. At the level kProfileMethodOnly it has Method::execute, and at
// most what backends log themselves.
bool logs_instructions(const EventLog& log, const EventTrees& trees, const Block& block);

// One tree per sequence of the log, each built from the sequence's first run.
std::vector<EventTree> build_event_trees(const EventLog& log,
                                         const Backends& backends = built_in_backends());

}  // namespace etlens
