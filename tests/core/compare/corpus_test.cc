// SPDX-License-Identifier: Apache-2.0
// Ground truth of a larger corpus: pairs of processes of which it is known what changed between
// them. Runs where ETLENS_CORPUS names one (measures/ab); the words of a pair's truth are its
// README's. What needs no more than tests/data is held in promises_test.cc, too.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "core/base/path.h"
#include "tests/core/compare/sides.h"
#include "tests/support/corpus.h"

namespace etlens::corpus_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

const std::string& corpus() {
  static const std::string folder = std::string(std::getenv("ETLENS_CORPUS")) + "/measures/ab";
  return folder;
}

std::shared_ptr<const Side> load(const std::string& record, const std::string& program,
                                 const std::string& source, const std::vector<std::string>& runs,
                                 bool recovers = true) {
  SideRequest request;
  request.load.recovers = recovers;
  request.load.etrecord = absolute_path(corpus(), record);
  request.load.pte = absolute_path(corpus(), program);
  if (!source.empty()) request.load.roots = {absolute_path(corpus(), source)};
  for (const std::string& run : runs)
    request.dumps.push_back(unpacked(absolute_path(corpus(), run)));
  Result<Side> side = load_side(real_file_system(), request);
  if (!side) FAIL(side.error().message);
  return std::make_shared<const Side>(std::move(*side));
}

std::shared_ptr<const Side> load(const json& side, bool recovers) {
  return load(side["record"], side["program"], side["source"], side["runs"], recovers);
}

// Both sides on the same lines, as every surface compares.
Comparison compared_pair(const json& pair) {
  const auto before = load(pair["a"], true);
  const auto after = load(pair["b"], true);
  if (!differ_in_recovery(*before, *after)) return compared(before, after);
  return compared(load(pair["a"], false), load(pair["b"], false));
}

std::vector<json> pairs() {
  return json::parse(read_file(corpus() + "/pairs.json")).get<std::vector<json>>();
}

// "convnet/blocks.py:16" of the line's file and number.
bool is_at(const Code& code, LineId line, const std::string& where) {
  const std::string path(code.recorded_path(code.lines[line.value].file));
  return (path + ":" + std::to_string(code.lines[line.value].number)).ends_with("/" + where);
}

double matched_share(const Comparison& comparison) {
  double matched = 0;
  double all = 0;
  for (const LineChange& line : comparison.lines) {
    const double share = line.change.before.share + line.change.after.share;
    all += share;
    if (!line.before.empty() && !line.after.empty()) matched += share;
  }
  return all > 0 ? matched / all : 1;
}

// The calm processes of the A/A series, and those of the same program before a planted change.
struct ProcessSeries {
  const char* name;
  const char* program;  // of release-1.5
  std::vector<const char*> before;
};
const std::vector<ProcessSeries> kSeries{
    {"convnet-portable",
     "convnet-portable-fp32",
     {"convnet-faster-portable", "convnet-moved-portable", "convnet-stem7-portable"}},
    {"convnet-xnnpack",
     "convnet-xnnpack-fp32",
     {"convnet-moved-xnnpack", "convnet-neck-wider-xnnpack", "convnet-stem7-xnnpack"}},
    {"llama-xnnpack",
     "llama-xnnpack-fp32",
     {"llama-hidden80-xnnpack", "llama-renamed-xnnpack", "llama-repeat-xnnpack"}},
    {"llama-int8dyn", "llama-xnnpack-int8dyn", {}},
    {"mlp-portable",
     "mlp-portable-fp32",
     {"mlp-comments-portable", "mlp-renamed-portable", "mlp-wider-portable"}}};

std::shared_ptr<const Side> load_series(const ProcessSeries& series, bool with_others) {
  std::vector<std::string> runs;
  for (int i = 1; i <= 8; ++i)
    runs.push_back("programs/" + std::string(series.name) + "/aa0" + std::to_string(i) +
                   ".etdp.gz");
  for (const char* before : series.before) {
    for (int i = 1; with_others && i <= 6; ++i)
      runs.push_back("changed/" + std::string(before) + "/before/run0" + std::to_string(i) +
                     ".etdp.gz");
  }
  const std::string folder = "../../release-1.5/" + std::string(series.program);
  return load(folder + "/model.etrecord", folder + "/model.pte", "", runs);
}

struct Split {
  std::shared_ptr<const Side> before;
  std::shared_ptr<const Side> after;
};

Split random_split(const Side& side, size_t before, size_t after, std::mt19937& random) {
  std::vector<size_t> dumps(side.dumps.size());
  for (size_t i = 0; i < dumps.size(); ++i) dumps[i] = i;
  std::shuffle(dumps.begin(), dumps.end(), random);
  const auto middle = dumps.begin() + static_cast<std::ptrdiff_t>(before);
  return {part_of(side, {dumps.begin(), middle}),
          part_of(side, {middle, middle + static_cast<std::ptrdiff_t>(after)})};
}

}  // namespace

