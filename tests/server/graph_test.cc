// SPDX-License-Identifier: Apache-2.0
// etlens/graph: the graph of what is shown, with a dump and without, of a program and of a record
// alone, on the lines of now; and one sentence where there is none.
#include <catch2/catch.hpp>

#include <set>

#include "test_paths.h"
#include "tests/support/language_client.h"
#include "tests/support/program_builder.h"
#include "tests/support/server_workspace.h"

namespace etlens::graph_test {

using namespace etlens::test;
using Catch::Matchers::Contains;

namespace {

const std::string kPricer = ETLENS_EXAMPLES "/pricer/";

void copy(MemoryFileSystem& files, const std::string& from, const std::string& to) {
  const Result<Bytes> bytes = real_file_system().read(from);
  if (!bytes) FAIL(bytes.error().message);
  files.put(to, *bytes);
}

MemoryFileSystem pricer(const std::vector<std::string>& names) {
  MemoryFileSystem files;
  for (const std::string& name : names) copy(files, kPricer + name, "/work/" + name);
  return files;
}

void look_again(LanguageClient& client, const std::string& name, int type) {
  client.notify("workspace/didChangeWatchedFiles",
                {{"changes", {{{"uri", uri_of("/work/" + name)}, {"type", type}}}}});
  client.advance(20'000);
}

std::string line_of(const json& row) { return row["recorded_path"].dump() + row["line"].dump(); }

// Of its edges and groups all are rows of nodes, and of its lines all are among the places. How
// many nodes have a line.
size_t check_whole(const json& result) {
  const json& graph = result["graph"];
  std::set<std::string> places;
  for (const json& place : result["places"]) CHECK(places.insert(line_of(place)).second);
  size_t with_line = 0;
  const size_t count = graph["nodes"].size();
  CHECK(result["titles"].size() == count);
  for (size_t n = 0; n < count; ++n) {
    const json& node = graph["nodes"][n];
    CHECK(node["id"] == n);
    if (!node["group"].is_null()) CHECK(node["group"].get<size_t>() < n);
    if (node["line"].is_null()) continue;
    ++with_line;
    CHECK(places.contains(line_of(node)));
  }
  for (const json& edge : graph["edges"])
    CHECK((edge["from"].get<size_t>() < count && edge["to"].get<size_t>() < count));
  return with_line;
}

}  // namespace

TEST_CASE("the graph of the program that is shown, on the lines of now", "[server]") {
  MemoryFileSystem files =
      pricer({"model.etdp", "model.etrecord", "model.pte", "features.py", "model.py"});
  LanguageClient client(files);
  client.initialize();
  const json result = client.request("etlens/graph");
  CHECK(result["why"] == "");
  CHECK_THAT(result["headline"].get<std::string>(), Contains("forward: 44 instructions"));
  CHECK(result["graph"]["schema"] == "etlens/graph@1");
  CHECK(result["graph"]["pte"] == "/work/model.pte");
  CHECK(result["graph"]["etrecord"] == "/work/model.etrecord");
  CHECK(result["graph"]["edges"].size() == 79);
  CHECK(result["methods"] == json::array({{{"name", "forward"}, {"current", true}}}));
  CHECK(check_whole(result) > 10);
  for (const json& place : result["places"]) CHECK(place["anchor"] == "exact");

  // It is kept, and the lines follow the texts.
  const std::string text(real_file_system().read(kPricer + "model.py")->text());
  client.open("/work/model.py", "\n\n" + text);
  const json after = client.request("etlens/graph");
  CHECK(after["graph"] == result["graph"]);
  REQUIRE(after["places"].size() == result["places"].size());
  size_t moved = 0;
  for (size_t p = 0; p < after["places"].size(); ++p)
    moved += after["places"][p]["current_line"] != result["places"][p]["current_line"];
  CHECK(moved > 0);
}

TEST_CASE("the graph of an export that has not run, and of a record alone", "[server]") {
  MemoryFileSystem files = pricer({"model.etrecord", "model.pte", "model.py", "features.py"});
  LanguageClient client(files);
  client.initialize();
  const json of_program = client.request("etlens/graph");
  CHECK(of_program["why"] == "");
  CHECK(of_program["graph"]["pte"] == "/work/model.pte");

  MemoryFileSystem record = pricer({"model.etrecord", "model.py", "features.py"});
  LanguageClient other(record);
  other.initialize();
  const json alone = other.request("etlens/graph");
  CHECK(alone["why"] == "");
  CHECK(alone["graph"]["pte"].is_null());
  CHECK(alone["graph"]["etrecord"] == "/work/model.etrecord");
  CHECK(check_whole(alone) > 10);
  CHECK(alone["methods"] == json::array({{{"name", "forward"}, {"current", true}}}));
  CHECK_THAT(other.request("etlens/graph", {{"method", "nothing"}})["why"].get<std::string>(),
             Contains("no .pte program"));
}

TEST_CASE("a dump without a program: the graph of its record", "[server]") {
  MemoryFileSystem files = pricer({"model.etdp", "model.etrecord", "model.py", "features.py"});
  ProgramBuilder other;
  other.method("forward", {{'k', "aten::neg.out", 0, "", {0, 1, 1}}},
               {.values = {{'t', {64}, 1, 0}, {'t', {64}, 1, 256}},
                .inputs = {0},
                .outputs = {1},
                .buffer_sizes = {0, 1024}});
  files.put("/work/elsewhere/of_another_model.pte", other.build());
  LanguageClient client(files);
  client.initialize();
  const json result = client.request("etlens/graph");
  CHECK(result["why"] == "");
  CHECK(result["graph"]["etrecord"] == "/work/model.etrecord");
  CHECK(result["graph"]["pte"].is_null());
  CHECK(check_whole(result) > 10);
}

TEST_CASE("a method of the graph is asked for by name", "[server]") {
  MemoryFileSystem files;
  copy(files, ETLENS_TEST_DATA "/release-1.5/methods-forward-portable/model.pte", "/work/m.pte");
  LanguageClient client(files);
  client.initialize();
  const json first = client.request("etlens/graph");
  REQUIRE(first["methods"].size() > 1);
  for (const json& method : first["methods"]) {
    const json chosen = client.request("etlens/graph", {{"method", method["name"]}});
    CHECK(chosen["graph"]["method"] == method["name"]);
    for (const json& row : chosen["methods"])
      CHECK(row["current"] == (row["name"] == method["name"]));
  }
  const json none = client.request("etlens/graph", {{"method", "nothing"}});
  CHECK(none["why"] == "/work/m.pte has no method nothing");
  CHECK_FALSE(none.contains("graph"));
}

TEST_CASE("no program, or a broken one: one sentence and no graph", "[server]") {
  MemoryFileSystem files;
  files.put("/work/model.py", "import torch\n");
  LanguageClient client(files);
  client.initialize();
  CHECK(client.request("etlens/graph")["why"] ==
        "no .pte program below /work; save the program that was exported there");
  const std::string whole(real_file_system().read(kPricer + "model.pte")->text());
  size_t refused = 0;
  for (const size_t kept : {size_t{12}, size_t{60}, whole.size() / 2, whole.size() - 100}) {
    CAPTURE(kept);
    files.put("/work/broken.pte", whole.substr(0, kept));
    look_again(client, "broken.pte", 2);
    const json broken = client.request("etlens/graph");
    const std::string why = broken["why"];
    CHECK(why.empty() == broken.contains("graph"));
    CHECK(why.find('\n') == std::string::npos);
    if (why.empty()) continue;
    CHECK_THAT(why, Contains("/work/"));
    ++refused;
  }
  CHECK(refused > 1);
  // What is whole again is shown again.
  files.put("/work/broken.pte", whole);
  look_again(client, "broken.pte", 2);
  CHECK(client.request("etlens/graph")["why"] == "");
}

TEST_CASE("many questions about graphs at once are answered once each", "[server]") {
  MemoryFileSystem files;
  copy(files, ETLENS_TEST_DATA "/release-1.5/methods-forward-portable/model.pte", "/work/m.pte");
  LanguageClient client(files);
  client.initialize();
  const json methods = client.request("etlens/memory")["methods"];
  REQUIRE(methods.size() > 1);
  std::string many;
  for (int id = 900; id < 908; ++id) {
    const json params{{"method", methods[static_cast<size_t>(id) % 2]["name"]}};
    const json request{
        {"jsonrpc", "2.0"}, {"id", id}, {"method", "etlens/graph"}, {"params", params}};
    many += lsp::frame(request.dump());
  }
  client.feed(many);
  std::set<int> answered;
  for (const json& response : client.take_responses()) {
    CHECK(response["result"]["why"] == "");
    CHECK(response["result"]["graph"]["method"] ==
          methods[response["id"].get<size_t>() % 2]["name"]);
    CHECK(answered.insert(response["id"].get<int>()).second);
  }
  CHECK(answered.size() == 8);
}

}  // namespace etlens::graph_test
