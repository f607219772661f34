// SPDX-License-Identifier: Apache-2.0
// How the values of a set of nodes connect them.
#pragma once

#include <cstdint>
#include <span>
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
  // A value by its graph and name, with a place in the set of nodes.
  struct Use {
    GraphId graph;
    StringId name;
    uint32_t place = 0;
    NodeId node;
    friend auto operator<=>(const Use&, const Use&) = default;
  };
  static std::span<const Use> uses_of(const std::vector<Use>& uses, GraphId graph, StringId name);

  const EtRecord& record_;
  std::vector<Use> makers_;   // ascending: the first of several counts
  std::vector<Use> readers_;  // ascending
};

}  // namespace etlens
