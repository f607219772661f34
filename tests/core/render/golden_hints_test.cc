// SPDX-License-Identifier: Apache-2.0
// Annotated sources: each tests/golden/hints/*.txtar is input and expectation. What a line should
// say stands behind `#>`; missing, wrong and unexpected hints all show up as a difference.
#include "core/base/text.h"
#include "core/render/display_width.h"
#include "core/render/hint_text.h"
#include "core/render/summary.h"
#include "core/workspace/anchored_source.h"
#include "tests/support/golden.h"

#include <fstream>
#include <map>
#include <sstream>

namespace etlens::golden_hints_test {

using namespace etlens::test;

namespace {

constexpr size_t kHintColumn = 60;

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string render(const GoldenProfile& golden, const Facts& facts, FileId file, double threshold) {
  const auto bytes = golden.files.read(facts.study().sources[file.value].path);
  const auto document = std::make_shared<Document>(std::string(bytes->text()));
  const AnchoredSource source = anchor_source(facts.code(), file, document);
  HintTextOptions options;
  options.current_line = [&](LineId line) {
    return facts.code().lines[line.value].file == file ? source.of(facts.code(), line).line : 0;
  };
  std::map<uint32_t, std::string> texts;
  for (const PlacedHint& placed : hints(facts, source, {threshold}).placed)
    texts[placed.line] = hint_text(facts, placed.hint, options).text;
  std::string out;
  for (size_t n = 0; n < document->line_count(); ++n) {
    std::string line(document->line(n));
    if (n + 1 == document->line_count() && line.empty()) break;
    if (const auto hint = texts.find(static_cast<uint32_t>(n + 1)); hint != texts.end()) {
      const size_t width = display_width(line);
      line +=
          std::string(width < kHintColumn ? kHintColumn - width : 2, ' ') + "#> " + hint->second;
    }
    out += line + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("golden: hints", "[golden]") {
  const std::vector<std::string> paths = golden_files("hints");
  REQUIRE_FALSE(paths.empty());
  for (const std::string& path : paths) {
    CAPTURE(path);
    const std::string text = read_text(path);
    std::vector<Section> sections = parse_txtar(text);
    GoldenProfile golden;
    load_golden(sections, golden);
    CAPTURE(golden.error);
    REQUIRE(golden.study != nullptr);
    const Facts facts(golden.study);
    double threshold = 0.005;
    bool has_edited = false;
    for (const Section& section : sections) {
      if (section.name == "settings.json") {
        threshold = nlohmann::json::parse(section.text).value("threshold", threshold);
      }
      has_edited |= section.name.ends_with("(edited)");
    }
    for (Section& section : sections) {
      if (section.name == "summary")
        section.text = summary_text(headline(facts), facts, std::nullopt);
      const bool is_shown =
          has_edited ? section.name.ends_with("(edited)") : section.name.ends_with(".py");
      if (!is_shown) continue;
      const std::string name = section.name.substr(0, section.name.find(' '));
      const FileId file = facts.find_source("/work/" + name);
      if (file.valid()) section.text = render(golden, facts, file, threshold);
      else section.text = without_expectations(section.text);
    }
    const std::string rendered = format_txtar(sections);
    if (update_golden()) std::ofstream(path, std::ios::binary) << rendered;
    else CHECK(rendered == text);
  }
}

}  // namespace etlens::golden_hints_test
