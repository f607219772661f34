// SPDX-License-Identifier: Apache-2.0
// Gathers the positions of a block's sequences into events: occurrences with the same signature
// that go to the same place are one contribution.
#pragma once

#include <vector>

#include "core/join/join.h"

namespace etlens {

// What attribution says of one position of a sequence.
struct PlacedEvent {
  Part part = Part::Framework;
  const NodePlacement* placement = nullptr;  // null: nothing is known; kept by whoever placed it
};
using PlacedSequence = std::vector<PlacedEvent>;  // one per position

struct GroupedEvents {
  std::vector<Event> events;
  std::vector<std::vector<ContributionId>> event_of_position;
  Landings landings;
};

// `placed` and `conversions`: one per sequence of the block. Positions without time (debug and
// allocation events) get no event.
GroupedEvents group_events(const EventLog& log, const EventTrees& trees, const Block& block,
                           const std::vector<PlacedSequence>& placed,
                           const std::vector<SequenceConversions>& conversions,
                           std::shared_ptr<const Code> code);

}  // namespace etlens
