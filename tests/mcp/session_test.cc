// SPDX-License-Identifier: Apache-2.0
// How a conversation goes: both ways to begin it, roots, errors, cancellation.
#include <catch2/catch.hpp>
#include <chrono>

#include "core/base/cancellation.h"
#include "mcp/workspace.h"
#include "tests/support/agent.h"
#include "tests/support/endless_files.h"
#include "tests/support/server_workspace.h"

namespace etlens::session_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;
constexpr int kUnsupportedVersion = -32022;

json stateless(json params = json::object(), const char* version = "2026-07-28") {
  params["_meta"]["io.modelcontextprotocol/protocolVersion"] = version;
  params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json::object();
  return params;
}

int code_of(const json& answer) { return answer.at("error").at("code").get<int>(); }

std::string text_of(const json& result) { return result.at("content").at(0).at("text"); }

// A disk whose folders take a while on its own clock, in which somebody cancels.
class SlowFiles final : public FileSystem {
 public:
  explicit SlowFiles(const FileSystem& files) : files_(files) {}

  CancelToken cancel;
  mutable std::chrono::milliseconds now{};

  Result<FileStamp> stat(std::string_view path) const override { return files_.stat(path); }
  Result<Bytes> read(std::string_view path) const override { return files_.read(path); }
  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override {
    return files_.read_range(path, offset, size);
  }
  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override {
    now += std::chrono::milliseconds(50);
    cancel.cancel();
    return files_.list(folder);
  }

 private:
  const FileSystem& files_;
};

}  // namespace

TEST_CASE("mcp: a session takes the newest revision that is not newer than the client's", "[mcp]") {
  const MemoryFileSystem files = model_workspace();
  const std::vector<std::pair<std::string, std::string>> versions{
      {"2025-11-25", "2025-11-25"}, {"2025-06-18", "2025-06-18"}, {"2025-03-26", "2024-11-05"},
      {"2024-11-05", "2024-11-05"}, {"2030-01-01", "2025-11-25"}, {"1999-01-01", "2025-11-25"}};
  for (const auto& [asked, given] : versions) {
    Agent agent(files);
    const json result = agent.initialize(json::object(), asked)["result"];
    CHECK(result["protocolVersion"] == given);
    CHECK(result["serverInfo"]["name"] == "etlens");
    CHECK(result["capabilities"].contains("tools"));
    CHECK_FALSE(result.contains("resultType"));
  }
}

TEST_CASE("mcp: a session begins with initialize, once, and ping is always answered", "[mcp]") {
  const MemoryFileSystem files = model_workspace();
  Agent agent(files);
  CHECK(code_of(agent.request("tools/list")) == kInvalidRequest);
  CHECK(agent.request("ping")["result"] == json::object());
  CHECK(code_of(agent.request("initialize")) == kInvalidParams);
  agent.initialize();
  CHECK(code_of(agent.request("initialize", {{"protocolVersion", "2025-11-25"}})) ==
        kInvalidRequest);
  CHECK(code_of(agent.request("resources/list")) == kMethodNotFound);
  CHECK(agent.request("tools/list")["result"]["tools"].size() == 9);
}

