// SPDX-License-Identifier: Apache-2.0
// Code actions, for clients that have no lists of etlens: their commands answer with a message or a place.
#include <catch2/catch.hpp>

#include "tests/support/open_model.h"

namespace etlens::code_action_test {

using namespace etlens::test;

namespace {

json literals() {
  json capabilities = full_capabilities();
  capabilities["textDocument"]["codeAction"]["codeActionLiteralSupport"] = {
      {"codeActionKind", {{"valueSet", {"", "quickfix"}}}}};
  return capabilities;
}

struct Acting : OpenModel {
  explicit Acting(const json& capabilities = literals()) : OpenModel(nullptr, capabilities) {}

  json actions(int line, const json& context = {{"diagnostics", json::array()}}) {
    const json place{{"line", line}, {"character", 4}};
    return client.request("textDocument/codeAction",
                          {{"textDocument", {{"uri", uri_of(kModelPath)}}},
                           {"range", {{"start", place}, {"end", place}}},
                           {"context", context}});
  }
  std::vector<std::string> titles(int line) {
    std::vector<std::string> found;
    for (const json& row : actions(line)) found.push_back(row["title"]);
    return found;
  }
  // What the action's command answers.
  json run(int line, const std::string& title) {
    for (const json& row : actions(line)) {
      if (row["title"] != title) continue;
      return client.request(
          "workspace/executeCommand",
          {{"command", row["command"]["command"]}, {"arguments", row["command"]["arguments"]}});
    }
    FAIL("no action " << title);
    return nullptr;
  }
};

constexpr const char* kShow = "Show the lines of this delegate call";
constexpr const char* kNext = "Go to the next line of this delegate call";
constexpr const char* kWhy = "Why is this not delegated?";

}  // namespace

TEST_CASE("code actions: on a line of a delegate call, its other lines", "[server]") {
  Acting acting;
  CHECK(acting.titles(kReluLine) == std::vector<std::string>{kShow, kNext});
  CHECK(acting.run(kReluLine, kShow) == "XNNPACK #1 ran 3 lines: model.py:12, 13, 14");
  const std::vector<json> messages = acting.client.take("window/showMessage");
  REQUIRE(messages.size() == 1);
  CHECK(messages[0]["params"]["type"] == 3);
  CHECK(messages[0]["params"]["message"] == "XNNPACK #1 ran 3 lines: model.py:12, 13, 14");
  // A call of one line has no other.
  CHECK(acting.titles(kHeadLine).empty());
}

TEST_CASE("code actions: the next line of a delegate call, around to the first", "[server]") {
  Acting acting;
  int line = kUpCallLine;
  for (const int next : {kReluLine, kDownCallLine, kUpCallLine}) {
    const json place = acting.run(line, kNext);
    CHECK(place["range"]["start"]["line"] == next);
    CHECK(place["count"] == 3);
    const std::vector<json> shown = acting.client.take("window/showDocument");
    REQUIRE(shown.size() == 1);
    CHECK(shown[0]["params"]["uri"] == uri_of(kModelPath));
    CHECK(shown[0]["params"]["selection"]["start"]["line"] == next);
    line = next;
  }
  // Also in text that was edited since.
  acting.client.change(kModelPath, 2, {{{"text", "\n" + model_source()}}});
  CHECK(acting.run(kUpCallLine + 1, kNext)["range"]["start"]["line"] == kReluLine + 1);
}

TEST_CASE("code actions: no next line in a client that shows no documents", "[server]") {
  json capabilities = literals();
  capabilities["window"].erase("showDocument");
  Acting acting(capabilities);
  CHECK(acting.titles(kReluLine) == std::vector<std::string>{kShow});
}

TEST_CASE("code actions: why a line is not delegated", "[server]") {
  Acting acting;
  CHECK(acting.titles(kTopkLine) == std::vector<std::string>{kWhy});
  const std::string words = acting.run(kTopkLine, kWhy);
  CHECK_THAT(words, Catch::Matchers::StartsWith("topk: XNNPACK has no topk."));
  CHECK(acting.client.take("window/showMessage").at(0)["params"]["message"] == words);
  const json arguments = json::array(
      {{{"uri", uri_of(kModelPath)}, {"position", {{"line", kReluLine}, {"character", 0}}}}});
  CHECK(acting.client.request_error(
            "workspace/executeCommand",
            {{"command", "etlens.whyNotDelegated"}, {"arguments", arguments}})["message"] ==
        "line 13 has no operator on the CPU whose reason is known");
}

TEST_CASE("code actions: none where nothing is known, or another kind is asked for", "[server]") {
  Acting acting;
  CHECK(acting.titles(0).empty());
  CHECK(acting.titles(100'000).empty());
  for (const char* kind : {"source.organizeImports", "source.fixAll", "quickfix"})
    CHECK(acting.actions(kReluLine, {{"diagnostics", json::array()}, {"only", {kind}}}).empty());
}

TEST_CASE("code actions: only for clients that know their form and have no lists", "[server]") {
  MemoryFileSystem files = model_workspace();
  const auto offered = [&](const json& capabilities) {
    LanguageClient client(files);
    const json able = client.initialize(capabilities)["capabilities"];
    const json& commands = able["executeCommandProvider"]["commands"];
    const bool has_command =
        std::find(commands.begin(), commands.end(), "etlens.whyNotDelegated") != commands.end();
    CHECK(able.contains("codeActionProvider") == has_command);
    return has_command;
  };
  CHECK(offered(literals()));
  CHECK_FALSE(offered(full_capabilities()));
  json with_lists = literals();
  with_lists["experimental"]["etlens"]["profileChanged"] = true;
  CHECK_FALSE(offered(with_lists));
}

}  // namespace etlens::code_action_test
