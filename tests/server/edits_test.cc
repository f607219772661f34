// SPDX-License-Identifier: Apache-2.0
// Hints, lenses and hovers while the source is edited: each edit is followed in the same answer.
#include <catch2/catch.hpp>

#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"

namespace etlens::edits_test {

using namespace etlens::test;

namespace {

struct Editing {
  MemoryFileSystem files = model_workspace();
  LanguageClient client{files};
  int version = 1;
  std::map<int, std::string> first;

  // A client that can be told to look again is answered by arithmetic first, another one
  // thoroughly: nobody should see a difference.
  Editing() {
    json capabilities = full_capabilities();
    capabilities["workspace"]["inlayHint"]["refreshSupport"] = bool(GENERATE(true, false));
    client.initialize(capabilities);
    client.open(kModelPath, model_source());
    first = client.hints(kModelPath);
    REQUIRE(first.size() == 10);
    client.take("workspace/inlayHint/refresh");
  }
  void replace(int line, int column, int end_line, int end_column, const std::string& text) {
    const json range{{"start", {{"line", line}, {"character", column}}},
                     {"end", {{"line", end_line}, {"character", end_column}}}};
    client.change(kModelPath, ++version, {{{"range", range}, {"text", text}}});
  }
  std::map<int, std::string> hints() { return client.hints(kModelPath); }
  // How often the client was asked to look again after typing paused.
  size_t refreshes_after_pause() {
    client.take("workspace/inlayHint/refresh");
    client.advance(1000);
    return client.take("workspace/inlayHint/refresh").size();
  }
  // The first hints with every line from `line` on moved, also where a hint names one.
  std::map<int, std::string> moved(int line, int by) const {
    const std::string named = "fused → L";
    std::map<int, std::string> hints;
    for (auto [at, text] : first) {
      if (text.starts_with(named)) {
        const int target = std::stoi(text.substr(named.size()));
        text = named + std::to_string(target > line ? target + by : target);
      }
      hints[at >= line ? at + by : at] = text;
    }
    return hints;
  }
  size_t lenses() {
    return client
        .request("textDocument/codeLens", {{"textDocument", {{"uri", uri_of(kModelPath)}}}})
        .size();
  }
};

}  // namespace

TEST_CASE("lines above and between move the hints below", "[server]") {
  Editing editing;
  editing.replace(0, 0, 0, 0, "# one\n# two\n");
  CHECK(editing.hints() == editing.moved(0, 2));
  editing.replace(0, 0, 2, 0, "");
  CHECK(editing.hints() == editing.first);
  editing.replace(kDownCallLine, 0, kDownCallLine, 0, "\n");
  CHECK(editing.hints() == editing.moved(kDownCallLine, 1));
  CHECK(editing.client.count("workspace/inlayHint/refresh") == 0);
  CHECK(editing.refreshes_after_pause() == 0);
  CHECK(editing.hints() == editing.moved(kDownCallLine, 1));
}

TEST_CASE("a line that is typed on keeps its number, marked, undone, without the mark",
          "[server]") {
  Editing editing;
  editing.replace(kTopkLine, 8, kTopkLine, 8, "zz");
  CHECK(editing.hints()[kTopkLine] == std::string("~").append(editing.first[kTopkLine]));
  editing.replace(kTopkLine, 8, kTopkLine, 10, "");
  CHECK(editing.hints() == editing.first);
  // Blanks and comments are no edit.
  editing.replace(kTopkLine, 8, kTopkLine, 8, "  ");
  CHECK(editing.hints() == editing.first);
}

TEST_CASE("a deleted line's number is nowhere else, and comes back with the line", "[server]") {
  Editing editing;
  const std::string text = "        best, where = torch.topk(x, 2)\n";
  editing.replace(kTopkLine, 0, kTopkLine + 1, 0, "");
  std::map<int, std::string> without;
  for (const auto& [line, hint] : editing.first) {
    if (line != kTopkLine) without[line > kTopkLine ? line - 1 : line] = hint;
  }
  CHECK(editing.hints() == without);
  editing.replace(kTopkLine, 0, kTopkLine, 0, text);
  CHECK(editing.hints() == editing.first);
}

TEST_CASE("a line broken by typing keeps its number", "[server]") {
  Editing editing;
  editing.replace(kTopkLine, 33, kTopkLine, 33, "\n            ");
  CHECK(editing.hints().contains(kTopkLine));
  CHECK(editing.hints().size() == editing.first.size());
  editing.refreshes_after_pause();
  CHECK(editing.hints() == editing.moved(kTopkLine + 1, 1));
  // In front of the line: it moves down.
  editing.replace(kTopkLine, 33, kTopkLine + 1, 12, "");
  CHECK(editing.hints() == editing.first);
  editing.replace(kTopkLine, 8, kTopkLine, 8, "\n        ");
  CHECK(editing.hints() == editing.moved(kTopkLine, 1));
  CHECK(editing.refreshes_after_pause() == 0);
}

TEST_CASE("what only a thorough look finds is shown when typing pauses, with one refresh",
          "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.initialize();
  client.open(kModelPath, model_source());
  const std::map<int, std::string> first = client.hints(kModelPath);
  client.take("workspace/inlayHint/refresh");
  // A formatter's work, sent as a whole.
  std::string text = model_source();
  const size_t at = text.find("torch.topk(x, 2)");
  text.replace(at, 16, "torch.topk(\n            x,\n            2,\n        )");
  client.change(kModelPath, 2, {{{"text", text}}});
  const std::map<int, std::string> quick = client.hints(kModelPath);
  CHECK(quick.size() <= first.size());
  client.advance(1000);
  CHECK(client.take("workspace/inlayHint/refresh").size() <= 1);
  const std::map<int, std::string> settled = client.hints(kModelPath);
  CHECK(settled.size() == first.size());
  CHECK(settled.at(kTopkLine) == first.at(kTopkLine));
  client.advance(1000);
  CHECK(client.count("workspace/inlayHint/refresh") == 0);
}

TEST_CASE("a line that is emptied by typing loses its number", "[server]") {
  Editing editing;
  editing.replace(kTopkLine, 8, kTopkLine, 20, "");
  CHECK(editing.hints().contains(kTopkLine));
  editing.replace(kTopkLine, 0, kTopkLine, 100, "");
  CHECK_FALSE(editing.hints().contains(kTopkLine));
}

TEST_CASE("everything sent anew is only what differs", "[server]") {
  Editing editing;
  editing.client.change(kModelPath, ++editing.version, {{{"text", "# new\n" + model_source()}}});
  CHECK(editing.hints() == editing.moved(0, 1));
  editing.client.change(kModelPath, ++editing.version, {{{"text", model_source()}}});
  CHECK(editing.hints() == editing.first);
}

namespace {

// As a formatter leaves it: spaces, a blank line less, one statement on three lines.
std::string formatted() {
  std::string text = model_source();
  const auto replace = [&](const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  };
  replace("self.up = nn.Linear(dim, 4 * dim)", "self.up = nn.Linear(dim, 4*dim)");
  replace("        x = self.up(x)", "        x=self.up( x )");
  replace("return self.down(x)\n\n\n", "return self.down( x )\n\n");
  replace("self.head = nn.Linear(dim, 5)", "self.head = nn.Linear( dim, 5 )");
  replace("torch.topk(x, 2)", "torch.topk(\n            x, 2\n        )");
  replace("torch.tanh(best)", "torch.tanh( best )");
  return text;
}

// Without the mark of an edit.
std::map<std::string, int> labels_of(const std::map<int, std::string>& hints) {
  std::map<std::string, int> labels;
  for (const auto& [line, label] : hints) ++labels[label.substr(label.starts_with('~') ? 1 : 0)];
  return labels;
}

}  // namespace

TEST_CASE("a formatter's edit of the whole text keeps the hints, in the same answer", "[server]") {
  Editing editing;
  editing.client.change(kModelPath, ++editing.version, {{{"text", formatted()}}});
  std::map<int, std::string> hints = editing.hints();
  CHECK(labels_of(hints) == labels_of(editing.first));
  CHECK(hints.at(kTopkLine - 1).ends_with(editing.first.at(kTopkLine)));
  CHECK(editing.lenses() == 2);
  // That the statement on three lines is the same one is known when typing pauses.
  editing.client.advance(1000);
  hints = editing.hints();
  CHECK(labels_of(hints) == labels_of(editing.first));
  CHECK(hints.at(kTopkLine - 1) == editing.first.at(kTopkLine));
  // And back.
  editing.client.change(kModelPath, ++editing.version, {{{"text", model_source()}}});
  CHECK(editing.hints() == editing.first);
}

TEST_CASE("a formatter's edit that is looked at in the background keeps nearly all hints",
          "[server]") {
  MemoryFileSystem files = model_workspace();
  Timing timing;
  timing.at_once = std::chrono::milliseconds(0);
  LanguageClient client(files, timing);
  client.initialize();
  client.open(kModelPath, model_source());
  client.advance(1000);
  const std::map<int, std::string> first = client.hints(kModelPath);
  REQUIRE(first.size() == 10);
  client.change(kModelPath, 2, {{{"text", formatted()}}});
  CHECK(client.hints(kModelPath).size() >= 9);  // of a statement on other lines nobody knows yet
  client.advance(1000);
  CHECK(labels_of(client.hints(kModelPath)) == labels_of(first));
}

TEST_CASE("many edits in one message, and between two looks", "[server]") {
  Editing editing;
  for (int i = 0; i < 1500; ++i) editing.replace(0, 0, 0, 0, "\n");
  CHECK(editing.hints() == editing.moved(0, 1500));
  CHECK(editing.lenses() > 0);
  for (int i = 0; i < 1500; ++i) editing.replace(0, 0, 1, 0, "");
  CHECK(editing.hints() == editing.first);
}

TEST_CASE("module totals stay while a line below does not parse", "[server]") {
  Editing editing;
  const std::string total = editing.first.at(kHeadAttributeLine);
  editing.replace(kHeadLine, 8, kHeadLine, 8, "y = (");
  CHECK(editing.refreshes_after_pause() <= 1);
  CHECK(editing.hints().at(kHeadAttributeLine) == total);
  // They move with their lines, and the next keystroke does not lose them either.
  editing.replace(0, 0, 0, 0, "# new\n");
  editing.replace(kHeadLine + 1, 13, kHeadLine + 1, 13, "x");
  CHECK(editing.refreshes_after_pause() <= 1);
  CHECK(editing.hints().at(kHeadAttributeLine + 1) == total);
}

TEST_CASE("lenses and module totals stand on their classes after edits", "[server]") {
  Editing editing;
  const json params{{"textDocument", {{"uri", uri_of(kModelPath)}}}};
  const json before = editing.client.request("textDocument/codeLens", params);
  editing.replace(2, 0, 2, 0, "# one\n");
  json after = editing.client.request("textDocument/codeLens", params);
  REQUIRE(after.size() == before.size());
  for (size_t i = 0; i < after.size(); ++i) {
    CHECK(after[i]["range"]["start"]["line"] == before[i]["range"]["start"]["line"].get<int>() + 1);
    CHECK(after[i]["command"]["title"] == before[i]["command"]["title"]);
  }
  // A total goes with its assignment.
  editing.replace(kHeadAttributeLine + 1, 0, kHeadAttributeLine + 2, 0, "");
  CHECK_FALSE(editing.hints().contains(kHeadAttributeLine + 1));
}

TEST_CASE("a document that is closed and opened again starts from its text", "[server]") {
  Editing editing;
  editing.replace(0, 0, 0, 0, "# one\n");
  CHECK(editing.hints() == editing.moved(0, 1));
  editing.client.notify("textDocument/didClose", {{"textDocument", {{"uri", uri_of(kModelPath)}}}});
  CHECK(editing.hints() == editing.first);  // from disk
  editing.client.open(kModelPath, "\n\n" + model_source());
  CHECK(editing.hints() == editing.moved(0, 2));
  editing.client.open(kModelPath, std::string("\n").append(model_source()));
  CHECK(editing.hints() == editing.moved(0, 1));
}

}  // namespace etlens::edits_test
