// SPDX-License-Identifier: Apache-2.0
// One place, one number: what the server answers is what hints(), the annotated source and the JSON
// of the command line say, number for number and word for word, on real artifacts.
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/base/fields_json.h"
#include "core/base/text.h"
#include "core/facts/hints.h"
#include "core/facts/scopes.h"
#include "core/join/program_code.h"
#include "core/render/annotate.h"
#include "core/render/hint_text.h"
#include "core/render/report_json.h"
#include "core/view/memory_view.h"
#include "core/workspace/load.h"
#include "core/workspace/load_program.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/language_client.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/sanitized.h"

namespace etlens::surfaces_test {

using namespace etlens::test;

namespace fs = std::filesystem;

namespace {

// Every source below the folder, as a file of /work.
void put_sources(const fs::path& folder, MemoryFileSystem& files) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".py") continue;
    files.put("/work/" + fs::relative(entry.path(), folder).string(),
              read_file(entry.path().string()));
  }
}

// A pair of artifacts with its sources, opened twice: by the server, and by the functions that the
// command line calls.
struct Opened {
  MemoryFileSystem files;
  LanguageClient client{files};
  std::shared_ptr<const Study> study;  // null if the pair gives none
  std::optional<Facts> facts;          // of the measure that is shown
  std::vector<AnchoredSource> sources;
  json lines;    // of the command line's JSON
  json modules;  // likewise

  Opened(const std::string& folder, const Pair& pair) {
    put_sources(folder, files);
    put_sources(std::string(ETLENS_TEST_DATA) + "/models", files);
    LoadRequest request;
    request.etdump = put(pair.etdump);
    request.etrecord = put(pair.etrecord);
    if (const std::string pte = folder + "/model.pte"; fs::exists(pte)) request.pte = put(pte);
    request.roots = {"/work"};
    put_values(pair, request);
    const Result<std::shared_ptr<const Study>> loaded = load_study(files, request);
    client.settings = {{"profile", request.etdump},
                       {"record", request.etrecord},
                       {"program", request.pte},
                       {"hints.thresholdPercent", 0}};
    client.initialize();
    if (!loaded) return;
    study = *loaded;
    program = request.pte;
    sources = read_and_anchor(files, study->code(), study->sources);
    show(0);
  }

  // Chooses a measure in both.
  void show(size_t measure) {
    facts.emplace(study, measure);
    if (measure > 0) {
      client.request("workspace/executeCommand",
                     {{"command", "etlens.selectMeasure"},
                      {"arguments", json::array({json{{"measure", facts->quantity().id}}})}});
    }
    lines = json::parse(lines_json(*facts, sources, TimeScale::Milliseconds));
    modules = json::parse(modules_json(*facts, "", TimeScale::Milliseconds));
  }

  std::string path_of(FileId file) const { return facts->sources()[file.value].path; }

  std::string program;  // "" without one

 private:
  // The bytes of logged values, and what to compare them with, where the folder has them.
  void put_values(const Pair& pair, LoadRequest& request) {
    request.values.emplace();
    const fs::path folder = fs::path(pair.etdump).parent_path();
    const fs::path buffer = fs::path(pair.etdump).replace_extension(".bin");
    if (fs::exists(buffer)) put(buffer.string());
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".npz")
        request.values->candidates.push_back(put(entry.path().string()));
    }
    request.values->candidates.push_back(request.etrecord);
  }
  std::string put(const std::string& path) {
    const std::string name = fs::path(path).filename().string();
    files.put("/work/" + name, read_file(path));
    return "/work/" + name;
  }
};

using Place = std::pair<std::string, int>;  // recorded path and line

Place place_of(const json& source) { return {source["recorded_path"], source["line"]}; }

// How many of the command line's keys a message of the server has; each says the same.
size_t same_keys_of(const json& expected, const json& shown) {
  size_t keys = 0;
  for (const auto& [key, value] : expected.items()) {
    if (!shown.contains(key)) continue;
    CAPTURE(key);
    CHECK(shown[key] == value);
    ++keys;
  }
  return keys;
}

Approx near(double value) { return Approx(value).margin(1e-9); }

// By line of now (0-based): the words of hints().
std::multimap<int, std::string> words_of_hints(const Opened& opened, const AnchoredSource& source) {
  const Facts& facts = *opened.facts;
  HintTextOptions options;
  options.current_line = [&](LineId line) {
    const FileId file = facts.code().lines[line.value].file;
    return opened.sources[file.value].of(facts.code(), line).line;
  };
  std::multimap<int, std::string> words;
  for (const PlacedHint& placed : hints(facts, source, {0}).placed)
    words.emplace(placed.line - 1, hint_text(facts, placed.hint, options).text);
  return words;
}

