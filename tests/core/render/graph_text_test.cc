// SPDX-License-Identifier: Apache-2.0
// Listings of real programs and records, as they are printed: tests/golden/graph has them.
#include "core/render/graph_text.h"

#include <fstream>
#include <string>

#include "core/workspace/load_graph.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/txtar.h"

namespace etlens::graph_text_test {

using namespace etlens::test;

namespace {

ProgramGraph load(const std::string& pte, const std::string& etrecord) {
  LoadRequest request;
  const std::string data = ETLENS_TEST_DATA "/";
  if (!pte.empty()) request.pte = data + pte;
  if (!etrecord.empty()) request.etrecord = data + etrecord;
  request.recovers = false;
  Result<LoadedGraph> loaded = load_graph(real_file_system(), request);
  if (!loaded) FAIL(loaded.error().message);
  return std::move(loaded->graph);
}

void check_golden(const std::string& name, const std::string& text) {
  const std::string path = ETLENS_GOLDEN "/graph/" + name + ".txt";
  if (update_golden()) std::ofstream(path, std::ios::binary) << text;
  CHECK(read_file(path) == text);
}

}  // namespace

TEST_CASE("graph: the listing of a program with delegate calls and its record", "[graph]") {
  const std::string folder = "delegation/own.gated-xnnpack";
  check_golden("gated-xnnpack", graph_text(load(folder + "/model.pte", folder + "/model.etrecord"),
                                           GraphFolding::Repeats));
}

TEST_CASE("graph: the listing of a program with a branch", "[graph]") {
  check_golden("gate", graph_text(load("memory/gate/greedy.pte", ""), GraphFolding::Repeats));
}

TEST_CASE("graph: the listing of a record alone", "[graph]") {
  const std::string folder = "delegation/own.gated-vulkan";
  check_golden("gated-vulkan-record",
               graph_text(load("", folder + "/model.etrecord"), GraphFolding::Repeats));
}

TEST_CASE("graph: what repeats is listed once", "[graph]") {
  ProgramGraph graph;
  graph.method = "forward";
  graph.code = std::make_shared<const Code>();
  const auto add = [&](const std::string& op, uint32_t group) {
    GraphNode& node = graph.nodes.emplace_back();
    node.kind = group == kNone ? GraphNodeKind::Kernel : GraphNodeKind::Operator;
    node.group = group;
    node.op = op;
    if (group == kNone) node.instruction = static_cast<uint32_t>(graph.nodes.size() - 1);
  };
  for (int layer = 0; layer < 5; ++layer)
    for (const char* op : {"norm", "linear", "mul", "add"}) add(op, kNone);
  add("head", kNone);
  find_repeats(graph);
  REQUIRE(graph.repeats.size() == 1);
  CHECK(graph_text(graph, GraphFolding::Repeats) ==
        "forward: 21 instructions, 0 edges\n"
        "inputs none\n"
        "    0  norm()\n"
        "    1  linear()\n"
        "    2  mul()\n"
        "    3  add()\n"
        "       the same 4 nodes 4 more times, instructions 4 to 19\n"
        "   20  head()\n"
        "outputs none\n");
  CHECK(graph_text(graph, GraphFolding::None).find("   19  add()\n") != std::string::npos);
}

}  // namespace etlens::graph_text_test
