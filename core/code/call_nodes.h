// SPDX-License-Identifier: Apache-2.0
// What a record knows of one delegate call: the node that makes it, the module inside it and the
// handles that the map lists for it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/code/method_context.h"

namespace etlens {

// The delegate call node that an instruction runs; invalid if the record was made before lowering.
NodeId call_node(const MethodContext& context, Instruction instruction);
NodeId call_node(const MethodMap& map, const MethodNodes& nodes, Instruction instruction);

// The lowered module of a call; null if the record does not hold it.
const LoweredModule* lowered_module(const MethodContext& context, Instruction instruction);

// The handles that the map lists for the call; none for releases that list wrong ones.
std::span<const DebugHandle> handles_of_call(const MethodContext& context, Instruction instruction);
std::span<const DebugHandle> handles_of_call(const EtRecord& record, const MethodMap& map,
                                             Instruction instruction);

// A call's nodes in the order in which the backend got them: early records have graphs in another
// order than the payload, but their map lists handles in the payload's.
std::vector<NodeId> in_payload_order(const MethodContext& context, Instruction instruction,
                                     std::vector<NodeId> nodes);

}  // namespace etlens
