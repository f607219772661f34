// SPDX-License-Identifier: Apache-2.0
// Join: one block of one dump, tied to one method of a record. Says what each event is and where it
// lands, and how its logged values become ticks; holds no sum. Immutable once built.
//
// Strings belong to two pools: those of events to the log's, those of nodes to the record's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/shared_list.h"
#include "core/code/landing.h"
#include "core/formats/etdump/event_log.h"
#include "core/join/block.h"
#include "core/join/control_match.h"
#include "core/join/delegate_events.h"
#include "core/join/event_tree.h"

namespace etlens {

// A contribution of a dump: all occurrences of one signature that go to the same place.
struct Event {
  EventKey key;  // strings of the log
  EventRole role = EventRole::None;
  DelegateUnit unit = DelegateUnit::Ticks;  // in which its backend counted
  Conversion conversion = Conversion::Ticks;
  ContributionId around;      // the event that contains it; invalid at the top
  bool in_execution = false;  // some occurrence is inside Method::execute, or it is a total

  // False for values that have no length in ticks of their own: cycles, counts, totals.
  bool has_duration() const {
    return conversion == Conversion::Ticks || conversion == Conversion::Constant;
  }
};

struct Join {
  std::shared_ptr<const EventLog> log;
  std::shared_ptr<const EtRecord> record;    // null: events only
  std::shared_ptr<const Landings> landings;  // one row per event
  std::shared_ptr<const Backends> backends;
  EventTrees trees;  // one per sequence of the log; those of the block are settled
  SharedList<Block> blocks;
  BlockId block;  // the one that is joined
  std::vector<Event> events;
  // Per sequence of the block, in the order of Block::sequences: the event of each position, and
  // how its value becomes ticks.
  std::vector<std::vector<ContributionId>> event_of_position;
  std::vector<SequenceConversions> conversions;
  // What an event is called by its purpose, where the kernel's name tells too little: "write-back
  // of layers.0.k_cache".
  std::unordered_map<ContributionId, std::string> titles;
  // The branches and loops of the method whose instructions a program told; none without one.
  std::vector<ControlBody> bodies;
  TimeScale clock = TimeScale::Nanoseconds;  // of the ticks
  LoadReport report;

  const Code& code() const { return *landings->code; }
  const Block& selected() const { return blocks[block.value]; }
  const Event& event(ContributionId id) const { return events[id.value]; }
  // What the event is called in the dump: its name, or the delegate's id for it.
  std::string logged_name(ContributionId id) const;
  // The same for people to read, where the delegate's id is a machine's (JSON).
  std::string readable_name(ContributionId id) const;
  // The backend's id; "" if the event ran on no delegate, "delegate" if nothing names it.
  std::string_view backend_id(ContributionId id) const;
  const Backend& backend_of(ContributionId id) const { return backends->find(backend_id(id)); }
  // The debug handles that tie the event to its nodes: the map's for an instruction, the node's for
  // a delegate event.
  std::vector<DebugHandle> handles_of(ContributionId id) const;
};

}  // namespace etlens
