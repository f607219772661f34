// SPDX-License-Identifier: Apache-2.0
#include "core/source/same_lines.h"

#include <algorithm>

#include "core/base/text.h"

namespace etlens {
namespace {

struct Header {
  size_t indent = 0;
  bool is_class = false;
  std::string_view name;
};

size_t indent_of(std::string_view line) {
  size_t column = 0;
  for (const char c : line) {
    if (c == '\t') column += 8 - column % 8;
    else if (c == ' ') ++column;
    else break;
  }
  return column;
}

std::string_view name_at(std::string_view text) {
  text = trim(text);
  return text.substr(0, text.find_first_of(" \t(:["));
}

// Headers that enclose a line, outermost first, kept up to date from line to line.
class HeaderStack {
 public:
  void read(std::string_view line) {
    std::string_view text = trim(line);
    if (text.empty() || text.front() == '#') return;
    const size_t indent = indent_of(line);
    const bool closes = text.front() == ')' || text.front() == ']' || text.front() == '}';
    while (!closes && !open_.empty() && open_.back().indent >= indent) open_.pop_back();
    if (text.starts_with("async ")) text = trim(text.substr(6));
    if (text.starts_with("class ")) open_.push_back({indent, true, name_at(text.substr(6))});
    if (text.starts_with("def ")) open_.push_back({indent, false, name_at(text.substr(4))});
  }

  // Whether code here runs as the recorded function.
  bool holds(const RecordedLine& line) const {
    const bool is_special = line.function.empty() || line.function.starts_with('<');
    if (line.function == "<module>") return open_.empty();
    if (open_.empty()) return is_special;
    if (!is_special && open_.back().name != line.function) return false;
    if (line.classes.empty()) return true;
    if (open_.size() < 2 || !open_[open_.size() - 2].is_class) return false;
    const std::string_view name = open_[open_.size() - 2].name;
    return std::any_of(line.classes.begin(), line.classes.end(), [&](std::string_view type) {
      return type == name || (type.ends_with(name) && type[type.size() - name.size() - 1] == '.');
    });
  }

 private:
  std::vector<Header> open_;
};

}  // namespace

bool all_lines_unchanged(const Document& document, const std::vector<RecordedLine>& lines) {
  std::vector<const RecordedLine*> sorted;
  for (const RecordedLine& line : lines) {
    const bool is_here = line.line >= 1 && line.line <= document.line_count() && !line.text.empty() &&
                         trim(document.line(line.line - 1)) == line.text;
    if (!is_here) return false;
    sorted.push_back(&line);
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const RecordedLine* a, const RecordedLine* b) { return a->line < b->line; });
  HeaderStack headers;
  size_t next = 0;
  for (const RecordedLine* line : sorted) {
    for (; next < line->line; ++next) headers.read(document.line(next));
    if (!headers.holds(*line)) return false;
  }
  return true;
}

}  // namespace etlens