// The rows of the annotated source that begin with a number, by that number less one.
std::map<int, std::string> annotated_rows(const Facts& facts, const AnchoredSource& source) {
  AnnotateOptions options;
  options.fold = false;
  options.threshold = 0;
  std::map<int, std::string> rows;
  const std::string text = annotate_source(facts, source, options);
  for (const std::string_view row : split_lines(text)) {
    const size_t bar = row.find(" │ ");
    int number = 0;
    if (bar != std::string_view::npos && std::sscanf(std::string(row).c_str(), "%d", &number) == 1)
      rows.try_emplace(number - 1, row);
  }
  return rows;
}

size_t check_hints(Opened& opened) {
  const Facts& facts = *opened.facts;
  size_t checked = 0;
  for (const AnchoredSource& source : opened.sources) {
    if (source.document == nullptr) continue;
    const std::string path = opened.path_of(source.file);
    CAPTURE(path);
    const std::multimap<int, std::string> words = words_of_hints(opened, source);
    const json shown = opened.client.request(
        "textDocument/inlayHint", {{"textDocument", {{"uri", uri_of(path)}}},
                                   {"range",
                                    {{"start", {{"line", 0}, {"character", 0}}},
                                     {"end", {{"line", 1'000'000}, {"character", 0}}}}}});
    std::multimap<int, std::string> labels;
    for (const json& hint : shown) labels.emplace(hint["position"]["line"], label_of(hint));
    // A client that draws hints itself gets the same texts.
    std::multimap<int, std::string> texts;
    const json costs =
        opened.client.request("etlens/lineCosts", {{"textDocument", {{"uri", uri_of(path)}}}});
    for (const json& hint : costs["hints"])
      texts.emplace(hint["line"].get<int>() - 1, hint["text"]);
    CHECK(texts == labels);
    const auto syntax = PythonSyntax::parse(source.document);
    CHECK(labels.size() == words.size() + attribute_facts(facts, source.file, *syntax, 0).size());
    const std::map<int, std::string> rows = annotated_rows(facts, source);
    for (const auto& hint : words) {
      CAPTURE(hint.first);
      CHECK(std::find(labels.begin(), labels.end(), hint) != labels.end());
      CHECK_THAT(rows.at(hint.first), Catch::Matchers::EndsWith(hint.second));
      ++checked;
    }
  }
  return checked;
}

// The ranking of lines, the lines of documents, the JSON, hovers, and the sums of events.
size_t check_lines(Opened& opened) {
  std::map<Place, json> of_json;
  for (const json& file : opened.lines["files"]) {
    for (const json& line : file["lines"]) of_json[{file["recorded_path"], line["line"]}] = line;
  }
  std::map<Place, double> of_events;
  for (const json& event :
       opened.client.request_list("etlens/events", "events", {{"limit", 1'000'000}})) {
    if (!event["line"].is_null()) of_events[place_of(event)] += event["self"].get<double>();
  }
  const json hot = opened.client.request("etlens/hotLines", {{"limit", 1'000'000}})["lines"];
  for (const json& cost : hot) {
    const Place place = place_of(cost);
    CAPTURE(place.first, place.second);
    const json& line = of_json.at(place);
    CHECK(cost["self"].get<double>() == near(of_events[place]));
    CHECK(same_keys_of(line, cost) > 20);
    if (cost["current_line"].is_null()) continue;
    const json hover = opened.client.request(
        "textDocument/hover",
        {{"textDocument", {{"uri", cost["uri"]}}},
         {"position", {{"line", cost["current_line"].get<int>() - 1}, {"character", 0}}}});
    CHECK_THAT(hover["contents"]["value"].get<std::string>(),
               Catch::Matchers::Contains("**" + cost["self_text"].get<std::string>() + "** self"));
  }
  return hot.size();
}

