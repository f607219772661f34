// SPDX-License-Identifier: Apache-2.0
// One delegate call as a backend's placer gets it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/backend/call_placer.h"
#include "core/join/operator_placer.h"

namespace etlens {

// The part of a delegate's payload that describes operators, for the delegate instruction of the
// method that is attributed; empty if there is none. Comes from a .pte, where the record holds no
// payload.
using PayloadSource = std::function<std::vector<uint8_t>(Instruction instruction)>;

// The nodes that a delegate call runs, in graph order: those of its original module where the
// record holds it, else those of the map's handles for its instruction. A handle may be shared with
// nodes that run outside the call; what an operator instruction ran is left out.
std::vector<NodeId> nodes_of_call(const MethodContext& context, const OperatorPlacer& operators,
                                  Instruction instruction);

// All that is known of the call before its events are. `nodes`: of nodes_of_call. `payloads` may be
// empty.
DelegateCall describe_call(const MethodContext& context, Instruction instruction,
                           std::vector<NodeId> nodes, const PayloadSource& payloads);

}  // namespace etlens
