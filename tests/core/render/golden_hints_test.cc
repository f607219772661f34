// SPDX-License-Identifier: Apache-2.0
// Annotated sources: each tests/golden/hints/*.txtar is input and expectation. What a line should
// say stands behind `#>`; missing, wrong and unexpected hints all show up as a difference.
#include "core/base/text.h"
#include "core/render/display_width.h"
#include "core/render/inlay_hint.h"
#include "core/render/summary.h"
#include "core/workspace/anchored_source.h"
#include "tests/support/golden.h"

#include <fstream>
#include <map>
#include <sstream>

using namespace etlens;
using namespace etlens::test;

namespace {

constexpr size_t kHintColumn = 60;

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string render(const GoldenProfile& golden, FileId file, double threshold) {
  const ProfileSnapshot& snapshot = *golden.snapshot;
  const auto bytes = golden.files.read(snapshot.sources[file.value].path);
  const auto document = std::make_shared<Document>(std::string(bytes->text()));
  const AnchoredSource source = anchor_source(snapshot.profile, file, document);
  HintOptions options;
  options.threshold = threshold;
  options.current_line = [&](LineId line) {
    return snapshot.profile.lines[line.value].file == file ? source.of(snapshot.profile, line).line
                                                           : 0;
  };
  std::map<uint32_t, std::string> hints;
  const FileRow& row = snapshot.profile.files[file.value];
  for (uint32_t i = 0; i < row.line_count; ++i) {
    const LineId id(row.first_line + i);
    const Anchor& anchor = source.of(snapshot.profile, id);
    if (anchor.line == 0) continue;
    if (const auto hint = line_hint(snapshot, id, anchor.edited, options))
      hints[anchor.line] = hint->text;
  }
  std::string out;
  for (size_t n = 0; n < document->line_count(); ++n) {
    std::string line(document->line(n));
    if (n + 1 == document->line_count() && line.empty()) break;
    if (const auto hint = hints.find(static_cast<uint32_t>(n + 1)); hint != hints.end()) {
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
    REQUIRE(golden.snapshot != nullptr);
    double threshold = 0.005;
    bool has_edited = false;
    for (const Section& section : sections) {
      if (section.name == "settings.json") {
        threshold = nlohmann::json::parse(section.text).value("threshold", threshold);
      }
      has_edited |= section.name.ends_with("(edited)");
    }
    for (Section& section : sections) {
      if (section.name == "summary") section.text = summary_text(*golden.snapshot);
      const bool is_shown =
          has_edited ? section.name.ends_with("(edited)") : section.name.ends_with(".py");
      if (!is_shown) continue;
      const std::string name = section.name.substr(0, section.name.find(' '));
      const FileId file = golden.snapshot->find_source("/work/" + name);
      if (file.valid()) section.text = render(golden, file, threshold);
      else section.text = without_expectations(section.text);
    }
    const std::string rendered = format_txtar(sections);
    if (update_golden()) std::ofstream(path, std::ios::binary) << rendered;
    else CHECK(rendered == text);
  }
}
