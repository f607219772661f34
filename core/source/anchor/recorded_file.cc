// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/recorded_file.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/source/anchor/source_index.h"

namespace etlens {

RecordedFile::RecordedFile(const Document& recorded, const Document& now)
    : syntax_(PythonSyntax::parse(std::make_shared<Document>(recorded))),
      line_count_(static_cast<uint32_t>(recorded.line_count())),
      line_count_now_(static_cast<uint32_t>(now.line_count())) {
  const uint32_t shorter = std::min(line_count_, line_count_now_);
  while (equal_front_ < shorter && recorded.line(equal_front_) == now.line(equal_front_))
    ++equal_front_;
  while (equal_back_ < shorter - equal_front_ && recorded.line(line_count_ - 1 - equal_back_) ==
                                                     now.line(line_count_now_ - 1 - equal_back_)) {
    ++equal_back_;
  }
  const SourceIndex index(*syntax_);
  const auto scopes = syntax_->scopes();
  for (uint32_t n = 0; n < line_count_; ++n) {
    if (!index.has_code(n)) continue;
    RecordedLine line{n + 1, "<module>", trim(syntax_->document().line(n))};
    if (const uint32_t scope = index.scope_of(n); scope != kNone) {
      line.function = scopes[scope].name;
      const uint32_t parent = scopes[scope].parent;
      if (parent != kNone && scopes[parent].is_class) line.classes.push_back(scopes[parent].name);
    }
    lines_.push_back(std::move(line));
  }
}

uint32_t RecordedFile::known_line(uint32_t line) const {
  if (line == 0 || line > line_count_) return 0;
  if (line <= equal_front_) return line;
  return line > line_count_ - equal_back_ ? line + line_count_now_ - line_count_ : 0;
}

bool fits_all_lines(const Document& recorded, const std::vector<RecordedLine>& lines) {
  return std::all_of(lines.begin(), lines.end(), [&](const RecordedLine& line) {
    return line.line >= 1 && line.line <= recorded.line_count() &&
           trim(recorded.line(line.line - 1)) == line.text;
  });
}

}  // namespace etlens
