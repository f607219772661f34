// SPDX-License-Identifier: Apache-2.0
// A method's graph as a listing: a line for each node that runs, in its order, with what it reads
// and makes, and its source line; what a delegate call runs is indented below it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/program_graph/program_graph.h"

namespace etlens {

enum class GraphFolding : uint8_t {
  Repeats,  // of runs that repeat the first alone
  None,
};

// "forward: 27 instructions, 3 delegate calls with 24 operators, 61 edges".
std::string graph_headline(const ProgramGraph& graph);
std::string graph_text(const ProgramGraph& graph, GraphFolding folding);

// Of the repeats all nodes but those of the first run, and what is inside of them: one per node.
std::vector<bool> folded_nodes(const ProgramGraph& graph);

// What a node is called: "aten::mul.out", "XNNPACK #2", "jump to 9".
std::string graph_node_title(const GraphNode& node);
// "%5 [1, 64] float32"; of a record "%aten_mul [1, 64] float32".
std::string graph_value_text(const ProgramGraph& graph, uint32_t value, bool with_type);
// "model.py:61", or "".
std::string graph_line_text(const ProgramGraph& graph, const GraphNode& node);

}  // namespace etlens