TEST_CASE("mcp: without a session every request says what it speaks", "[mcp]") {
  const MemoryFileSystem files = model_workspace();
  Agent agent(files);
  const json found = agent.request("server/discover", stateless())["result"];
  CHECK(found["supportedVersions"][0] == "2026-07-28");
  CHECK(found["resultType"] == "complete");
  CHECK(found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "etlens");
  CHECK(found["cacheScope"] == "public");
  const json list = agent.request("tools/list", stateless())["result"];
  CHECK(list["tools"].size() == 9);
  CHECK(list["ttlMs"].is_number_integer());
  const json answer =
      agent.request("tools/call", stateless({{"name", "profile_summary"}}))["result"];
  CHECK(answer["resultType"] == "complete");
  CHECK(answer["structuredContent"]["measured"]["method"] == "forward");

  const json refused = agent.request("tools/list", stateless({}, "1900-01-01"));
  CHECK(code_of(refused) == kUnsupportedVersion);
  CHECK(refused["error"]["data"]["requested"] == "1900-01-01");
  CHECK(refused["error"]["data"]["supported"][0] == "2026-07-28");
  const json bare{{"_meta", {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"}}}};
  CHECK(code_of(agent.request("tools/list", bare)) == kInvalidParams);
}

TEST_CASE("mcp: what a tool cannot do is its answer, what a request is not is an error", "[mcp]") {
  const MemoryFileSystem files = model_workspace();
  Agent agent(files);
  agent.initialize();
  CHECK(code_of(agent.request("tools/call", {{"name", "make_coffee"}})) == kInvalidParams);
  CHECK(code_of(agent.request("tools/call", json::object())) == kInvalidParams);
  CHECK(code_of(agent.request("tools/list", {{"cursor", "2"}})) == kInvalidParams);
  CHECK(code_of(agent.request("prompts/get", {{"name", "x"}})) == kInvalidParams);
  const std::vector<std::pair<json, std::string>> calls{
      {{{"limmit", 3}}, "there is no argument limmit; there are path, offset"},
      {{{"limit", "3"}}, "limit is not a whole number from 0 on"},
      {{{"limit", -3}}, "limit is not a whole number from 0 on"},
      {{{"path", 3}}, "path is not a string"},
      {{{"path", "other.py"}}, "/work/other.py"},
      {{{"path", "/etc/passwd"}}, "/etc/passwd is not in the workspace; give a path below /work"},
      {{{"path", "../etc/passwd"}}, "../etc/passwd is not in the workspace"},
      {{{"path", std::string("model.py\0x", 10)}}, "is not in the workspace"},
      {{{"measure", "joy"}}, "there is no measure joy here; there is: time"},
      {{{"method", "backward"}}, "backward"},
      {{{"statistic", "mode"}}, "there is no statistic mode"},
      {{{"max_bytes", 100}}, "ask for max_bytes"},
      {"text", "the arguments are not an object"}};
  for (const auto& [arguments, sentence] : calls) {
    INFO(sentence);
    const json result = agent.call("hot_lines", arguments);
    CHECK(result["isError"] == true);
    CHECK_FALSE(result.contains("structuredContent"));
    CHECK_THAT(text_of(result), Catch::Contains(sentence));
  }
  CHECK(agent.server().unanswered() == 0);
}

TEST_CASE("mcp: a call that does not end is given up, and the next is answered",
          "[mcp][thread][endless]") {
  const MemoryFileSystem memory = model_workspace();
  EndlessFiles files(memory, kRecordPath);
  Agent agent(files);
  agent.loop().set_patience(std::chrono::milliseconds(300));
  agent.initialize();
  const json given_up = agent.call("hot_lines");
  CHECK(given_up["isError"] == true);
  CHECK_THAT(text_of(given_up), Catch::Contains("etlens gave this call up"));
  files.is_endless = false;
  CHECK(agent.call("hot_lines")["structuredContent"]["lines"].size() > 3);
  CHECK(agent.server().unanswered() == 0);
}

TEST_CASE("mcp: a client that goes while its calls wait is answered nothing", "[mcp]") {
  const MemoryFileSystem files = model_workspace();
  Agent agent(files, {}, "/work");
  agent.initialize({{"roots", {{"listChanged", true}}}});
  CHECK(agent.request("tools/call", {{"name", "check"}}) == nullptr);
  CHECK(agent.request("tools/call", {{"name", "hot_lines"}}) == nullptr);
  agent.transport().end();
  agent.loop().run_until_idle();
  CHECK(agent.server().has_exited());
  CHECK(agent.take().empty());
}

TEST_CASE("mcp: roots are those of the command line, the client, or the working folder", "[mcp]") {
  const MemoryFileSystem files = model_workspace();
  const json with_roots{{"roots", {{"listChanged", true}}}};
  SECTION("the client's are asked for, and calls wait for them") {
    Agent agent(files, {}, "/elsewhere");
    agent.request("initialize", {{"protocolVersion", "2025-11-25"}, {"capabilities", with_roots}});
    agent.notify("notifications/initialized");
    const json asked = agent.take().at(0);
    CHECK(asked["method"] == "roots/list");
    CHECK(agent.request("tools/call", {{"name", "check"}}) == nullptr);
    const json roots = json::array({{{"uri", "file:///work"}, {"name", "model"}}});
    agent.feed(
        json{{"jsonrpc", "2.0"}, {"id", asked["id"]}, {"result", {{"roots", roots}}}}.dump());
    const std::vector<json> answers = agent.take();
    REQUIRE(answers.size() == 1);
    CHECK(answers[0]["result"]["structuredContent"]["pair"]["verdict"] == "match");
    agent.notify("notifications/roots/list_changed");
    CHECK(agent.take().at(0)["method"] == "roots/list");
    CHECK(agent.request("tools/call", {{"name", "check"}}) == nullptr);
  }
  SECTION("a client without a folder has no workspace") {
    Agent agent(files, {}, "/work");
    agent.request("initialize", {{"protocolVersion", "2025-11-25"}, {"capabilities", with_roots}});
    agent.notify("notifications/initialized");
    const json asked = agent.take().at(0);
    agent.feed(json{{"jsonrpc", "2.0"}, {"id", asked["id"]}, {"result", {{"roots", json::array()}}}}
                   .dump());
    const json result = agent.call("check");
    CHECK(result["isError"] == true);
    CHECK_THAT(text_of(result), Catch::Contains("has no folder open"));
  }
  SECTION("a client that does not say them is not waited for long") {
    Agent agent(files, {}, "/work");
    agent.initialize(with_roots);
    CHECK(agent.request("tools/call", {{"name", "check"}}) == nullptr);
    agent.loop().advance(Delay(5000));
    agent.loop().run_until_idle();
    CHECK(agent.take().at(0)["result"]["isError"] == false);
  }
  SECTION("the folder where a desktop starts programs is nobody's workspace") {
    Agent agent(files, {}, "/");
    agent.initialize();
    const json result = agent.call("check");
    CHECK(result["isError"] == true);
    CHECK_THAT(text_of(result), Catch::Contains("has no workspace; name the model's folder"));
  }
}

TEST_CASE("mcp: what was taken back is not answered, and the next call is", "[mcp]") {
  const MemoryFileSystem files = model_workspace();
  Agent agent(files);
  agent.initialize();
  const auto request = [](int id) {
    return json{
        {"jsonrpc", "2.0"}, {"id", id}, {"method", "tools/call"}, {"params", {{"name", "check"}}}}
        .dump();
  };
  const json cancel{{"jsonrpc", "2.0"},
                    {"method", "notifications/cancelled"},
                    {"params", {{"requestId", 101}, {"reason", "impatience"}}}};
  agent.take();
  // The first runs, the second waits.
  agent.transport().feed(lsp::frame(request(100)) + lsp::frame(request(101)));
  agent.transport().feed(lsp::frame(cancel.dump()));
  agent.loop().run_until_idle();
  const std::vector<json> answers = agent.take();
  REQUIRE(answers.size() == 1);
  CHECK(answers[0]["id"] == 100);
  agent.transport().feed(lsp::frame(request(101)));  // while it runs
  agent.transport().feed(lsp::frame(cancel.dump()));
  agent.loop().run_until_idle();
  CHECK(agent.take().empty());
  CHECK(agent.call("check")["isError"] == false);
  CHECK(agent.server().unanswered() == 0);
}

TEST_CASE("mcp: a search that was cancelled is no search", "[mcp]") {
  const MemoryFileSystem files = model_workspace();
  const SlowFiles slow(files);
  const mcp::RootAccess access{[](std::string_view path) { return std::string(path); }, nullptr};
  mcp::Workspace workspace(slow, {"/work"}, access, [&] { return slow.now; });
  const auto cut_short = workspace.study({}, slow.cancel);
  REQUIRE_FALSE(cut_short);
  const auto study = workspace.study({}, CancelToken());
  INFO((study ? "" : study.error().message));
  CHECK(study);
}

TEST_CASE("mcp: a dump that is recorded after a slow search found none is found at once", "[mcp]") {
  const MemoryFileSystem whole = model_workspace();
  MemoryFileSystem files;
  files.put(kModelPath, model_source());
  const SlowFiles slow(files);
  const mcp::RootAccess access{[](std::string_view path) { return std::string(path); }, nullptr};
  mcp::Workspace workspace(slow, {"/work"}, access, [&] { return slow.now; });
  const auto none = workspace.study({}, CancelToken());
  REQUIRE_FALSE(none);
  CHECK_THAT(none.error().message, Catch::StartsWith("no ETDump below /work"));
  files.put(kRecordPath, whole.read(kRecordPath)->text());
  const auto exported = workspace.study({}, CancelToken());
  REQUIRE(exported);
  CHECK((*exported)->study->is_of_export());
  files.put(kDumpPath, model_dump(1));
  const auto run = workspace.study({}, CancelToken());
  REQUIRE(run);
  CHECK_FALSE((*run)->study->is_of_export());
}

TEST_CASE("mcp: the prompt has the steps, and what was asked for", "[mcp]") {
  const MemoryFileSystem files = model_workspace();
  Agent agent(files);
  agent.initialize();
  const json prompts = agent.request("prompts/list")["result"]["prompts"];
  REQUIRE(prompts.size() == 1);
  const json result = agent.request(
      "prompts/get", {{"name", prompts[0]["name"]}, {"arguments", {{"goal", "below 10 ms"}}}});
  const std::string text = result["result"]["messages"][0]["content"]["text"];
  CHECK_THAT(text, Catch::Contains("Goal: below 10 ms"));
  for (const mcp::Tool& tool : mcp::tools()) {
    INFO(tool.name);
    const bool is_named = text.find(tool.name) != std::string::npos;
    CHECK((is_named || std::string(tool.name) == "modules"));
  }
}

TEST_CASE("mcp: the end of the stream is the end", "[mcp]") {
  const MemoryFileSystem files = model_workspace();
  Agent agent(files);
  agent.initialize();
  agent.transport().end();
  agent.loop().run_until_idle();
  CHECK(agent.server().has_exited());
}

TEST_CASE("mcp: who has gone and reads nothing is not waited for, who reads slowly is", "[mcp]") {
  const MemoryFileSystem files = model_workspace();
  for (const int reads : {0, 10}) {
    Agent agent(files);
    agent.initialize();
    agent.transport().reads = false;
    agent.transport().end();
    for (int i = 0; i < reads; ++i) {
      agent.loop().advance(Delay(399));
      CHECK_FALSE(agent.loop().has_stopped());
      agent.transport().unread -= 50;
    }
    agent.loop().advance(Delay(399));
    CHECK_FALSE(agent.loop().has_stopped());
    agent.loop().advance(Delay(401));
    CHECK(agent.loop().has_stopped());
  }
}

}  // namespace etlens::session_test
