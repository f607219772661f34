// SPDX-License-Identifier: Apache-2.0
// `etlens graph` as it is called.
#include <map>
#include <set>

#include "tests/cli/sandbox.h"
#include "tests/support/json_schema.h"

namespace etlens::graph_cli_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

void copy(const Sandbox& box, const std::string& from, const std::string& to) {
  std::filesystem::copy_file(std::string(ETLENS_TEST_DATA "/") + from, box.path(to));
}

json graph_of(const Sandbox& box, const std::string& options = "") {
  const Outcome outcome = box.run("graph --format json " + options);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  json graph = json::parse(outcome.out);
  CHECK(misfit(graph, json::parse(box.run("schema graph").out)) == "");
  for (const json& edge : graph["edges"]) {
    CHECK(edge["from"] < graph["nodes"].size());
    CHECK(edge["to"] < graph["nodes"].size());
  }
  return graph;
}

std::map<std::string, size_t> kinds(const json& graph) {
  std::map<std::string, size_t> counts;
  for (const json& node : graph["nodes"]) ++counts[node["kind"]];
  return counts;
}

}  // namespace

TEST_CASE("cli: graph of a program and its record", "[cli]") {
  const Sandbox box;
  copy(box, "delegation/own.gated-xnnpack/model.pte", "model.pte");
  copy(box, "delegation/own.gated-xnnpack/model.etrecord", "model.etrecord");
  const json graph = graph_of(box);
  CHECK(graph["schema"] == "etlens/graph@1");
  CHECK(graph["method"] == "forward");
  CHECK(graph["pte"].get<std::string>().ends_with("/model.pte"));
  CHECK(kinds(graph)["delegate_call"] == 3);
  std::set<std::string> inside;
  size_t with_lines = 0;
  for (const json& node : graph["nodes"]) {
    if (node["kind"] != "operator") continue;
    inside.insert(node["op"]);
    with_lines += node["line"].is_null() ? 0 : 1;
    CHECK(graph["nodes"][node["group"].get<size_t>()]["kind"] == "delegate_call");
  }
  CHECK(inside.contains("Conv2d"));
  CHECK(with_lines > 0);
  const Outcome text = box.run("graph");
  CHECK(text.out.find("Conv2d(") != std::string::npos);
  CHECK(text.out.find("XNNPACK #1(") != std::string::npos);
  CHECK(box.run("graph model.pte").out == text.out);
  const Outcome dot = box.run("graph --format dot");
  CHECK(dot.out.starts_with("digraph {\n"));
  CHECK(dot.out.find("subgraph cluster_") != std::string::npos);
}

TEST_CASE("cli: graph of a program alone, and of a record alone", "[cli]") {
  const Sandbox box;
  copy(box, "delegation/own.gated-ethosu-arm/model.etrecord", "model.etrecord");
  const json record = graph_of(box);
  CHECK(record["pte"].is_null());
  CHECK(kinds(record)["kernel"] > 0);  // it was made before lowering
  CHECK(graph_of(box, "model.etrecord") == record);
  copy(box, "delegation/own.gated-ethosu-arm/model.pte", "model.pte");
  CHECK(kinds(graph_of(box))["operator"] > 0);  // those of the record
  const json program = graph_of(box, "--no-etrecord");
  CHECK(program["etrecord"].is_null());
  CHECK(kinds(program)["operator"] == 0);
}

TEST_CASE("cli: graph of what it cannot read is one sentence", "[cli]") {
  Sandbox box;
  check_refused(box.run("graph"), {"no .pte program and no ETRecord below ", "--pte"});
  check_refused(box.run("graph missing"), {"missing", "No such file"});
  box.put("text.pte", "no program");
  check_refused(box.run("graph text.pte"), {"text.pte"});
  copy(box, "delegation/own.gated-xnnpack/model.pte", "model.pte");
  check_refused(box.run("graph model.pte --method decode"), {"has no method decode"});
}

}  // namespace etlens::graph_cli_test
