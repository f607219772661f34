// SPDX-License-Identifier: Apache-2.0
// Attribution: where does the time of each event go? A chain of functions that return values:
//
//   settle_events   which call or phase each delegate event belongs to, in which unit it counts
//   open_method     the record's method, its nodes, and the program that ran
//   place_sequence  every position of a sequence: a part of the time, and a node
//   build_code      what exists of the method, and what its delegate calls run
//   group_events    occurrences with one signature and one place become one event and one landing
//
// The rules, in short:
//  * Events nest (event_tree.h); an event's own time is its duration without its children's.
//  * A leaf's time goes to one node, the dominating one of its debug handles, and there to the
//    innermost project frame. Inclusive time goes once to every line of the stack.
//  * What cannot be placed on a line stays in a part of its own; nothing is dropped, nothing
//    counted twice, and an opaque partition adds nothing to any line.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/pte/pte_reader.h"
#include "core/join/join.h"

namespace etlens {

struct AttributionRequest {
  std::shared_ptr<const EventLog> log;
  std::shared_ptr<const EtRecord> record;    // may be null
  EventTrees trees;                          // of build_event_trees(*log)
  SharedList<Block> blocks;                  // of group_blocks
  BlockId block;                             // an execution
  std::optional<RecordMethod> method;        // of the record; nullopt leaves everything unplaced
  std::shared_ptr<const EtProgram> program;  // of the same export; may be null
  // Without a record: the program's method that ran; nullptr if it is not known.
  const ProgramMethod* program_method = nullptr;
  // Reads the part of a program's delegate payload that describes operators; empty if that fails.
  std::function<std::vector<uint8_t>(const ProgramDelegate&)> read_payload;
  std::vector<std::string> library_frames;   // globs
  TimeScale clock = TimeScale::Nanoseconds;  // of the dump's ticks
  Backends backends = built_in_backends();
};

// Never fails: what cannot be placed is reported.
Join attribute(AttributionRequest request);

}  // namespace etlens
