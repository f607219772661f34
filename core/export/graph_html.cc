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

enum class Groups : uint8_t { Open, Closed };

void write_groups(const ProgramGraph& graph, const std::vector<bool>& folded, Groups state,
                  Sink& sink) {
  for (const uint32_t group : open_groups(graph, folded)) {
    const GraphNode& node = graph.nodes[group];
    sink << fmt::format(
        "<details id=\"g{}\"{}><summary>{}{}</summary>\n", group,
        state == Groups::Open ? " open" : "", escape_markup(graph_node_title(node)),
        node.instruction == kNone ? "" : fmt::format(", instruction {}", node.instruction));
    write_section(graph, group, folded, sink);
    sink << "</details>\n";
  }
}

// Of pictures of the graph, those inside of delegate calls too.
size_t box_count(const ProgramGraph& graph, const std::vector<bool>& folded) {
  size_t count = 0;
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    count += !folded[n] && graph.nodes[n].kind != GraphNodeKind::Constant ? 1 : 0;
  return count;
}

constexpr size_t kMostInSection = 600;
constexpr std::string_view kColours =
    "Each box is what runs, below what it reads: kernels on the CPU are orange, delegate calls "
    "green, inputs and outputs blue. Choose a delegate call to see what is inside. Constants are "
    "named in the boxes of their readers.";

}  // namespace

void write_graph_section(const ProgramGraph& graph, std::string_view id, Sink& sink) {
  const std::vector<bool> folded = folded_nodes(graph);
  sink << "<section><h2 id=\"" << id << "\">Program graph</h2>\n<p class=\"soft\">"
       << escape_markup(graph_headline(graph)) << ".</p>\n";
  const size_t boxes = box_count(graph, folded);
  if (boxes > kMostInSection) {
    sink << fmt::format(
        "<p>The pictures are left out: they have {} boxes, and a report has at most {}. "
        "<code>etlens graph</code> writes them to a page of their own.</p>\n</section>\n",
        boxes, kMostInSection);
    return;
  }
  sink << "<details><summary>What each instruction reads and makes</summary>\n<p "
          "class=\"soft\">"
       << kColours << "</p>\n";
  write_section(graph, kNone, folded, sink);
  write_groups(graph, folded, Groups::Closed, sink);
  sink << "</details>\n</section>\n";
}

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
       << escape_markup(title) << "</title>\n<style>" << kPageStyle << kGraphStyle << kListingStyle
       << "</style></head>\n<body>\n<header><h1>" << escape_markup(title)
       << "</h1>\n<p class=\"soft\">" << kColours
       << "</p></header>\n"
          "<main>\n<h2>Instructions</h2>\n";
  write_section(graph, kNone, folded, sink);
  if (!open_groups(graph, folded).empty()) {
    sink << "<h2>Inside delegate calls</h2>\n";
    write_groups(graph, folded, Groups::Open, sink);
  }
  sink << "<h2>Listing</h2>\n<pre tabindex=\"0\">" << escape_markup(graph_text(graph, folding))
       << "</pre>\n</main>\n<footer>" << escape_markup(generator) << "</footer>\n</body></html>\n";
}

}  // namespace etlens
