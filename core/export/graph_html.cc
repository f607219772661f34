// SPDX-License-Identifier: Apache-2.0
#include "core/export/graph_html.h"

#include <fmt/format.h>

#include "core/export/graph_picture.h"
#include "core/export/html.h"
#include "core/export/markup.h"

namespace etlens {
namespace {

void write_section(const ProgramGraph& graph, uint32_t group, const std::vector<bool>& folded,
                   Sink& sink) {
  const std::string title = group == kNone ? "Instructions" : graph_node_title(graph.nodes[group]);
  sink << fmt::format("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n",
                      escape_markup(title));
  if (!write_graph_picture(graph, group, folded, sink))
    sink << "<p>There are too many nodes to draw them. The listing has them.</p>\n";
  sink << "</div>\n";
}

// Groups that contain something: what is inside stands right behind it.
std::vector<uint32_t> open_groups(const ProgramGraph& graph, const std::vector<bool>& folded) {
  std::vector<uint32_t> groups;
  for (uint32_t n = 0; n + 1 < graph.nodes.size(); ++n)
    if (!folded[n] && graph.nodes[n].is_group() && graph.nodes[n + 1].group == n)
      groups.push_back(n);
  return groups;
}

void write_groups(const ProgramGraph& graph, const std::vector<bool>& folded, Sink& sink) {
  const std::vector<uint32_t> groups = open_groups(graph, folded);
  if (groups.empty()) return;
  sink << "<h2>Inside delegate calls</h2>\n";
  for (const uint32_t group : groups) {
    const GraphNode& node = graph.nodes[group];
    sink << fmt::format(
        "<details id=\"g{}\" open><summary>{}{}</summary>\n", group,
        escape_markup(graph_node_title(node)),
        node.instruction == kNone ? "" : fmt::format(", instruction {}", node.instruction));
    write_section(graph, group, folded, sink);
    sink << "</details>\n";
  }
}

}  // namespace

void write_graph_page(const ProgramGraph& graph, GraphFolding folding, std::string_view generator,
                      Sink& sink) {
  const std::vector<bool> folded = folding == GraphFolding::Repeats
                                       ? folded_nodes(graph)
                                       : std::vector<bool>(graph.nodes.size());
  const std::string title = graph_headline(graph);
  sink << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'\">\n<title>"
       << escape_markup(title) << "</title>\n<style>" << kPageStyle << kGraphStyle
       << "</style></head>\n<body>\n<header><h1>" << escape_markup(title)
       << "</h1>\n<p class=\"soft\">Each box is what runs, below what it reads: kernels on the CPU "
          "are orange, delegate calls green, inputs and outputs blue. Choose a delegate call to "
          "see what is inside. Constants are named in the boxes of their readers.</p></header>\n"
          "<main>\n<h2>Instructions</h2>\n";
  write_section(graph, kNone, folded, sink);
  write_groups(graph, folded, sink);
  sink << "<h2>Listing</h2>\n<pre tabindex=\"0\">" << escape_markup(graph_text(graph, folding))
       << "</pre>\n</main>\n<footer>" << escape_markup(generator) << "</footer>\n</body></html>\n";
}

}  // namespace etlens
