// SPDX-License-Identifier: Apache-2.0
// Which file of the workspace is the one that was recorded: below symbolic links, among copies.
#include <catch2/catch.hpp>

#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"

namespace etlens::source_places_test {

using namespace etlens::test;
using Catch::Matchers::Contains;

namespace {

void initialize(LanguageClient& client, const std::string& root) {
  client.request("initialize", {{"processId", nullptr},
                                {"rootUri", uri_of(root)},
                                {"capabilities", full_capabilities()},
                                {"workspaceFolders", {{{"uri", uri_of(root)}, {"name", "w"}}}}});
  client.notify("initialized");
}

void close(LanguageClient& client, const std::string& path) {
  client.notify("textDocument/didClose", {{"textDocument", {{"uri", uri_of(path)}}}});
}

// The model's files in the folder where they were exported.
MemoryFileSystem exported_here() {
  const MemoryFileSystem model = model_workspace();
  MemoryFileSystem files;
  for (const char* name : {"/model.py", "/model.etdp", "/model.etrecord"})
    files.put(std::string("/recorded") + name, *model.read(std::string("/work") + name));
  return files;
}

// The storyteller, exported on another machine, in /work.
MemoryFileSystem storyteller() {
  MemoryFileSystem files;
  for (const std::string name :
       {"layers.py", "model.py", "rope.py", "model.etdp", "model.etrecord", "model.pte"})
    files.put("/work/" + name, read_file(ETLENS_EXAMPLES "/storyteller/" + name));
  return files;
}

void copy(MemoryFileSystem& files, const std::string& from, const std::string& to) {
  files.put(to, *files.read(from));
}

std::string text_of(const MemoryFileSystem& files, const std::string& path) {
  return std::string(files.read(path)->text());
}

std::map<std::string, std::string> warnings(LanguageClient& client) {
  std::map<std::string, std::string> rows;
  for (const json& row : client.request_list("etlens/status", "warnings"))
    rows[row["id"]] = row["first"];
  return rows;
}

}  // namespace

TEST_CASE("a workspace that is opened through a symbolic link has its hints", "[server]") {
  MemoryFileSystem files = exported_here();
  files.link("/home/me/net", "/recorded");
  LanguageClient client(files);
  initialize(client, "/home/me/net");
  client.open("/home/me/net/model.py", model_source());
  client.advance(1000);
  CHECK(client.hints("/home/me/net/model.py").size() == 10);
  // Whatever leads somewhere leads below the folder as it was opened.
  const json line = client.request("etlens/hotLines")["lines"][0];
  CHECK(line["uri"] == uri_of("/home/me/net/model.py"));
  close(client, "/home/me/net/model.py");
  CHECK(client.request("etlens/hotLines")["lines"][0]["uri"] == uri_of("/home/me/net/model.py"));
}

TEST_CASE("a file that is opened by another name than its workspace's has its hints", "[server]") {
  MemoryFileSystem files = exported_here();
  files.link("/home/me/net", "/recorded");
  const auto [root, opened] = GENERATE(table<std::string, std::string>(
      {{"/recorded", "/home/me/net"}, {"/home/me/net", "/recorded"}}));
  LanguageClient client(files);
  initialize(client, root);
  const std::string path = opened + "/model.py";
  client.open(path, model_source());
  client.advance(1000);
  CHECK(client.hints(path).size() == 10);
  // They follow its text, and what leads to the file leads to the one that is open.
  client.change(path, 2, {{{"text", "# new\n" + model_source()}}});
  CHECK(client.hints(path).contains(kTopkLine + 1));
  CHECK(client.request("etlens/hotLines")["lines"][0]["uri"] == uri_of(path));
  // Under both names the workspace's has them: one text has one place.
  client.open(root + "/model.py", model_source());
  CHECK(client.hints(root + "/model.py").size() == 10);
  CHECK(client.hints(path).empty());
  close(client, root + "/model.py");
  CHECK(client.hints(path).contains(kTopkLine + 1));
  // Another file of that name is another file.
  files.put("/elsewhere/model.py", model_source());
  client.open("/elsewhere/model.py", model_source());
  CHECK(client.hints("/elsewhere/model.py").empty());
}

TEST_CASE("a file that another model was measured in says so, and a click shows that one",
          "[server]") {
  MemoryFileSystem files;
  for (const std::string name :
       {"layers.py", "model.py", "rope.py", "model.etdp", "model.etrecord"})
    files.put("/work/b/" + name, read_file(ETLENS_EXAMPLES "/storyteller/" + name));
  const MemoryFileSystem model = model_workspace();
  for (const std::string name : {"/model.py", "/model.etrecord", "/model.etdp"})
    files.put("/work/a" + name, *model.read("/work" + name));  // the newest
  LanguageClient client(files);
  client.initialize();
  const std::string layers = text_of(files, "/work/b/layers.py");
  client.open("/work/b/layers.py", layers);
  client.advance(1000);
  CHECK(client.request("etlens/status")["profile"]["etdump"] == "/work/a/model.etdp");
  const json of_layers{{"textDocument", {{"uri", uri_of("/work/b/layers.py")}}}};
  const json lenses = client.request("textDocument/codeLens", of_layers);
  REQUIRE(lenses.size() == 1);
  CHECK(lenses[0]["command"]["title"] == "measured in b/model.etdp");
  client.request("workspace/executeCommand", {{"command", lenses[0]["command"]["command"]},
                                              {"arguments", lenses[0]["command"]["arguments"]}});
  client.advance(1000);
  CHECK(client.request("etlens/status")["profile"]["etdump"] == "/work/b/model.etdp");
  CHECK(client.hints("/work/b/layers.py").size() > 10);
  CHECK_FALSE(client.request("etlens/status").contains("replaced"));  // it is older
  // And back, from the other one's file.
  client.open("/work/a/model.py", model_source());
  const json back = client.request("textDocument/codeLens",
                                   {{"textDocument", {{"uri", uri_of("/work/a/model.py")}}}});
  REQUIRE(back.size() == 1);
  CHECK(back[0]["command"]["title"] == "measured in a/model.etdp");
  client.request("workspace/executeCommand", {{"command", back[0]["command"]["command"]},
                                              {"arguments", back[0]["command"]["arguments"]}});
  client.advance(1000);
  const json status = client.request("etlens/status");
  CHECK(status["profile"]["etdump"] == "/work/a/model.etdp");
  CHECK_FALSE(status.contains("replaced"));  // it is newer, but of other sources
  // A file of that name with another text was measured in neither.
  client.open("/work/c/layers.py", "import torch\n\nclass Other(torch.nn.Module):\n    pass\n");
  const json other = client.request("textDocument/codeLens",
                                    {{"textDocument", {{"uri", uri_of("/work/c/layers.py")}}}});
  REQUIRE(other.size() == 1);
  CHECK(other[0]["command"]["title"].get<std::string>().find("no numbers: ") == 0);
}

TEST_CASE("of a source and its copy the one beside the other sources has the hints", "[server]") {
  MemoryFileSystem files = storyteller();
  copy(files, "/work/layers.py", "/work/old/layers.py");
  copy(files, "/work/layers.py", "/work/build/lib/layers.py");
  LanguageClient client(files);
  client.initialize();
  const std::string layers = text_of(files, "/work/layers.py");
  for (const char* path : {"/work/old/layers.py", "/work/layers.py"}) client.open(path, layers);
  client.advance(1000);
  CHECK(client.hints("/work/layers.py").size() > 10);
  CHECK(client.hints("/work/old/layers.py").empty());
  CHECK_THAT(warnings(client)["source-copied"], Contains("/work/layers.py, not /work/"));
  CHECK_FALSE(warnings(client).contains("source-ambiguous"));
  // The copy says where they are.
  const json lenses = client.request("textDocument/codeLens",
                                     {{"textDocument", {{"uri", uri_of("/work/old/layers.py")}}}});
  REQUIRE(lenses.size() == 1);
  CHECK(lenses[0]["command"]["title"] ==
        "no numbers: they are in layers.py, which this is a copy of");
}

TEST_CASE("of sources that were copied together the one that is open has the hints", "[server]") {
  MemoryFileSystem files = storyteller();
  for (const std::string name : {"layers.py", "model.py", "rope.py"}) {
    copy(files, "/work/" + name, "/work/a/" + name);
    copy(files, "/work/" + name, "/work/b/" + name);
    files.remove("/work/" + name);
  }
  LanguageClient client(files);
  client.initialize();
  const std::string layers = text_of(files, "/work/a/layers.py");
  client.open("/work/b/layers.py", layers);
  client.advance(1000);
  CHECK(client.hints("/work/b/layers.py").size() > 10);
  CHECK_THAT(warnings(client)["source-ambiguous"], Contains("could be /work/"));
  // The first stays as long as it is open.
  client.open("/work/a/layers.py", layers);
  CHECK(client.hints("/work/a/layers.py").empty());
  CHECK(client.hints("/work/b/layers.py").size() > 10);
  close(client, "/work/b/layers.py");
  CHECK(client.hints("/work/a/layers.py").size() > 10);
  CHECK(client.hints("/work/b/layers.py").empty());
}

}  // namespace etlens::source_places_test
