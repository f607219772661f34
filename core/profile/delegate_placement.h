// SPDX-License-Identifier: Apache-2.0
// Places the events that a backend reported inside one of its calls.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/artifact/event_log.h"
#include "core/profile/placement.h"

namespace etlens {

// The nodes that a delegate call runs, in graph order: those of its original module where the record
// holds it, else those of the map's handles for its instruction. A handle may be shared with nodes
// that run outside the call; what an operator instruction ran is left out.
std::vector<NodeId> nodes_of_call(const MethodContext& context, const OperatorPlacer& operators,
                                  int32_t instruction);

// One placement per event of the call, in the order in which they were reported. A placement without
// a node leaves the event's time with the whole call.
std::vector<Placement> place_delegate_events(const MethodContext& context, const EventLog& log,
                                             int32_t instruction, std::span<const EventKey> events);

}  // namespace etlens
