// SPDX-License-Identifier: Apache-2.0
// A Python profile in the editor: found, shown, watched, alone or beside a dump.
#include <catch2/catch.hpp>

#include "server/load/load_job.h"
#include "server/session/session.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/language_client.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/server_workspace.h"

namespace etlens::python_profile_test {

using namespace etlens::test;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kSource = "/work/dyn/recursive.py";
constexpr int kWalk = 12;  // 0-based lines of the defs
constexpr int kForward = 18;
constexpr int kSettled = 400;

std::string source() {
  return "import torch\nfrom torch import nn\n\n\nclass Model(nn.Module):\n"
         "    def __init__(self):\n        super().__init__()\n"
         "        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(15))\n\n\n\n\n"
         "def walk(layers, x, n):\n    if n == 0:\n        return x\n"
         "    return walk(layers, layers[n - 1](x).relu(), n - 1)\n\n\n"
         "def forward(self, x):\n    return walk(self.layers, x, 15)\n";
}

std::string profile(const std::string& name) {
  return read_file(ETLENS_TEST_DATA "/pstats/" + name + ".prof");
}

struct Shown {
  MemoryFileSystem files;
  LanguageClient client{files};

  explicit Shown(bool with_dump = false) {
    if (with_dump) files = model_workspace();
    files.put("/work/out/model.prof", profile("recursive.dynamo-eager"));
    files.put(kSource, source());
    client.initialize();
    client.open(kSource, source());
    client.advance(kSettled);
  }

  std::map<int, std::string> hints() { return client.hints(kSource); }
  json at(const std::string& method, int line) {
    return client.request(method, {{"textDocument", {{"uri", uri_of(kSource)}}},
                                   {"position", {{"line", line}, {"character", 6}}}});
  }
  std::string hover(int line) {
    const json answer = at("textDocument/hover", line);
    return answer.is_null() ? "" : answer["contents"]["value"].get<std::string>();
  }
};

}  // namespace

TEST_CASE("a profile alone stands on its defs", "[server][profile]") {
  Shown shown;
  const json status = shown.client.request("etlens/status");
  CHECK(status["state"] == "ready");
  CHECK(status["measure"] == "compile_time");
  CHECK_THAT(status["message"].get<std::string>(),
             Contains("model.prof: compile time 488 ms") &&
                 Contains("Dynamo writes it again with every frame: this is the last"));
  const std::map<int, std::string> hints = shown.hints();
  REQUIRE(hints.size() == 2);
  CHECK(hints.at(kWalk) == "Σ 482 ms 99%");
  CHECK(hints.at(kForward) == "Σ 488 ms 100%");

  const std::string walk = shown.hover(kWalk);
  CHECK_THAT(walk, Contains("**208 ms** self") && Contains("482 ms with what it calls") &&
                       Contains("15 calls, 1 of them not from itself"));
  CHECK_THAT(walk, Contains("called by `walk` 966 ms ×14, `forward` 482 ms"));
  CHECK_THAT(walk, Contains("calls `walk` 966 ms ×14, `forward` 274 ms ×15"));
  CHECK_THAT(shown.hover(kForward), Contains("calls `walk` 482 ms"));
}

TEST_CASE("lenses stand above functions with compile time", "[server][profile]") {
  Shown shown;
  const json lenses =
      shown.client.request("textDocument/codeLens", {{"textDocument", {{"uri", uri_of(kSource)}}}});
  std::map<int, std::string> titles;
  for (json lens : lenses) {
    if (!lens.contains("command")) lens = shown.client.request("codeLens/resolve", lens);
    titles[lens["range"]["start"]["line"]] = lens["command"]["title"];
  }
  REQUIRE(titles.size() == 2);
  CHECK_THAT(titles.at(kWalk), Contains("482 ms"));
}

TEST_CASE("the call hierarchy of functions goes both ways", "[server][profile]") {
  Shown shown;
  const json items = shown.at("textDocument/prepareCallHierarchy", kWalk + 2);  // inside walk
  REQUIRE(items.size() == 1);
  CHECK(items[0]["name"] == "walk");
  CHECK_THAT(items[0]["detail"].get<std::string>(), Contains("482 ms"));
  const json callers = shown.client.request("callHierarchy/incomingCalls", {{"item", items[0]}});
  REQUIRE(callers.size() == 2);
  CHECK(callers[0]["from"]["name"] == "walk");
  CHECK(callers[1]["from"]["name"] == "forward");
  CHECK(callers[1]["from"]["range"]["start"]["line"] == kForward);
  // linear.py is not in the workspace.
  const json callees = shown.client.request("callHierarchy/outgoingCalls", {{"item", items[0]}});
  REQUIRE(callees.size() == 1);
  CHECK(callees[0]["to"]["name"] == "walk");

  // Items of what is no longer shown, and of nobody, have no calls.
  json old = items[0];
  old["data"]["generation"] = 0;
  CHECK(shown.client.request("callHierarchy/incomingCalls", {{"item", old}}).empty());
  for (const json& data : {json(nullptr), json(7), json{{"contribution", "x"}},
                           json{{"contribution", 4'000'000'000u}, {"generation", 1}}}) {
    old["data"] = data;
    CHECK(shown.client.request("callHierarchy/outgoingCalls", {{"item", old}}).empty());
  }
}

TEST_CASE("a profile that is written again is shown again", "[server][profile]") {
  Shown shown;
  shown.files.put("/work/out/model.prof", profile("recursive.cprofile-eager"));
  shown.client.notify("workspace/didChangeWatchedFiles",
                      {{"changes", {{{"uri", uri_of("/work/out/model.prof")}, {"type", 2}}}}});
  shown.client.advance(kSettled);
  CHECK_THAT(shown.hints().at(kForward), Contains("ms") && !Contains("488 ms"));
  CHECK_THAT(shown.client.request("etlens/status")["message"].get<std::string>(),
             !Contains("Dynamo"));
}

TEST_CASE("functions keep their numbers while the file is edited", "[server][profile]") {
  Shown shown;
  shown.client.change(
      kSource, 2,
      {{{"range",
         {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 0}, {"character", 0}}}}},
        {"text", "# a comment\n"}}});
  shown.client.advance(2000);
  const std::map<int, std::string> hints = shown.hints();
  CHECK(hints.at(kWalk + 1) == "Σ 482 ms 99%");
  CHECK(hints.at(kForward + 1) == "Σ 488 ms 100%");
}