// The lines of each document against the JSON, by the line of now.
void check_documents(Opened& opened) {
  for (const json& file : opened.lines["files"]) {
    if (file["path"].is_null()) continue;
    std::map<int, double> expected;
    for (const json& line : file["lines"]) {
      if (!line["current_line"].is_null())
        expected[line["current_line"].get<int>() - 1] += line["self"].get<double>();
    }
    std::map<int, double> shown;
    const json costs = opened.client.request("etlens/lineCosts",
                                             {{"textDocument", {{"uri", uri_of(file["path"])}}}});
    for (const json& line : costs["lines"])
      shown[line["current_line"].get<int>() - 1] += line["self"].get<double>();
    for (const auto& [line, value] : expected) {
      CAPTURE(line);
      CHECK(shown[line] == near(value));
    }
  }
}

void check_modules(Opened& opened) {
  const json shown = opened.client.request("etlens/modules")["modules"];
  const json& expected = opened.modules["modules"];
  REQUIRE(shown.size() == expected.size());
  for (size_t m = 0; m < shown.size(); ++m) {
    CAPTURE(shown[m]["path"]);
    CHECK(same_keys_of(expected[m], shown[m]) == expected[m].size());
  }
}

// What `etlens memory` says of the method's peak.
void check_memory(Opened& opened) {
  if (opened.facts->quantity().id != "memory") return;
  const Result<LoadedProgram> loaded = load_program(opened.files, opened.program, "");
  REQUIRE(loaded);
  const std::vector<ProgramMethod>& methods = loaded->program->methods;
  const auto method = std::ranges::find(methods, opened.facts->code().method_name(),
                                        [](const ProgramMethod& row) { return row.name; });
  REQUIRE(method != methods.end());
  const MemoryFacts memory(loaded->program, static_cast<size_t>(method - methods.begin()),
                           code_of_program(nullptr, *method, {}));
  const json written = json::parse(json_text(memory_view(memory, std::nullopt, {})));
  std::vector<double> in_use;
  for (const auto& [id, live] : written["live"].items()) {
    in_use.resize(std::max(in_use.size(), live.size()));
    for (size_t i = 0; i < live.size(); ++i) in_use[i] += live[i].get<double>();
  }
  REQUIRE(!in_use.empty());
  CHECK(opened.lines["total"].get<double>() == *std::ranges::max_element(in_use));
}

// The whole of a measure that is not time.
void check_whole(Opened& opened) {
  const json status = opened.client.request("etlens/status");
  CHECK(status["measure"] == opened.facts->quantity().id);
  for (const json& measure : status["measures"]) {
    if (measure["current"] == true)
      CHECK(measure["total"]["value"].get<double>() == near(opened.lines["total"]));
  }
  double parts = 0;
  for (const json& row :
       opened.client.request_list("etlens/events", "events", {{"limit", 1'000'000}}))
    parts += row["self"].get<double>();
  CHECK(parts == near(opened.lines["total"]));
}

void check_totals(Opened& opened) {
  const json status = opened.client.request("etlens/status")["profile"];
  CHECK(same_keys_of(opened.lines, status) > 15);
  double parts = 0;
  for (const json& event :
       opened.client.request_list("etlens/events", "events", {{"limit", 1'000'000}}))
    parts += event["self"].get<double>();
  CHECK(parts == near(status["total"]));
}

}  // namespace

TEST_CASE("every surface says the same of one place", "[server][corpus]") {
  size_t pairs = 0;
  size_t hints = 0;
  size_t lines = 0;
  std::map<std::string, size_t> others;
  for (const std::string& folder : case_folders()) {
    std::vector<Pair> all = pairs_of(folder);
    if (kSanitized && !all.empty()) all.resize(1);
    for (const Pair& pair : all) {
      CAPTURE(pair.etdump, pair.etrecord);
      Opened opened(folder, pair);
      const std::string state = opened.client.request("etlens/status")["state"];
      CHECK((state == "ready") == opened.facts.has_value());
      if (!opened.facts || state != "ready") continue;
      ++pairs;
      hints += check_hints(opened);
      lines += check_lines(opened);
      check_documents(opened);
      check_modules(opened);
      check_totals(opened);
      for (size_t m = 1; m < opened.study->measures.size(); ++m) {
        CAPTURE(opened.study->measures[m].quantity.id);
        opened.show(m);
        ++others[std::string(opened.facts->quantity().id)];
        check_hints(opened);
        check_lines(opened);
        check_documents(opened);
        check_modules(opened);
        check_whole(opened);
        check_memory(opened);
      }
    }
  }
  CHECK(others["memory"] > 5);
  CHECK(others["size"] > 5);
  CHECK(others["error"] > 0);
  CHECK(pairs > 10);
  CHECK(hints > 100);
  CHECK(lines > 100);
}

}  // namespace etlens::surfaces_test
