// SPDX-License-Identifier: Apache-2.0
// A default export with recovered lines shows what its strict twin shows: the same dump, both
// records. And what is not sure keeps the line that the record gives.
#include "core/facts/recovery_facts.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/facts/hints.h"
#include "core/workspace/load.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"

namespace etlens::recovery_facts_test {

using namespace etlens::test;

namespace {

namespace fs = std::filesystem;

const std::string kHelpers = ETLENS_TEST_DATA "/helpers/";

// A case in memory: its files below /a, its sources in /w/net.
struct Case {
  MemoryFileSystem files;
  LoadRequest request;

  explicit Case(const std::string& folder, const std::string& sources, bool is_strict = false) {
    const auto put = [&](const std::string& name, const std::string& to) {
      const std::string path = folder + "/" + name;
      if (!fs::exists(path)) return std::string();
      files.put(to, read_file(path));
      return to;
    };
    request.etdump = put("run10.etdp.gz", "/a/model.etdp");
    request.pte = put("model.pte", "/a/model.pte");
    request.etrecord = put(is_strict ? "strict.etrecord" : "model.etrecord", "/a/model.etrecord");
    for (const auto& entry : fs::recursive_directory_iterator(sources)) {
      if (entry.is_regular_file())
        files.put("/w/net/" + fs::relative(entry.path(), sources).string(),
                  read_file(entry.path()));
    }
    request.roots = {"/w/net"};
  }

