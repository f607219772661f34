// SPDX-License-Identifier: Apache-2.0
// Annotated edits: each tests/golden/anchors/*.txtar has a file before and after an edit. Before,
// `#@` stands behind the recorded lines (`#@?`: without the class that ran them, `#@Name`: run by
// the forward of that class). After, `#>` says which recorded line stands there now; those without
// a place follow in `unplaced`. In the name of the section after the edit, `crlf` and `bom` say
// what the harness makes of its text, `git` that the file before is at hand.
#include <catch2/catch.hpp>

#include <fstream>
#include <map>
#include <sstream>

#include "core/base/text.h"
#include "core/source/anchor/anchor.h"
#include "tests/support/txtar.h"

namespace etlens::golden_anchors_test {

using namespace etlens::test;

namespace {

constexpr size_t kColumn = 60;

struct Recording {
  std::string text;  // without marks
  std::vector<uint32_t> lines;
  std::vector<std::string> classes;  // what stands behind the mark
};

Recording read_marks(const std::string& marked) {
  Recording recording;
  uint32_t number = 0;
  for (const std::string_view line : split_lines(marked)) {
    ++number;
    const size_t mark = line.rfind("#@");
    std::string_view text = line.substr(0, mark);
    if (mark != std::string_view::npos) {
      recording.lines.push_back(number);
      recording.classes.emplace_back(line.substr(mark + 2));
      while (text.ends_with(' ')) text.remove_suffix(1);
    }
    recording.text += std::string(text) + "\n";
  }
  return recording;
}

std::vector<RecordedLine> record(const Recording& recording, const PythonSyntax& syntax) {
  std::vector<RecordedLine> lines;
  for (size_t i = 0; i < recording.lines.size(); ++i) {
    const uint32_t row = recording.lines[i] - 1;
    RecordedLine line{row + 1, "<module>", trim(syntax.document().line(row))};
    const PythonStatement* statement = syntax.statement_at(row);
    REQUIRE(statement != nullptr);
    if (statement->scope != kNone) {
      const PythonScope& scope = syntax.scopes()[statement->scope];
      line.function = scope.name;
      const bool is_method = scope.parent != kNone && syntax.scopes()[scope.parent].is_class;
      const std::string& named = recording.classes[i];
      if (!named.empty() && named != "?") line.classes.push_back(named);
      else if (named.empty() && is_method)
        line.classes.push_back(syntax.scopes()[scope.parent].name);
    }
    lines.push_back(line);
  }
  return lines;
}

std::string without_marks(const std::string& marked) {
  std::string text;
  for (std::string_view line : split_lines(marked)) {
    line = line.substr(0, line.find("#>"));
    while (line.ends_with(' ')) line.remove_suffix(1);
    text += std::string(line) + "\n";
  }
  return text;
}

std::string word_of(const Anchor& anchor) {
  return std::string(name_of(anchor.verdict)) + (anchor.edited ? ", edited" : "") +
         (anchor.rung == AnchorRung::GitBlob ? ", git" : "");
}

// Document and expectation of one text after the edit.
struct After {
  std::string text, unplaced;
};

After render(const Recording& recording, const std::string& plain, const std::string& name) {
  const auto before = std::make_shared<Document>(recording.text);
  const auto syntax = PythonSyntax::parse(before);
  const std::vector<RecordedLine> lines = record(recording, *syntax);
  std::string text = name.find("bom") == std::string::npos ? "" : "\xEF\xBB\xBF";
  for (const std::string_view line : split_lines(plain)) {
    text += std::string(line) + (name.find("crlf") == std::string::npos ? "\n" : "\r\n");
  }
  AnchorEvidence evidence;
  if (name.find("git") != std::string::npos) evidence.recorded = before;
  const std::vector<Anchor> anchors =
      anchor_lines(std::make_shared<Document>(text), lines, evidence);
  After after;
  std::multimap<uint32_t, std::string> marks;
  for (size_t i = 0; i < anchors.size(); ++i) {
    const std::string mark = std::to_string(lines[i].line) + " " + word_of(anchors[i]);
    if (anchors[i].line > 0) marks.emplace(anchors[i].line, mark);
    else after.unplaced += mark + "\n";
  }
  uint32_t number = 0;
  for (const std::string_view line : split_lines(plain)) {
    std::string out(line);
    const auto [first, last] = marks.equal_range(++number);
    for (auto at = first; at != last; ++at) {
      const size_t width = utf8_count(out);
      out += at == first ? std::string(width < kColumn ? kColumn - width : 2, ' ') + "#> " : " | ";
      out += at->second;
    }
    after.text += out + "\n";
  }
  return after;
}

}  // namespace

TEST_CASE("golden: anchors", "[golden][anchor]") {
  const std::vector<std::string> paths = golden_files("anchors");
  REQUIRE(paths.size() > 10);
  for (const std::string& path : paths) {
    CAPTURE(path);
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    std::vector<Section> sections = parse_txtar(content.str());
    Recording recording;
    std::string unplaced;
    for (Section& section : sections) {
      if (section.name == "before.py") recording = read_marks(section.text);
      if (section.name.starts_with("after.py")) {
        const After after = render(recording, without_marks(section.text), section.name);
        section.text = after.text;
        unplaced = after.unplaced;
      }
      if (section.name == "unplaced") section.text = unplaced;
    }
    const std::string rendered = format_txtar(sections);
    if (update_golden()) std::ofstream(path, std::ios::binary) << rendered;
    else CHECK(rendered == content.str());
  }
}

}  // namespace etlens::golden_anchors_test
