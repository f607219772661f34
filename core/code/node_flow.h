// SPDX-License-Identifier: Apache-2.0
// How the values of a set of nodes connect them.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/formats/etrecord/etrecord.h"

namespace etlens {

class NodeFlow {
 public:
  // `record` must outlive the object.
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
