// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/same_lines.h"

#include <algorithm>
#include <map>

#include "core/base/budget.h"
#include "core/base/text.h"

namespace etlens {
namespace {

struct Header {
  size_t indent = 0;
  bool is_class = false;
  std::string_view name;
};

std::string_view name_at(std::string_view text) {
  text = trim(text);
  return text.substr(0, text.find_first_of(" \t(:["));
}

// The classes of a text, each with what stands behind its name in the header.
using ClassHeaders = std::map<std::string_view, std::string_view>;

constexpr int kMaxInherited = 8;  // steps up a class hierarchy

// Whether code of class `name` may run as the type `recorded`: a class of another file may inherit
// it.
bool is_or_inherits(const ClassHeaders& classes, std::string_view recorded, std::string_view name,
                    int depth = 0) {
  const size_t dot = recorded.rfind('.');
  if (dot != std::string_view::npos) recorded.remove_prefix(dot + 1);
  if (recorded == name) return true;
  const auto header = classes.find(recorded);
  if (header == classes.end()) return depth == 0;
  if (depth >= kMaxInherited) return false;
  std::string_view bases = header->second.substr(0, header->second.find(')'));
  if (!bases.starts_with('(')) return false;
  bases.remove_prefix(1);
  const std::vector<std::string_view> names = split(bases, ',');
  return std::any_of(names.begin(), names.end(), [&](std::string_view base) {
    return is_or_inherits(classes, trim(base), name, depth + 1);
  });
}

// Headers that enclose a line, outermost first, kept up to date from line to line.
class HeaderStack {
 public:
  explicit HeaderStack(const ClassHeaders& classes) : classes_(classes) {}

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
    if (line.classes.empty() || open_.size() < 2 || !open_[open_.size() - 2].is_class) return true;
    const std::string_view name = open_[open_.size() - 2].name;
    return std::any_of(line.classes.begin(), line.classes.end(),
                       [&](std::string_view type) { return is_or_inherits(classes_, type, name); });
  }

 private:
  const ClassHeaders& classes_;
  std::vector<Header> open_;
};

ClassHeaders class_headers(const Document& document) {
  ClassHeaders classes;
  for (size_t n = 0; n < document.line_count(); ++n) {
    std::string_view text = trim(document.line(n));
    if (!text.starts_with("class ")) continue;
    text = trim(text.substr(6));
    const std::string_view name = name_at(text);
    classes.emplace(name, trim(text.substr(name.size())));
  }
  return classes;
}

}  // namespace

bool all_lines_unchanged(const Document& document, const std::vector<RecordedLine>& lines) {
  std::vector<const RecordedLine*> sorted;
  for (const RecordedLine& line : lines) {
    const bool is_here = line.line >= 1 && line.line <= document.line_count() &&
                         !line.text.empty() && trim(document.line(line.line - 1)) == line.text;
    if (!is_here) return false;
    sorted.push_back(&line);
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const RecordedLine* a, const RecordedLine* b) { return a->line < b->line; });
  const ClassHeaders classes = class_headers(document);
  HeaderStack headers(classes);
  size_t next = 0;
  for (const RecordedLine* line : sorted) {
    for (; next < line->line; ++next) {
      go_on();
      headers.read(document.line(next));
    }
    if (!headers.holds(*line)) return false;
  }
  return true;
}

}  // namespace etlens
