// SPDX-License-Identifier: Apache-2.0
// Nodes of a record as nodes of a graph.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/program_graph/program_graph.h"

namespace etlens {

// Who makes a value, and which one it is.
struct MadeValue {
  std::vector<uint32_t> makers;  // rows of nodes
  uint32_t value = 0;            // row of values
};

class RecordNodes {
 public:
  // Both must outlive the object; the graph has the code of a record.
  explicit RecordNodes(ProgramGraph& graph);

  // Inside the group these names are values that are made outside of it.
  using Names = std::unordered_map<std::string_view, MadeValue>;

  // Appends the nodes, and their edges. Parameters that `outside` does not have become constants of
  // the group. Returns what the graph's names stand for at the end.
  Names add(std::span<const NodeId> nodes, uint32_t group, Names outside);

  // A value of the record's graph, with its shape.
  uint32_t add_value(GraphId graph, StringId name);

 private:
  uint32_t depth_of(uint32_t group) const;
  void add_node(NodeId id, uint32_t group, Names& names);
  void read(uint32_t row, const Node& node, uint32_t group, Names& names);

  ProgramGraph& graph_;
  const EtRecord& record_;
  std::unordered_map<uint32_t, std::vector<GraphId>> inside_;  // graphs, by the node that runs them
  std::unordered_map<uint64_t, std::string_view> shapes_;      // by graph and name
};

// Fills the node's name, line and module.
void place_node(const Code& code, NodeId id, GraphNode& node);
// "[1, 64] float32" as shape and type.
void set_type(std::string_view text, GraphValue& value);

}  // namespace etlens
