// SPDX-License-Identifier: Apache-2.0
// A picture of a graph's nodes, or of what is inside of one of its groups: SVG for a page that has
// kGraphStyle.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/export/sink.h"
#include "core/program_graph/program_graph.h"

namespace etlens {

// `group`: whose nodes are drawn; kNone for those of none. `folded`: nodes that are left out.
// False, and nothing is written, if there are more than can be looked at.
bool write_graph_picture(const ProgramGraph& graph, uint32_t group, const std::vector<bool>& folded,
                         Sink& sink);

extern const std::string_view kGraphStyle;
extern const std::string_view kListingStyle;  // of a page of its own: the text below the pictures

}  // namespace etlens
