// SPDX-License-Identifier: Apache-2.0
// Runs that the server stores: only where the client says so, and below the workspace.
#include <catch2/catch.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/base/path.h"
#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"

namespace etlens::server_runs_test {

using namespace etlens::test;
namespace fs = std::filesystem;

namespace {

// The workspace of model_workspace() on the disk.
class Workspace {
 public:
  Workspace()
      : folder_(fs::temp_directory_path() / ("etlens-server-runs-" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    folder_ = fs::canonical(folder_);
    put("model.py", Bytes::copy_of(model_source()));
    put("model.etrecord", model_record());
    put("model.etdp", model_dump(2));
  }
  ~Workspace() { fs::remove_all(folder_); }

  void put(const std::string& name, const Bytes& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content.text();
  }
  std::string path(const std::string& name = "") const {
    return name.empty() ? folder_.string() : (folder_ / name).string();
  }

 private:
  fs::path folder_;
};

json range_of(int line) {
  const json place{{"line", line}, {"character", 0}};
  return {{"start", place}, {"end", place}};
}

json open_folder(LanguageClient& client, const Workspace& workspace) {
  client.workspace = workspace.path();
  json capabilities = full_capabilities();
  capabilities["textDocument"]["codeAction"]["codeActionLiteralSupport"] = {
      {"codeActionKind", {{"valueSet", json::array()}}}};
  client.initialize(capabilities);
  client.advance(3000);
  return client.request("etlens/status");
}

}  // namespace

TEST_CASE("runs: the server writes nothing unless the client says so", "[server]") {
  const Workspace workspace;
  LanguageClient client(real_file_system());
  const json status = open_folder(client, workspace);
  CHECK(status["state"] == "ready");
  CHECK_FALSE(status.contains("last_run"));
  CHECK_FALSE(fs::exists(workspace.path(".etlens")));
}

TEST_CASE("runs: a shown dump is stored, and the next one has the change since then", "[server]") {
  const Workspace workspace;
  LanguageClient client(real_file_system());
  client.settings = {{"runs", {{"enabled", true}}}};
  json status = open_folder(client, workspace);
  CHECK(fs::exists(workspace.path(".etlens/runs/1/model.etdp")));
  CHECK_FALSE(status.contains("last_run"));
  workspace.put("model.etdp", model_dump(1));
  client.notify("workspace/didChangeWatchedFiles",
                {{"changes", {{{"uri", "file://" + workspace.path("model.etdp")}, {"type", 2}}}}});
  client.advance(3000);
  status = client.request("etlens/status");
  REQUIRE(status.contains("last_run"));
  const json& last = status["last_run"];
  CHECK(last["change"].get<double>() == Approx(-0.5).margin(0.01));
  CHECK(last["text"] == "−50% since the last run");
  CHECK(last["run"] == 1);
  CHECK(last["selection"]["paths"] == json::array({workspace.path(".etlens/runs/1/model.etdp")}));
  CHECK(status["earlier_runs"].size() == 1);
  CHECK(status["earlier_runs"][0]["text"] == "−50% against the best run");
  CHECK(status["earlier_runs"][0]["selection"] == last["selection"]);
  // What changed is one command away, and in clients without lists of etlens one action.
  client.open(workspace.path("model.py"), model_source());
  const json actions =
      client.request("textDocument/codeAction",
                     {{"textDocument", {{"uri", "file://" + workspace.path("model.py")}}},
                      {"range", range_of(kBlockClassLine)},
                      {"context", {{"diagnostics", json::array()}}}});
  REQUIRE(actions.size() == 1);
  CHECK(actions[0]["title"] == "Compare with the last run");
  CHECK(actions[0]["command"]["command"] == "etlens.selectBaseline");
  CHECK(actions[0]["command"]["arguments"] == json::array({last["selection"]}));
  client.request("workspace/executeCommand", {{"command", "etlens.selectBaseline"},
                                              {"arguments", json::array({last["selection"]})}});
  client.advance(3000);
  status = client.request("etlens/status");
  REQUIRE(status.contains("comparison"));
  CHECK_FALSE(status["comparison"].contains("problem"));
  CHECK(status.contains("last_run"));
  CHECK_FALSE(fs::exists(workspace.path(".etlens/runs/3")));
}

TEST_CASE("runs: a stored copy that the client reports does not take the place of its dump",
          "[server]") {
  const Workspace workspace;
  LanguageClient client(real_file_system());
  client.settings = {{"runs", {{"enabled", true}}}};
  const json before = open_folder(client, workspace);
  const std::string stored = workspace.path(".etlens/runs/1/model.etdp");
  REQUIRE(fs::exists(stored));
  client.notify("workspace/didChangeWatchedFiles",
                {{"changes", {{{"uri", "file://" + stored}, {"type", 1}}}}});
  client.advance(3000);
  const json status = client.request("etlens/status");
  CHECK(status["profile"]["etdump"] == workspace.path("model.etdp"));
  CHECK(status["generation"] == before["generation"]);
  CHECK_FALSE(status.contains("replaced"));
}

TEST_CASE("runs: what the user narrowed down is not stored", "[server]") {
  const Workspace workspace;
  LanguageClient client(real_file_system());
  client.settings = {{"runs", {{"enabled", true}}}, {"statistic", "min"}};
  CHECK(open_folder(client, workspace)["state"] == "ready");
  CHECK_FALSE(fs::exists(workspace.path(".etlens")));
}

}  // namespace etlens::server_runs_test
