// SPDX-License-Identifier: Apache-2.0
#include "bench/anchoring/program.h"

#include <algorithm>

#include "core/base/text.h"

namespace etlens::bench {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<uint8_t>(c) >= 0x80;
}

}  // namespace

std::string indent_of(std::string_view line) {
  return std::string(line.substr(0, std::min(line.find_first_not_of(" \t"), line.size())));
}

std::string replace_word(std::string_view text, std::string_view word, std::string_view with,
                         std::string_view before) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const bool starts = (at == 0 || !is_word(text[at - 1])) && text.substr(at).starts_with(word);
    const size_t end = at + word.size();
    const bool ends = end >= text.size() || !is_word(text[end]);
    const bool fits = before.empty() || text.substr(0, at).ends_with(before);
    if (starts && ends && fits) {
      out += with;
      at = end;
    } else {
      out += text[at++];
    }
  }
  return out;
}

Program::Program(std::string_view text) {
  const Document document{std::string(text)};
  for (size_t n = 0; n < document.line_count(); ++n) {
    lines_.push_back({std::string(document.line(n)), {static_cast<uint32_t>(n + 1)}});
  }
  refresh();
}

std::string Program::text() const {
  std::string text;
  for (size_t i = 0; i < lines_.size(); ++i) text += (i == 0 ? "" : "\n") + lines_[i].text;
  return text;
}

void Program::refresh() { syntax_ = PythonSyntax::parse(std::make_shared<Document>(text())); }

std::vector<Block> Program::blocks() const {
  std::vector<size_t> statements_on(lines_.size(), 0);
  const Document& document = syntax_->document();
  struct Found {
    size_t line;
    uint32_t scope;
  };
  std::vector<Found> found;
  for (const PythonStatement& statement : syntax_->statements()) {
    const size_t first = document.line_at(statement.begin);
    const size_t last = document.line_at(statement.end);
    for (size_t line = first; line <= last; ++line) ++statements_on[line];
    const bool is_simple = first == last && !statement.is_header && !statement.is_docstring;
    if (is_simple && statement.scope != kNone && !scope(statement.scope).is_class) {
      found.push_back({first, statement.scope});
    }
  }
  std::vector<Block> blocks;
  for (const Found& at : found) {
    if (statements_on[at.line] != 1) continue;
    const std::string indent = indent_of(lines_[at.line].text);
    const bool continues = !blocks.empty() &&
                           blocks.back().first + blocks.back().count == at.line &&
                           blocks.back().indent == indent && blocks.back().scope == at.scope;
    if (continues) ++blocks.back().count;
    else blocks.push_back({at.line, 1, indent, at.scope});
  }
  return blocks;
}

std::vector<uint32_t> Program::functions() const {
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < syntax_->scopes().size(); ++row) {
    if (!scope(row).is_class) rows.push_back(row);
  }
  return rows;
}

std::vector<uint32_t> Program::classes() const {
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < syntax_->scopes().size(); ++row) {
    if (scope(row).is_class) rows.push_back(row);
  }
  return rows;
}

void Program::insert(size_t at, const std::vector<std::string>& texts) {
  std::vector<ProgramLine> added;
  for (const std::string& text : texts) added.push_back({text, {}});
  lines_.insert(lines_.begin() + static_cast<ptrdiff_t>(std::min(at, lines_.size())), added.begin(),
                added.end());
}

void Program::move(size_t first, size_t count, size_t to) {
  const auto begin = lines_.begin() + static_cast<ptrdiff_t>(first);
  const auto end = begin + static_cast<ptrdiff_t>(count);
  const auto target = lines_.begin() + static_cast<ptrdiff_t>(to);
  if (target < begin) std::rotate(target, begin, end);
  else if (target > end) std::rotate(begin, end, target);
}

void Program::erase(size_t first, size_t count) {
  const auto begin = lines_.begin() + static_cast<ptrdiff_t>(first);
  lines_.erase(begin, begin + static_cast<ptrdiff_t>(count));
}

std::vector<std::string> Program::texts(size_t first, size_t count) const {
  std::vector<std::string> texts;
  for (size_t i = first; i < first + count; ++i) texts.push_back(lines_[i].text);
  return texts;
}

std::map<uint32_t, uint32_t> Program::truth() const {
  std::map<uint32_t, uint32_t> truth;
  for (uint32_t n = 0; n < lines_.size(); ++n) {
    for (const uint32_t origin : lines_[n].origins) truth.try_emplace(origin, n + 1);
  }
  return truth;
}

}  // namespace etlens::bench
