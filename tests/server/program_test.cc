// SPDX-License-Identifier: Apache-2.0
// Memory and size of a program, as clients ask for them: with a dump and without, with a record and
// without, of the program that lies there now.
#include <catch2/catch.hpp>

#include <map>
#include <set>

#include "test_paths.h"
#include "tests/support/language_client.h"
#include "tests/support/program_builder.h"
#include "tests/support/server_workspace.h"

namespace etlens::program_test {

using namespace etlens::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

namespace {

const std::string kPricer = ETLENS_EXAMPLES "/pricer";

void copy(MemoryFileSystem& files, const std::string& from, const std::string& to) {
  const Result<Bytes> bytes = real_file_system().read(from);
  if (!bytes) FAIL(bytes.error().message);
  files.put(to, *bytes);
}

MemoryFileSystem pricer() {
  MemoryFileSystem files;
  for (const char* name : {"model.etdp", "model.etrecord", "model.pte", "features.py", "model.py"})
    copy(files, kPricer + "/" + name, "/work/" + std::string(name));
  return files;
}

// One tensor of 256 bytes and one of `bytes`.
std::string program_of(int32_t elements) {
  ProgramBuilder builder;
  builder.method("forward", {{'k', "aten::neg.out", 0, "", {0, 1, 1}}},
                 {.values = {{'t', {64}, 1, 0}, {'t', {elements}, 1, 256}},
                  .inputs = {0},
                  .outputs = {1},
                  .buffer_sizes = {0, 1024}});
  return builder.build();
}

std::string base_name_of(const json& uri) {
  const std::string text = uri;
  return text.substr(text.rfind('/') + 1);
}

uint64_t sum_of_kinds(const json& size) {
  uint64_t sum = 0;
  for (const json& node : size["nodes"]) {
    if (!node.contains("parent")) sum += node["bytes"]["value"].get<uint64_t>();
  }
  return sum;
}

}  // namespace

TEST_CASE("memory and size of the program of the study, on the lines of now", "[server]") {
  MemoryFileSystem files = pricer();
  LanguageClient client(files);
  client.initialize();
  const json memory = client.request("etlens/memory");
  CHECK(memory["why"] == "");
  CHECK(memory["pte"] == "/work/model.pte");
  CHECK(memory["etrecord"] == "/work/model.etrecord");
  REQUIRE(memory["methods"].size() == 1);
  CHECK(memory["methods"][0]["name"] == "forward");
  CHECK(memory["methods"][0]["current"] == true);
  uint64_t at_peak = 0;
  std::set<std::string> files_of_lines;
  for (const json& buffer : memory["buffers"]) {
    REQUIRE(buffer["live"].size() == memory["instructions"].size());
    CHECK(buffer["live"][buffer["peak_instruction"].get<size_t>()] == buffer["peak"]["value"]);
    for (const json& tensor : buffer["tensors"]) {
      at_peak += tensor["at_peak"].get<uint64_t>();
      CHECK(tensor["offset"].get<uint64_t>() + tensor["bytes"]["value"].get<uint64_t>() <=
            buffer["size"]["value"].get<uint64_t>());
      if (!tensor.contains("place")) continue;
      const json& place = memory["places"][tensor["place"].get<size_t>()];
      CHECK(place["anchor"] == "exact");
      files_of_lines.insert(base_name_of(place["uri"]));
    }
  }
  CHECK(at_peak == memory["peak"]["value"].get<uint64_t>());
  CHECK(files_of_lines.contains("features.py"));
  REQUIRE_FALSE(memory["waiting"].empty());
  CHECK_THAT(memory["waiting"][0]["text"].get<std::string>(), Contains("the peak up unused"));

  const json size = client.request("etlens/size");
  CHECK(sum_of_kinds(size) == size["file"]["value"].get<uint64_t>());
  CHECK(size["file"]["value"] == files.stat("/work/model.pte")->size);

  // An edit above moves the lines, at once.
  const std::string text(real_file_system().read(kPricer + "/model.py")->text());
  client.open("/work/model.py", "\n\n" + text);
  const json after = client.request("etlens/memory");
  REQUIRE(after["places"].size() == memory["places"].size());
  for (size_t p = 0; p < after["places"].size(); ++p) {
    const int by = base_name_of(after["places"][p]["uri"]) == "model.py" ? 2 : 0;
    CHECK(after["places"][p]["current_line"] ==
          memory["places"][p]["current_line"].get<int>() + by);
  }
}

TEST_CASE("memory and size without a dump, on lines where a record fits", "[server]") {
  MemoryFileSystem files;
  copy(files, kPricer + "/model.pte", "/work/build/m.pte");
  LanguageClient client(files);
  json capabilities = full_capabilities();
  capabilities["experimental"]["etlens"]["profileChanged"] = true;
  client.initialize(capabilities);
  CHECK(client.request("etlens/status")["state"] == "ready");  // the program, which has not run
  const json alone = client.request("etlens/memory");
  CHECK(alone["why"] == "");
  CHECK(alone["buffers"][0]["size"]["value"] == 204'800);
  CHECK(alone["places"].empty());
  CHECK_FALSE(alone.contains("etrecord"));

  client.take("etlens/profileChanged");
  copy(files, kPricer + "/model.etrecord", "/work/m.etrecord");
  client.notify("workspace/didChangeWatchedFiles",
                {{"changes", {{{"uri", uri_of("/work/m.etrecord")}, {"type", 1}}}}});
  client.advance(3000);
  CHECK(client.count("etlens/profileChanged") > 0);  // clients with pictures ask again
  const json recorded = client.request("etlens/memory");
  CHECK(recorded["etrecord"] == "/work/m.etrecord");
  REQUIRE_FALSE(recorded["places"].empty());
  for (const json& place : recorded["places"]) CHECK_FALSE(place.contains("uri"));

  // The source appears, two lines further down than it was recorded.
  files.put("/work/model.py",
            "\n\n" + std::string(real_file_system().read(kPricer + "/model.py")->text()));
  files.put("/work/m.pte", *real_file_system().read(kPricer + "/model.pte"));
  client.notify("workspace/didChangeWatchedFiles",
                {{"changes", {{{"uri", uri_of("/work/m.pte")}, {"type", 1}}}}});
  client.advance(3000);
  const json placed = client.request("etlens/memory");
  size_t found = 0;
  for (const json& place : placed["places"]) {
    if (place["current_line"].is_null()) continue;
    ++found;
    CHECK(place["current_line"] == place["line"].get<int>() + 2);
  }
  CHECK(found > 0);
}

TEST_CASE("the newest program is shown, and another one when it is there", "[server]") {
  MemoryFileSystem files;
  files.put("/work/m.pte", program_of(32));
  LanguageClient client(files);
  client.initialize();
  CHECK(client.request("etlens/memory")["peak"]["value"] == 256 + 128);
  CHECK(client.request("etlens/memory")["peak"]["text"] == "384 B");
  files.put("/work/m.pte", program_of(64));
  CHECK(client.request("etlens/memory")["peak"]["value"] == 512);
  files.put("/work/n.pte", program_of(128));
  client.notify("workspace/didChangeWatchedFiles",
                {{"changes", {{{"uri", uri_of("/work/n.pte")}, {"type", 1}}}}});
  client.advance(3000);
  CHECK(client.request("etlens/memory")["pte"] == "/work/n.pte");
  const json size = client.request("etlens/size");
  CHECK(size["pte"] == "/work/n.pte");
  CHECK(sum_of_kinds(size) == files.stat("/work/n.pte")->size);
}

TEST_CASE("no program, or none that can be read: one sentence", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.initialize();
  CHECK(client.request("etlens/memory")["why"] ==
        "no .pte program below /work; save the program that was exported there");
  CHECK_THAT(client.request("etlens/size")["why"].get<std::string>(), Contains("no .pte program"));
  files.put("/work/broken.pte", program_of(64).substr(0, 60));
  client.notify("workspace/didChangeWatchedFiles",
                {{"changes", {{{"uri", uri_of("/work/broken.pte")}, {"type", 1}}}}});
  client.advance(3000);
  const json memory = client.request("etlens/memory");
  CHECK_THAT(memory["why"].get<std::string>(), Contains("/work/broken.pte "));
  CHECK(memory["buffers"].empty());
  CHECK(client.request("etlens/size")["nodes"].empty());
}

TEST_CASE("a method is asked for by name", "[server]") {
  MemoryFileSystem files;
  copy(files, ETLENS_TEST_DATA "/release-1.5/methods-forward-portable/model.pte", "/work/m.pte");
  LanguageClient client(files);
  client.initialize();
  const json first = client.request("etlens/memory");
  REQUIRE(first["methods"].size() > 1);
  for (const json& method : first["methods"]) {
    const json chosen = client.request("etlens/memory", {{"method", method["name"]}});
    CHECK(chosen["peak"] == method["peak"]);
    for (const json& other : chosen["methods"])
      CHECK(other["current"] == (other["name"] == method["name"]));
  }
  CHECK(client.request("etlens/memory", {{"method", "nothing"}})["why"] ==
        "/work/m.pte has no method nothing");
}

TEST_CASE("a folder that holds two models: the status says so, once", "[server]") {
  MemoryFileSystem files = pricer();
  for (const char* name : {"model.etdp", "model.etrecord"})
    copy(files, ETLENS_TEST_DATA "/examples/mlp/" + std::string(name),
         "/work/mlp/" + std::string(name));
  // A second dump of the same model, with its own copy of the record, is no other model.
  copy(files, kPricer + "/model.etdp", "/work/again/model.etdp");
  copy(files, kPricer + "/model.etrecord", "/work/again/model.etrecord");
  copy(files, kPricer + "/model.etdp", "/work/model.etdp");  // the newest
  LanguageClient client(files);
  client.initialize();
  CHECK_THAT(client.request("etlens/status")["message"].get<std::string>(),
             EndsWith("; mlp/model.etdp is of another model"));
  // Whoever chose a dump knows.
  client.request("workspace/executeCommand",
                 {{"command", "etlens.selectProfile"},
                  {"arguments", json::array({json{{"etdump", "/work/model.etdp"}}})}});
  client.advance(3000);
  CHECK_THAT(client.request("etlens/status")["message"].get<std::string>(),
             !Contains("another model"));
}

TEST_CASE("many questions about programs at once are answered once each", "[server]") {
  MemoryFileSystem files = pricer();
  LanguageClient client(files);
  client.initialize();
  std::string many;
  for (int id = 900; id < 908; ++id) {
    const json request{{"jsonrpc", "2.0"},
                       {"id", id},
                       {"method", id % 2 == 0 ? "etlens/memory" : "etlens/size"},
                       {"params", json::object()}};
    many += lsp::frame(request.dump());
  }
  client.feed(many);
  std::set<int> answered;
  for (const json& response : client.take_responses()) {
    CHECK(response.contains("result"));
    CHECK(answered.insert(response["id"].get<int>()).second);
  }
  CHECK(answered.size() == 8);
}

}  // namespace etlens::program_test