  Result<std::shared_ptr<const Study>> load() const { return load_study(files, request); }
};

Case of_data(const std::string& name, bool is_strict = false) {
  return Case(kHelpers + name, kHelpers + name + "/sources", is_strict);
}

using Ticks = std::tuple<int64_t, int64_t, uint32_t>;  // self, inclusive, runs
using Lines = std::map<std::pair<std::string, uint32_t>, Ticks>;

Lines lines_of(const Facts& facts) {
  Lines lines;
  for (size_t l = 0; l < facts.line_count(); ++l) {
    const LineFacts line = facts.line(LineId(l));
    if (!line.has_cost()) continue;
    lines[{std::string(line.recorded_path), line.number}] = {
        line.self.amount.value, line.inclusive.amount.value, line.runs};
  }
  return lines;
}

Facts facts_of(const Case& one) {
  const auto study = one.load();
  if (!study) FAIL(study.error().message);
  return Facts(*study);
}

Amount sum_of(const Facts& facts) { return facts.measure().total.total; }

// What is recovered moves from line to line.
void check_totals(const Case& lossy, const Facts& recovered) {
  Case plain = lossy;
  plain.request.recovers = false;
  const Facts before = facts_of(plain);
  CHECK(sum_of(before) == sum_of(recovered));
  CHECK(lines_of(before).size() < lines_of(recovered).size());
  for (const auto& [place, ticks] : lines_of(before)) {
    INFO(place.first << ":" << place.second);
    const Lines after = lines_of(recovered);
    const auto at = after.find(place);
    REQUIRE(at != after.end());
    CHECK(std::get<0>(at->second) <= std::get<0>(ticks));
    CHECK(std::get<1>(at->second) >= std::get<1>(ticks));
  }
}

void compare_with_strict(const Case& lossy, const Case& strict) {
  const Facts recovered = facts_of(lossy);
  check_totals(lossy, recovered);
  const Lines lines = lines_of(recovered);
  const Lines truth = lines_of(facts_of(strict));
  CHECK(lines.size() == truth.size());
  for (const auto& [place, ticks] : truth) {
    INFO(place.first << ":" << place.second);
    const auto at = lines.find(place);
    REQUIRE(at != lines.end());
    CHECK(at->second == ticks);
  }
}

using TrueLines = std::map<std::string, std::pair<std::string, uint32_t>>;  // by node

// The innermost line of every node in the strict export: truth.json of the corpus.
TrueLines true_lines(const std::string& path) {
  TrueLines lines;
  const nlohmann::json truth = nlohmann::json::parse(read_file(path));
  for (const nlohmann::json& node : truth.at("edge")) {
    for (const char* key : {"full", "frames"}) {
      if (!node.contains(key) || node.at(key).is_null()) continue;
      for (const nlohmann::json& index : node.at(key)) {
        const nlohmann::json& frame = truth.at("files_frames").at(index.get<size_t>());
        const std::string file = frame.at(0);
        if (file.starts_with("/home/user/") && file.find("export") == std::string::npos)
          lines[node.at("name")] = {file, frame.at(1)};
      }
    }
  }
  return lines;
}

// Every contribution is on the true line of its node.
size_t check_nodes(const Facts& facts, const TrueLines& truth) {
  const Code& code = facts.code();
  size_t checked = 0;
  for (const Landing& row : facts.measure().landings->rows) {
    if (row.part != Part::Line || !row.node.valid()) continue;
    const Node& node = code.record->nodes[row.node.value];
    const auto at = truth.find(std::string(code.record->text(node.name)));
    if (at == truth.end()) continue;
    const CodeLine& line = code.lines[row.line.value];
    INFO(at->first);
    CHECK(at->second.first == code.recorded_path(line.file));
    CHECK(at->second.second == line.number);
    ++checked;
  }
  return checked;
}

}  // namespace

TEST_CASE("recovery: lines of helpers cost what those of the strict twin cost, tick for tick",
          "[recovery]") {
  for (const std::string name : {"ropeformer", "int8net"}) {
    INFO(name);
    compare_with_strict(of_data(name), of_data(name, true));
  }
}

TEST_CASE("recovery: sums, and words for how sure they are", "[recovery]") {
  const Facts facts = facts_of(of_data("ropeformer"));
  const std::optional<RecoveryFacts> recovery = recovery_of(facts);
  REQUIRE(recovery);
  CHECK(recovery->recovered.share > 0.3);
  CHECK(recovery->lost.amount == Amount());
  CHECK(recovery->calls.empty());
  CHECK(facts.study().report.find(Oddity::RecordNonStrict) == nullptr);
  const ReportRow* row = facts.study().report.find(Oddity::RecordLinesRecovered);
  REQUIRE(row != nullptr);
  CHECK(row->count == 156);
  Amount sum;
  for (size_t l = 0; l < facts.line_count(); ++l) {
    const LineFacts line = facts.line(LineId(l));
    const bool is_helper = line.function != "forward";
    INFO(line.recorded_path << ":" << line.number);
    if (!facts.is_listed(line.id)) continue;
    CHECK(facts.code().lines[l].is_recovered == is_helper);
    // What runs through a line of forward is as sure as the record.
    CHECK(line.confidence == (is_helper ? Confidence::Recovered : Confidence::Exact));
    if (is_helper) sum += line.self.amount;
    const std::optional<Hint> hint = hint_of(facts, line.id, false, {0});
    if (!hint || hint->kind != HintKind::Cost) continue;
    CHECK(hint->is_recovered == is_helper);
  }
  CHECK(sum == recovery->recovered.amount);
}

TEST_CASE("recovery: nothing is claimed where there is no source, or nobody wants it",
          "[recovery]") {
  Case switched_off = of_data("ropeformer");
  switched_off.request.recovers = false;
  Case without_sources = of_data("ropeformer");
  without_sources.request.roots = {"/elsewhere"};
  for (const Case* one : {&switched_off, &without_sources}) {
    const Facts facts = facts_of(*one);
    CHECK(facts.study().recovery == nullptr);
    CHECK_FALSE(recovery_of(facts));
    CHECK(facts.study().report.find(Oddity::RecordNonStrict) != nullptr);
    CHECK(facts.study().report.find(Oddity::RecordLinesRecovered) == nullptr);
  }
  CHECK_FALSE(recovery_of(facts_of(of_data("ropeformer", true))));
}

TEST_CASE("recovery: an edited file whose recorded lines moved is not used", "[recovery]") {
  Case edited = of_data("ropeformer");
  std::vector<std::string> sources;
  const std::string folder = kHelpers + "ropeformer/sources/";
  size_t moved = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string text = read_file(entry.path());
    if (text.find("def forward") == std::string::npos) continue;
    edited.files.put("/w/net/" + fs::relative(entry.path(), folder).string(), "# new\n" + text);
    ++moved;
  }
  REQUIRE(moved > 0);
  const Facts facts = facts_of(edited);
  CHECK(facts.study().recovery == nullptr);
  for (const CodeLine& line : facts.code().lines) CHECK_FALSE(line.is_recovered);
}

TEST_CASE("recovery: every contribution of real default exports is on its true line",
          "[recovery][needs:corpus/measures/helpers]") {
  const fs::path helpers = fs::path(std::getenv("ETLENS_CORPUS")) / "measures/helpers";
  size_t pairs = 0;
  for (const auto& model : fs::directory_iterator(helpers)) {
    if (!model.is_directory()) continue;
    for (const auto& variant : fs::directory_iterator(model)) {
      if (!fs::exists(variant.path() / "run10.etdp.gz")) continue;
      INFO(variant.path().string());
      const Case lossy(variant.path(), model.path() / "sources");
      const Facts facts = facts_of(lossy);
      check_totals(lossy, facts);
      CHECK(check_nodes(facts, true_lines(variant.path() / "truth.json")) > 20);
      ++pairs;
    }
  }
  CHECK(pairs >= 14);
}

}  // namespace etlens::recovery_facts_test
