// SPDX-License-Identifier: Apache-2.0
// A comparison says the same on every surface: table, JSON, Markdown and rows of `etlens diff`,
// hints, hovers and lists of the server. On the storyteller before and after its optimisation.
#include <catch2/catch.hpp>

#include <filesystem>
#include <set>

#include "core/base/fields_json.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/compare/side_files.h"
#include "core/render/diff_hover.h"
#include "core/render/diff_markdown.h"
#include "core/render/diff_table.h"
#include "core/view/diff_view.h"
#include "test_paths.h"
#include "tests/support/golden.h"
#include "tests/support/language_client.h"

namespace etlens::comparison_surfaces_test {

using namespace etlens::test;
using Catch::Matchers::Contains;

namespace {

const std::string kLayers = "/work/layers.py";

// The project after the change in /work, the dumps from before in /work/before.
MemoryFileSystem storyteller() {
  const std::string examples = ETLENS_EXAMPLES;
  const FileSystem& disk = real_file_system();
  MemoryFileSystem files;
  const auto copy = [&](const std::string& from, const std::string& to) {
    const Result<Bytes> bytes = disk.read(examples + from);
    REQUIRE(bytes);
    files.put(to, *bytes);
  };
  for (const char* name : {"model.etdp", "model.etrecord", "model.pte"})
    copy(std::string("/storyteller/") + name, std::string("/work/before/") + name);
  for (const char* name : {"run2.etdp", "run3.etdp", "run4.etdp"})
    copy(std::string("/storyteller-runs/") + name, std::string("/work/before/") + name);
  for (const char* name :
       {"layers.py", "model.py", "rope.py", "model.etrecord", "model.pte", "model.etdp"})
    copy(std::string("/storyteller-after/") + name, std::string("/work/") + name);
  return files;
}

std::shared_ptr<const Side> side_of(const FileSystem& files, const std::string& folder,
                                    const std::vector<std::string>& paths,
                                    const std::string& root = "/work") {
  const Result<SideFiles> found = find_side_files(files, paths);
  REQUIRE(found);
  SideRequest request;
  request.load.etrecord = folder + "/model.etrecord";
  request.load.pte = folder + "/model.pte";
  request.load.roots = {root};
  request.dumps = found->dumps;
  Result<Side> side = load_side(files, request);
  if (!side) FAIL(side.error().message);
  return std::make_shared<const Side>(std::move(*side));
}

// The line of `text` that holds all of the words; "" if there is none.
std::string line_with(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string_view line : split_lines(text)) {
    const bool has_all = std::all_of(words.begin(), words.end(), [&](const std::string& word) {
      return line.find(word) != line.npos;
    });
    if (has_all) return std::string(line);
  }
  return "";
}

}  // namespace

TEST_CASE("a comparison says the same on every surface", "[server]") {
  const MemoryFileSystem files = storyteller();
  const auto before = side_of(files, "/work/before", {"/work/before"});
  const auto after = side_of(files, "/work", {"/work/model.etdp"});
  const Result<Comparison> comparison = compare(before, after);
  REQUIRE(comparison);
  TablePrinter printer({});
  DiffTableOptions wide;
  wide.all = true;
  const std::string table = diff_table(*comparison, wide, printer);
  const std::string markdown = diff_markdown(*comparison, DiffGrouping::Line, std::nullopt);
  const json diff = json::parse(json_text(diff_view(*comparison, TimeScale::Milliseconds)));

  LanguageClient client(files);
  client.settings = {{"baseline", "before"}, {"hints", {{"thresholdPercent", 0}}}};
  client.initialize();
  const std::string source(files.read(kLayers)->text());
  client.open(kLayers, source);
  client.advance(3000);
  const json status = client.request("etlens/status");
  CAPTURE(status.dump());
  REQUIRE(status.contains("comparison"));
  const std::string headline = status["comparison"]["headline"];
  CHECK_THAT(table, Contains(headline));
  CHECK_THAT(markdown, Contains(headline));
  CHECK(status["comparison"]["total"]["change"] == diff["total"]["change"]);
  CHECK(status["comparison"]["total"]["low"] == diff["total"]["low"]);
  CHECK(diff["dumps"]["base"] == status["comparison"]["dumps_before"]);
  CHECK(diff["dumps"]["base"] == 4);

  const json document{{"textDocument", {{"uri", uri_of(kLayers)}}}};
  const std::map<int, std::string> hints = client.hints(kLayers);
  std::map<int, json> costs;
  for (const json& line : client.request_list("etlens/lineCosts", "lines", document))
    costs[line["current_line"].get<int>() - 1] = line["change"];
  size_t marked = 0;
  for (const json& row : diff["lines"]) {
    if (row["after"].is_null() || row["before"].is_null()) continue;
    if (base_name(row["after"]["recorded_path"].get<std::string>()) != "layers.py") continue;
    // Of lines that are compared together, one that has a hint of its own time.
    std::vector<json> together = row["after"]["with"].get<std::vector<json>>();
    together.insert(together.begin(), row["after"]);
    const auto shown = std::find_if(together.begin(), together.end(), [&](const json& place) {
      const auto hint = hints.find(place["line"].get<int>() - 1);
      return hint != hints.end() && !hint->second.starts_with("Σ");
    });
    if (shown == together.end()) continue;
    const int line = (*shown)["line"].get<int>() - 1;
    const json& change = costs.at(line);
    const std::string text = row["after"]["text"];
    CAPTURE(text);
    const std::string hover =
        client.request("textDocument/hover",
                       {{"textDocument", {{"uri", uri_of(kLayers)}}},
                        {"position", {{"line", line}, {"character", 8}}}})["contents"]["value"];
    CHECK(change["verdict"] == row["verdict"]);
    CHECK(change["likely"] == row["likely"]);
    const std::string interval = change["interval"];
    CHECK_FALSE(line_with(table, {text, interval}).empty());
    CHECK_THAT(hover, Contains(interval));
    CHECK_THAT(hover, Contains(change["before"]["text"].get<std::string>() + " → " +
                               change["after"]["text"].get<std::string>()));
    const std::string mark = change["text"];
    CHECK((row["verdict"] == "slower" || row["verdict"] == "faster") == !mark.empty());
    if (mark.empty()) continue;
    ++marked;
    CHECK_THAT(hints.at(line), Contains(mark));
    const std::string percent = mark.substr(0, mark.find(' '));
    CHECK_FALSE(line_with(table, {text, percent, change["verdict_text"]}).empty());
    CHECK_FALSE(line_with(markdown, {percent, change["verdict_text"]}).empty());
  }
  CHECK(marked > 0);
  // What is gone is listed, and said where its function begins.
  bool has_gone = false;
  for (const json& line : client.request_list("etlens/changes", "lines")) {
    if (line["change"]["verdict"] != "gone") continue;
    has_gone = true;
    CHECK_FALSE(line.contains("source"));
    CHECK_FALSE(line_with(table, {line["place"], "gone"}).empty());
  }
  CHECK(has_gone);
}

