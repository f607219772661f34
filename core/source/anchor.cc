// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor.h"

#include <unordered_map>

#include "core/base/text.h"

namespace etlens {

std::string_view name_of(AnchorVerdict verdict) {
  switch (verdict) {
    case AnchorVerdict::Exact:
      return "exact";
    case AnchorVerdict::Moved:
      return "moved";
    case AnchorVerdict::Stale:
      return "stale";
    case AnchorVerdict::Lost:
      return "lost";
  }
  return "lost";
}

std::vector<Anchor> anchor_lines(const Document& document, const std::vector<RecordedLine>& lines) {
  std::vector<Anchor> anchors(lines.size());
  bool all_exact = true;
  for (size_t i = 0; i < lines.size(); ++i) {
    const RecordedLine& recorded = lines[i];
    const bool is_here = recorded.line >= 1 && recorded.line <= document.line_count() &&
                         !recorded.text.empty() &&
                         trim(document.line(recorded.line - 1)) == recorded.text;
    if (is_here) anchors[i] = {AnchorVerdict::Exact, recorded.line, false};
    all_exact &= is_here;
  }
  if (all_exact) return anchors;
  // A text that occurs once in the document and once among the recorded lines can only be that line.
  std::unordered_map<std::string_view, std::pair<size_t, uint32_t>> in_document;
  for (size_t n = 0; n < document.line_count(); ++n) {
    auto& [count, line] = in_document[trim(document.line(n))];
    ++count;
    line = static_cast<uint32_t>(n + 1);
  }
  std::unordered_map<std::string_view, size_t> recorded_count;
  for (const RecordedLine& recorded : lines) ++recorded_count[recorded.text];
  for (size_t i = 0; i < lines.size(); ++i) {
    if (anchors[i].verdict == AnchorVerdict::Exact || lines[i].text.empty()) continue;
    const auto found = in_document.find(lines[i].text);
    if (found == in_document.end() || found->second.first != 1) continue;
    if (recorded_count[lines[i].text] != 1) continue;
    anchors[i] = {AnchorVerdict::Moved, found->second.second, false};
  }
  return anchors;
}

}  // namespace etlens
