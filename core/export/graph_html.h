// SPDX-License-Identifier: Apache-2.0
// A method's graph as a page: one file without a script, with a picture of the instructions, one of
// each delegate call, and the listing.
#pragma once

#include <string_view>

#include "core/export/sink.h"
#include "core/render/graph_text.h"

namespace etlens {

// `generator`: etlens with its version.
void write_graph_page(const ProgramGraph& graph, GraphFolding folding, std::string_view generator,
                      Sink& sink);

// Its section of another page, which has kGraphStyle: the pictures, folded away, or the sentence why
// they are left out. `id`: of its heading.
void write_graph_section(const ProgramGraph& graph, std::string_view id, Sink& sink);

}  // namespace etlens