TEST_CASE("the steps through changed lines stop at every mark and nowhere else", "[server]") {
  const MemoryFileSystem files = storyteller();
  LanguageClient client(files);
  client.settings = {{"baseline", "before"}};
  client.initialize();
  std::set<std::pair<std::string, int>> marked;
  size_t inclusive = 0;
  for (const std::string name : {"layers.py", "model.py", "rope.py"}) {
    const std::string path = "/work/" + name;
    client.open(path, std::string(files.read(path)->text()));
    client.advance(3000);
    const json document{{"textDocument", {{"uri", uri_of(path)}}}};
    const std::map<int, std::string> hints = client.hints(path);
    for (const json& cost : client.request_list("etlens/lineCosts", "lines", document)) {
      if (!cost.contains("change") || cost["change"]["text"] == "") continue;
      const int line = cost["current_line"].get<int>() - 1;
      marked.emplace(uri_of(path), line);
      const auto hint = hints.find(line);
      inclusive += hint != hints.end() && hint->second.starts_with("Σ") ? 1 : 0;
    }
  }
  CHECK(inclusive > 0);  // of what a line calls; its own time may be none
  REQUIRE(marked.size() > 1);
  for (const char* command : {"etlens.nextChangedLine", "etlens.previousChangedLine"}) {
    std::set<std::pair<std::string, int>> visited;
    json at = json::object();
    for (size_t step = 0; step < marked.size(); ++step) {
      const json target = client.request("workspace/executeCommand",
                                         {{"command", command}, {"arguments", json::array({at})}});
      CHECK(target["count"] == marked.size());
      at = {{"uri", target["uri"]}, {"position", target["range"]["start"]}};
      visited.emplace(target["uri"].get<std::string>(),
                      target["range"]["start"]["line"].get<int>());
    }
    CHECK(visited == marked);
  }
}

TEST_CASE("what is gone leads to the baseline's own source, where there is one", "[server]") {
  MemoryFileSystem files = storyteller();
  const auto after = side_of(files, "/work", {"/work/model.etdp"});
  HoverOptions options;
  options.address = [](std::string_view path, uint32_t line) {
    return "at:" + std::string(path) + ":" + std::to_string(line);
  };
  const auto gone = [&](const std::shared_ptr<const Side>& before) {
    const Result<Comparison> comparison = compare(before, after);
    REQUIRE(comparison);
    std::string text;
    for (const LineChange& row : comparison->lines) {
      if (row.change.judged.verdict == Verdict::Gone)
        append_markdown_note(text, gone_words(*comparison, row, options));
    }
    return text;
  };
  // In our own it is no longer.
  CHECK_THAT(
      gone(side_of(files, "/work/before", {"/work/before"})),
      Contains("gone since the baseline: ") && Contains(", `layers.py:38` ") && !Contains("at:"));
  const Result<Bytes> source =
      real_file_system().read(std::string(ETLENS_EXAMPLES) + "/storyteller/layers.py");
  REQUIRE(source);
  files.put("/old/layers.py", *source);
  CHECK_THAT(gone(side_of(files, "/work/before", {"/work/before"}, "/old")),
             Contains(", [`layers.py:38`](at:/old/layers.py:38) "));
}

TEST_CASE("a slow moment of the machine is no change", "[server]") {
  MemoryFileSystem files = storyteller();
  const Result<Bytes> slow =
      real_file_system().read(std::string(ETLENS_EXAMPLES) + "/storyteller-runs/slow-moment.etdp");
  REQUIRE(slow);
  files.put("/work/slow.etdp", *slow);
  const auto before = side_of(files, "/work/before", {"/work/before"});
  const auto after = side_of(files, "/work/before", {"/work/slow.etdp"});
  const Result<Comparison> comparison = compare(before, after);
  REQUIRE(comparison);
  CHECK(comparison->total.judged.verdict == Verdict::CannotTell);
  CHECK(comparison->total.judged.reason == Reason::Machine);
  CHECK(comparison->machine.low > 1.2);
  for (const LineChange& line : comparison->lines) {
    CHECK(line.change.judged.verdict != Verdict::Slower);
    CHECK(line.change.judged.verdict != Verdict::Faster);
  }
}

}  // namespace etlens::comparison_surfaces_test