TEST_CASE("beside a dump, compile time is a measure to choose", "[server][profile]") {
  Shown shown(true);
  CHECK(shown.client.request("etlens/status")["measure"] == "time");
  CHECK(shown.hints().empty());
  shown.client.request(
      "workspace/executeCommand",
      {{"command", "etlens.selectMeasure"}, {"arguments", {{{"measure", "compile_time"}}}}});
  CHECK(shown.hints().at(kWalk) == "Σ 482 ms 99%");
}

TEST_CASE("a profile that breaks leaves what is shown", "[server][profile]") {
  Shown shown;
  shown.files.put("/work/out/model.prof", profile("recursive.dynamo-eager").substr(0, 90));
  shown.client.notify("workspace/didChangeWatchedFiles",
                      {{"changes", {{{"uri", uri_of("/work/out/model.prof")}, {"type", 2}}}}});
  shown.client.advance(kSettled);
  CHECK(shown.hints().at(kWalk) == "Σ 482 ms 99%");
  const json status = shown.client.request("etlens/status");
  CHECK(status["state"] == "failed");
  CHECK_THAT(status["message"].get<std::string>(), Contains("/work/out/model.prof"));
}

TEST_CASE("a tooltip that looks at the profile leaves the edits to the other readers",
          "[server][profile]") {
  MemoryFileSystem files = model_workspace();
  std::string prof = profile("recursive.dynamo-eager");
  const std::string_view recorded = "/home/user/dyn/recursive.py";
  const std::string_view model = "/home/user/dynamic/model.py";  // of the same length
  for (size_t at = prof.find(recorded); at != std::string::npos; at = prof.find(recorded, at))
    prof.replace(at, recorded.size(), model);
  files.put("/work/out/model.prof", prof);
  LoadJob job;
  job.key.settings.etdump = kDumpPath;
  job.key.settings.profile = "/work/out/model.prof";
  job.key.settings.roots = {"/work"};
  job.key.settings.etrecord = kRecordPath;
  job.run(files);
  REQUIRE(job.result);
  Session session(files);
  session.publish(*job.result);
  const auto uri = lsp::DocumentUri::from_path(kModelPath);
  session.documents.open({uri, "python", 1, model_source()});
  REQUIRE(session.sources.view(uri) != nullptr);
  const Facts& compiled = (*job.result)->measures.back().facts;
  REQUIRE(session.sources_of(compiled).view(uri) != nullptr);
  const LineId topk = session.sources.view(uri)->lines_at(kTopkLine).front();
  int version = 1;
  const auto type = [&](uint32_t line) {
    const lsp::Range at{{line, 0}, {line, 0}};
    session.documents.change({{uri, ++version}, {{at, "# typed\n"}}});
  };
  for (uint32_t keystroke = 1; keystroke <= 3; ++keystroke) {
    type(keystroke % 2);
    const SourceView* quick = session.sources.quick_view(uri);
    REQUIRE(quick != nullptr);
    CHECK(quick->syntax == nullptr);  // carried by arithmetic, nothing was parsed
    const Code& code = session.facts()->code();
    CHECK(quick->anchor_of(code, topk).line == kTopkLine + 1 + keystroke);
    CHECK(quick->anchor_of(code, topk).rung == AnchorRung::Edits);
    CHECK(!session.line_hover_text(*quick, topk).empty());
    // What the tooltip looked at is the profile's and as new as what is shown.
    CHECK(session.sources_of(compiled).view(uri)->document == quick->document);
  }
  CHECK_FALSE(session.sources.settle());
  const SourceView* settled = session.sources.view(uri);
  REQUIRE(settled->syntax != nullptr);
  CHECK(settled->anchor_of(session.facts()->code(), topk).rung == AnchorRung::Edits);
}

}  // namespace etlens::python_profile_test
