// SPDX-License-Identifier: Apache-2.0
// What a record knows of one delegate call: its nodes and its payload.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/join/placement.h"

namespace etlens {

// The part of a delegate's payload that describes operators, for the delegate instruction of the
// method that is attributed; empty if there is none. Comes from a .pte, where the record holds no
// payload.
using PayloadSource = std::function<std::vector<uint8_t>(int32_t instruction)>;

// The delegate call node that an instruction runs; invalid if the record was made before lowering.
NodeId call_node(const MethodContext& context, int32_t instruction);

NodeId call_node(const MethodMap& map, const MethodNodes& nodes, int32_t instruction);

// The lowered module of a call; null if the record does not hold it.
const LoweredModule* lowered_module(const MethodContext& context, int32_t instruction);

// The nodes that a delegate call runs, in graph order: those of its original module where the
// record holds it, else those of the map's handles for its instruction. A handle may be shared with
// nodes that run outside the call; what an operator instruction ran is left out.
std::vector<NodeId> nodes_of_call(const MethodContext& context, const OperatorPlacer& operators,
                                  int32_t instruction);

// The same nodes in the order in which the backend got them: early records have graphs in another
// order than the payload, but their map lists handles in the payload's.
std::vector<NodeId> in_payload_order(const MethodContext& context, int32_t instruction,
                                     std::vector<NodeId> nodes);

// The handles that the map lists for the call; none for releases that list wrong ones.
std::span<const DebugHandle> handles_of_call(const MethodContext& context, int32_t instruction);
std::span<const DebugHandle> handles_of_call(const EtRecord& record, const MethodMap& map,
                                             int32_t instruction);

// How the values of a set of nodes connect them.
class NodeFlow {
 public:
  NodeFlow(const EtRecord& record, std::span<const NodeId> nodes);

  // The node of the set that makes the node's i-th input; invalid if none does.
  NodeId source(NodeId node, size_t i = 0) const;
  // The nodes of the set that read what the node makes, in graph order.
  std::vector<NodeId> readers(NodeId node) const;

 private:
  struct Value {
    GraphId graph;
    StringId name;
    friend bool operator==(const Value&, const Value&) = default;
  };
  struct ValueHash {
    size_t operator()(const Value& v) const {
      return (uint64_t{v.graph.value} << 32 | v.name.value) * 0x9E3779B97F4A7C15ull;
    }
  };

  const EtRecord& record_;
  std::unordered_map<Value, NodeId, ValueHash> makers_;
  std::unordered_multimap<Value, NodeId, ValueHash> readers_;
};

}  // namespace etlens
