// SPDX-License-Identifier: Apache-2.0
// ValueGraph: which node made each value of a method, and which values it was made of. Looks
// through delegate calls and into their original modules.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/code/code.h"
#include "core/code/method_nodes.h"

namespace etlens {

// One of the values that a node makes.
struct NodeOutput {
  NodeId node;          // invalid: not made by a node (an input, a weight)
  uint32_t output = 0;  // which of its outputs

  friend bool operator==(const NodeOutput&, const NodeOutput&) = default;
};

class ValueGraph {
 public:
  // Of the code's method; empty without a record or a method. The code must outlive the graph.
  explicit ValueGraph(const Code& code);

  // What the node reads, each once; weights and inputs left out.
  std::vector<NodeOutput> sources(NodeId node) const;
  // What the method returns, in order; mutated buffers first.
  std::vector<NodeOutput> results() const;
  // What leaves a delegate call, in graph order, or in the call's own where the record has its
  // module.
  std::vector<NodeOutput> results_of(const Partition& partition) const;

  // The node makes what the operator of its debug handle made before it was decomposed: the last of
  // several that share the handle, or a copy of that one.
  bool ends_handle(NodeId node) const;
  // Nodes of the handle, in graph order.
  std::span<const NodeId> nodes_of(DebugHandle handle) const;
  const std::vector<NodeId>& all() const;

 private:
  struct Key {
    GraphId graph;
    StringId name;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return (uint64_t{key.graph.value} << 32 | key.name.value) * 0x9E3779B97F4A7C15ull;
    }
  };

  NodeOutput maker_of(GraphId graph, StringId name) const;
  std::vector<NodeOutput> results_of_graph(GraphId graph) const;
  bool is_read_outside(const Partition& partition, GraphId graph, StringId name) const;

  const Code& code_;
  std::optional<MethodNodes> nodes_;
  std::unordered_map<Key, NodeOutput, KeyHash> makers_;
  std::unordered_multimap<Key, NodeId, KeyHash> readers_;
};

}  // namespace etlens
