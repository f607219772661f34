// SPDX-License-Identifier: Apache-2.0
// A graph as a page and for Graphviz: boxes stand below what they read and beside each other, and
// nothing of a file's text becomes markup.
#include <random>
#include <string>

#include "core/export/graph_dot.h"
#include "core/export/graph_html.h"
#include "core/export/layered_layout.h"
#include "core/workspace/load_graph.h"
#include "test_paths.h"

namespace etlens::graph_page_test {

namespace {

template <typename Write>
std::string written(Write&& write) {
  std::string text;
  Sink sink([&](std::string_view piece) {
    text += piece;
    return true;
  });
  write(sink);
  (void)sink.finish();
  return text;
}

std::string page_of(const ProgramGraph& graph) {
  return written(
      [&](Sink& sink) { write_graph_page(graph, GraphFolding::Repeats, "etlens", sink); });
}

bool overlap(const PicturePoint& a, const BoxSize& of_a, const PicturePoint& b,
             const BoxSize& of_b) {
  return a.x < b.x + of_b.width && b.x < a.x + of_a.width && a.y < b.y + of_b.height &&
         b.y < a.y + of_a.height;
}

}  // namespace

TEST_CASE("graph page: boxes do not overlap and stand below what they read", "[graph]") {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    std::vector<BoxSize> boxes;
    std::vector<BoxLink> links;
    for (uint32_t b = 0; b < 40; ++b) {
      boxes.push_back({20.0 + random() % 200, 20.0 + random() % 40});
      for (uint32_t i = 0; b > 0 && i < random() % 4; ++i)
        links.push_back({static_cast<uint32_t>(random() % b), b});
    }
    links.push_back({30, 3});
    const LayeredLayout layout = lay_out(boxes, links);
    REQUIRE(layout.boxes.size() == boxes.size());
    REQUIRE(layout.links.size() == links.size());
    bool is_right = true;
    for (size_t a = 0; a < boxes.size(); ++a)
      for (size_t b = 0; b < a; ++b)
        is_right = is_right && !overlap(layout.boxes[a], boxes[a], layout.boxes[b], boxes[b]);
    for (size_t l = 0; l < links.size(); ++l) {
      const bool is_back = links[l].from >= links[l].to;
      const double bottom = layout.boxes[links[l].from].y + boxes[links[l].from].height;
      is_right = is_right && (is_back || bottom < layout.boxes[links[l].to].y);
    }
    CHECK(is_right);
  }
  CHECK(lay_out({}, {}).boxes.empty());
}

TEST_CASE("graph page: of a real program, without a script", "[graph]") {
  LoadRequest request;
  request.pte = ETLENS_TEST_DATA "/delegation/own.gated-xnnpack/model.pte";
  request.etrecord = ETLENS_TEST_DATA "/delegation/own.gated-xnnpack/model.etrecord";
  const Result<LoadedGraph> loaded = load_graph(real_file_system(), request);
  REQUIRE(loaded);
  const std::string page = page_of(loaded->graph);
  for (const char* part : {">0: XNNPACK #1</text>", ">DepthwiseConv2d</text>",
                           ">profile_real.py:66</text>", "aten::topk.values", "href=\"#g"})
    CHECK(page.find(part) != std::string::npos);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("http://") == page.find("http://www.w3.org/2000/svg"));
  const std::string dot =
      written([&](Sink& sink) { write_graph_dot(loaded->graph, GraphFolding::Repeats, sink); });
  CHECK(dot.starts_with("digraph {\n"));
  CHECK(std::count(dot.begin(), dot.end(), '{') == std::count(dot.begin(), dot.end(), '}'));
}

TEST_CASE("graph page: texts of files stay texts", "[graph][hostile]") {
  ProgramGraph graph;
  graph.method = "</title><script>";
  graph.code = std::make_shared<const Code>();
  GraphNode& node = graph.nodes.emplace_back();
  node.kind = GraphNodeKind::Kernel;
  node.op = "<b>\"\\";
  CHECK(page_of(graph).find("<script") == std::string::npos);
  CHECK(page_of(graph).find("<b>") == std::string::npos);
  const std::string dot =
      written([&](Sink& sink) { write_graph_dot(graph, GraphFolding::None, sink); });
  CHECK(dot.find("label=\"<b>\\\"\\\\\"") != std::string::npos);
}

TEST_CASE("graph page: a graph that is too large to be looked at is listed alone", "[graph]") {
  ProgramGraph graph;
  graph.method = "forward";
  graph.code = std::make_shared<const Code>();
  for (uint32_t n = 0; n < 5000; ++n) {
    GraphNode& node = graph.nodes.emplace_back();
    node.kind = GraphNodeKind::Kernel;
    node.op = "op" + std::to_string(n);
  }
  const std::string page = page_of(graph);
  CHECK(page.find("too many nodes to draw") != std::string::npos);
  CHECK(page.find("<svg") == std::string::npos);
}

}  // namespace etlens::graph_page_test
