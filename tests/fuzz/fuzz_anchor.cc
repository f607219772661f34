// SPDX-License-Identifier: Apache-2.0
// Bytes -> a document before and after, recorded lines, keystrokes. The first line of the input
// says which lines were recorded; a line of `%%` parts the texts. Looks for crashes, and for
// anchors that cannot be.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/source/anchor/edited_anchors.h"

namespace {

using namespace etlens;

constexpr size_t kMaxLines = 300;
constexpr size_t kMaxBytes = 32 << 10;  // the parser alone takes seconds for a large binary file

void require(bool condition) {
  if (!condition) std::abort();
}

std::vector<RecordedLine> record(const PythonSyntax& syntax, std::string_view choice) {
  std::vector<RecordedLine> lines;
  const Document& document = syntax.document();
  for (size_t n = 0; n < document.line_count() && lines.size() < kMaxLines; ++n) {
    const uint8_t bits = choice.empty() ? 0 : static_cast<uint8_t>(choice[n % choice.size()]);
    if (bits & 1) continue;
    RecordedLine line{static_cast<uint32_t>(n + (bits & 2 ? 1 : 1 + bits % 5)), "forward",
                      trim(document.line(n))};
    const PythonStatement* statement = syntax.statement_at(n);
    if (statement != nullptr && statement->scope != kNone && !(bits & 4)) {
      const PythonScope& scope = syntax.scopes()[statement->scope];
      line.function = scope.name;
      if (scope.parent != kNone && !(bits & 8))
        line.classes.push_back(syntax.scopes()[scope.parent].name);
    }
    lines.push_back(line);
  }
  return lines;
}

void check(const Document& document, const std::vector<RecordedLine>& lines,
           const std::vector<Anchor>& anchors) {
  require(anchors.size() == lines.size());
  for (size_t i = 0; i < anchors.size(); ++i) {
    const Anchor& anchor = anchors[i];
    const bool has_line =
        anchor.verdict == AnchorVerdict::Exact || anchor.verdict == AnchorVerdict::Moved;
    require(has_line == (anchor.line > 0));
    require(anchor.line <= document.line_count() && anchor.function_line <= document.line_count());
    if (!has_line) continue;
    const bool is_same = trim(document.line(anchor.line - 1)) == lines[i].text;
    require((anchor.verdict == AnchorVerdict::Exact) == (is_same && anchor.line == lines[i].line));
    require(!is_same || !anchor.edited);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > kMaxBytes) return 0;
  std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view choice = input.substr(0, input.find('\n'));
  input.remove_prefix(std::min(choice.size() + 1, input.size()));
  const size_t mark = input.find("\n%%\n");
  const std::string_view second = mark == std::string_view::npos ? input : input.substr(mark + 4);
  const auto before = std::make_shared<Document>(std::string(input.substr(0, mark)));
  auto document = std::make_shared<const Document>(std::string(second));
  const auto syntax = PythonSyntax::parse(before);
  const std::vector<RecordedLine> lines = record(*syntax, choice);
  AnchorEvidence evidence;
  for (const auto& recorded :
       {std::shared_ptr<const Document>(), std::shared_ptr<const Document>(before)}) {
    evidence.recorded = recorded;
    check(*document, lines, anchor_lines(document, lines, evidence));
  }
  evidence.syntax = PythonSyntax::parse(document);
  std::vector<Anchor> anchors = anchor_lines(document, lines, evidence);
  for (size_t i = 0; i + 2 < std::min<size_t>(choice.size(), 12); i += 3) {
    TextEdit edit;
    edit.begin = static_cast<uint8_t>(choice[i]) * document->text().size() / 255;
    edit.end = edit.begin + static_cast<uint8_t>(choice[i + 1]) % 40;
    edit.text = choice.substr(i + 2, 1 + static_cast<uint8_t>(choice[i]) % 9);
    if (choice[i + 1] & 1) edit.text += '\n';
    const auto after = std::make_shared<const Document>(document->edited(edit));
    evidence.syntax = evidence.syntax->edited(std::span(&edit, 1), after);
    anchors = anchor_after_edits(*document, anchors, std::span(&edit, 1), after, lines, evidence);
    document = after;
    check(*document, lines, anchors);
  }
  return 0;
}