TEST_CASE("Pairs without a change: hardly a line or a total is accused",
          "[needs:corpus/measures/ab]") {
  Alarms lines;
  Alarms totals;
  for (const json& pair : pairs()) {
    if (pair["kind"] != "same") continue;
    CAPTURE(pair["name"].get<std::string>());
    const Comparison comparison = compared_pair(pair);
    CHECK(reconciles(comparison));
    CHECK(matched_share(comparison) >= 0.99);
    for (const LineChange& line : comparison.lines) lines.add(line.change);
    totals.add(comparison.total);
  }
  CHECK(lines.tested > 100);
  CHECK(totals.tested > 0);
  CHECK(lines.share() <= 0.01);
  CHECK(totals.share() <= 0.02);
}

TEST_CASE("Planted changes: nothing but their lines is accused, and the large ones are found",
          "[needs:corpus/measures/ab]") {
  const std::map<std::string, std::string> found{
      {"convnet-stem7-portable", "convnet/blocks.py:16"},
      {"convnet-stem7-xnnpack", "convnet/blocks.py:16"},
      {"convnet-neck-wider-xnnpack", "convnet/head.py:12"},
      {"llama-repeat-portable", "tiny_llama.py:83"},
      {"llama-repeat-xnnpack", "tiny_llama.py:83"},
      {"mlp-wider-portable", "mlp.py:16"}};
  size_t compared_pairs = 0;
  for (const json& pair : pairs()) {
    const std::string kind = pair["kind"];
    if (!kind.starts_with("slower")) continue;
    ++compared_pairs;
    const std::string name = pair["name"];
    CAPTURE(name);
    const Comparison comparison = compared_pair(pair);
    CHECK(reconciles(comparison));
    const std::vector<std::string> slower = pair["truth"]["slower_lines"];
    const auto wanted = found.find(name);
    bool is_found = wanted == found.end();
    for (const LineChange& line : comparison.lines) {
      if (!is_accused(line.change)) continue;
      const LineId id = line.after.front();
      const Code& code = *comparison.after->code;
      CAPTURE(code.lines[id.value].number);
      CHECK(std::any_of(slower.begin(), slower.end(),
                        [&](const std::string& where) { return is_at(code, id, where); }));
      if (wanted != found.end() && is_at(code, id, wanted->second)) is_found = true;
    }
    CHECK(is_found);
  }
  CHECK(compared_pairs >= found.size());
}

TEST_CASE("Other lowerings of one source are compared module by module",
          "[needs:corpus/measures/ab]") {
  size_t compared_pairs = 0;
  for (const json& pair : pairs()) {
    const std::string kind = pair["kind"];
    if (kind != "fp32-int8" && kind != "portable-xnnpack") continue;
    ++compared_pairs;
    CAPTURE(pair["name"].get<std::string>());
    const Comparison comparison = compared_pair(pair);
    CHECK(reconciles(comparison));
    CHECK(matched_share(comparison) >= 0.99);
    for (const ModuleChange& module : comparison.modules) {
      CHECK(module.before.valid());
      CHECK(module.after.valid());
    }
  }
  CHECK(compared_pairs > 0);
}

TEST_CASE("A thousand random splits of processes of one program: alarms are as rare as promised",
          "[needs:corpus/measures/ab]") {
  std::mt19937 random(1);
  Alarms lines;
  Alarms totals;
  for (const ProcessSeries& series : kSeries) {
    const auto side = load_series(series, false);
    for (int i = 0; i < 200; ++i) {
      const size_t before = std::vector<size_t>{4, 4, 3, 2, 1}[static_cast<size_t>(i) % 5];
      const Split split = random_split(*side, before, i % 5 == 4 ? 4 : before, random);
      const Comparison comparison = compared(split.before, split.after);
      for (const LineChange& line : comparison.lines) lines.add(line.change);
      totals.add(comparison.total);
    }
  }
  CHECK(lines.tested > 100);
  CHECK(totals.tested > 0);
  CHECK(lines.share() <= 0.01);
  CHECK(totals.share() <= 0.02);
}

TEST_CASE("Injected slowdowns: so many are found", "[needs:corpus/measures/ab]") {
  std::mt19937 random(1);
  size_t injected = 0;
  size_t found = 0;
  Alarms others;
  for (const ProcessSeries& series : kSeries) {
    if (series.before.empty()) continue;  // too few processes for ten a side
    const auto side = load_series(series, true);
    for (int i = 0; i < 20; ++i) {
      const Split split = random_split(*side, 10, 10, random);
      const Comparison calm = compared(split.before, split.after);
      for (const LineChange& line : calm.lines) {
        if (line.change.before.share < 0.05) continue;
        const LineId id = line.after.front();
        const Comparison comparison = compared(split.before, scaled(*split.after, id, 1.2));
        ++injected;
        for (const LineChange& row : comparison.lines) {
          if (row.after.front() != id) others.add(row.change);
          else if (row.change.judged.verdict == Verdict::Slower) ++found;
        }
      }
    }
  }
  CHECK(injected > 0);
  CHECK(others.tested > 0);
  CHECK(static_cast<double>(found) >= 0.85 * static_cast<double>(injected));
  CHECK(others.share() <= 0.05);
}

}  // namespace etlens::corpus_test
