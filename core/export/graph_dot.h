// SPDX-License-Identifier: Apache-2.0
// A method's graph in Graphviz' language, for its `dot`: delegate calls and control flow are
// clusters, jumps are dashed.
#pragma once

#include "core/export/sink.h"
#include "core/render/graph_text.h"

namespace etlens {

void write_graph_dot(const ProgramGraph& graph, GraphFolding folding, Sink& sink);

}  // namespace etlens
