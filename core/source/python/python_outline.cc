// SPDX-License-Identifier: Apache-2.0
#include "core/source/python/python_outline.h"

#include <algorithm>
#include <array>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/source/python/python_tokens.h"

namespace etlens {
namespace {

// Words that cannot stand at the start of a line inside an expression: an open bracket above them
// was never closed.
constexpr auto kBreakExpressions = std::to_array<std::string_view>(
    {"assert", "break", "class", "continue", "def", "del", "global", "import", "nonlocal", "pass",
     "raise", "return", "try", "while", "with"});
constexpr auto kCompound = std::to_array<std::string_view>(
    {"class", "def", "elif", "else", "except", "finally", "for", "if", "try", "while", "with"});

template <size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class Outliner {
 public:
  explicit Outliner(const Document& document)
      : document_(document), tokens_(python_tokens(document.text())) {}

  PythonOutline run() {
    for (size_t i = 0; i < tokens_.size();) {
      const size_t end = logical_end(i);
      logical_line(i, end);
      i = end;
    }
    close_scopes(0);
    return std::move(outline_);
  }

 private:
  std::string_view text_of(const Token& token) const {
    return std::string_view(document_.text()).substr(token.begin, token.end - token.begin);
  }
  uint32_t line_of(const Token& token) const {
    return static_cast<uint32_t>(document_.line_at(token.begin));
  }
  std::string_view word(size_t i) const {
    return i < tokens_.size() ? text_of(tokens_[i]) : std::string_view();
  }

  // The first token behind the logical line that starts at token `first`.
  size_t logical_end(size_t first) const {
    const size_t scope_indent = open_.empty() ? 0 : open_.back().indent;
    int depth = 0;
    uint32_t line = line_of(tokens_[first]);
    for (size_t i = first; i < tokens_.size(); ++i) {
      go_on();
      const uint32_t at = i == first ? line : line_of(tokens_[i]);
      if (at != line) {
        const bool is_closed = depth == 0 && !is_continued(tokens_[i - 1], tokens_[i]);
        const bool is_dedented = !open_.empty() && tokens_[i].kind != TokenKind::Close &&
                                 indent_of(document_.line(at)) <= scope_indent;
        if (is_closed || is_dedented || contains(kBreakExpressions, text_of(tokens_[i]))) return i;
        line = at;
      }
      if (tokens_[i].kind == TokenKind::Open) ++depth;
      if (tokens_[i].kind == TokenKind::Close && depth > 0) --depth;
      if (tokens_[i].kind == TokenKind::String)
        line = static_cast<uint32_t>(document_.line_at(tokens_[i].end));
    }
    return tokens_.size();
  }

  // A backslash in front of the line break.
  bool is_continued(const Token& before, const Token& after) const {
    const std::string_view between =
        std::string_view(document_.text()).substr(before.end, after.begin - before.end);
    const size_t slash = between.find('\\');
    return slash != std::string_view::npos && between.find('#') > slash;
  }

  void logical_line(size_t first, size_t end) {
    const uint32_t line = line_of(tokens_[first]);
    const size_t indent = indent_of(document_.line(line));
    close_scopes(indent);
    size_t keyword = first;
    if (word(first) == "async") ++keyword;
    if (word(first) == "@") {
      if (decorator_line_ == kNone) decorator_line_ = line;
      add_statement(first, end, false);
    } else if (keyword < end && contains(kCompound, word(keyword))) {
      const size_t body = header_end(first, end);
      add_statement(first, body, true);
      if (word(keyword) == "class" || word(keyword) == "def")
        open_scope(first, keyword, body, indent);
      simple_statements(body, end);
    } else {
      simple_statements(first, end);
    }
    if (word(first) != "@") decorator_line_ = kNone;
    if (!open_.empty()) last_end_ = tokens_[end - 1].end;
  }

  // Behind the colon of a compound statement.
  size_t header_end(size_t first, size_t end) const {
    int depth = 0;
    for (size_t i = first; i < end; ++i) {
      if (tokens_[i].kind == TokenKind::Open) ++depth;
      if (tokens_[i].kind == TokenKind::Close) --depth;
      if (depth <= 0 && word(i) == ":") return i + 1;
    }
    return end;
  }

  void simple_statements(size_t first, size_t end) {
    int depth = 0;
    for (size_t i = first; i < end; ++i) {
      if (tokens_[i].kind == TokenKind::Open) ++depth;
      if (tokens_[i].kind == TokenKind::Close) --depth;
      if (depth > 0 || word(i) != ";") continue;
      add_statement(first, i, false);
      first = i + 1;
    }
    add_statement(first, end, false);
  }

  void add_statement(size_t first, size_t end, bool is_header) {
    if (first >= end) return;
    PythonStatement statement;
    statement.begin = tokens_[first].begin;
    statement.end = tokens_[end - 1].end;
    statement.scope = open_.empty() ? kNone : open_.back().scope;
    statement.is_header = is_header;
    statement.is_docstring = end == first + 1 && tokens_[first].kind == TokenKind::String;
    outline_.statements.push_back(statement);
  }

  void open_scope(size_t first, size_t keyword, size_t body, size_t indent) {
    PythonScope scope;
    scope.is_class = word(keyword) == "class";
    if (keyword + 1 < body) scope.name = word(keyword + 1);
    if (scope.is_class && keyword + 3 < body && word(keyword + 2) == "(") {
      const size_t close = body - 2;  // before the colon
      scope.bases = std::string_view(document_.text())
                        .substr(tokens_[keyword + 2].end,
                                std::max(tokens_[close].begin, tokens_[keyword + 2].end) -
                                    tokens_[keyword + 2].end);
    }
    scope.parent = open_.empty() ? kNone : open_.back().scope;
    scope.header_line = line_of(tokens_[keyword]);
    scope.first_line = decorator_line_ == kNone ? scope.header_line : decorator_line_;
    scope.begin = tokens_[first].begin;
    scope.end = tokens_[body - 1].end;
    open_.push_back({static_cast<uint32_t>(outline_.scopes.size()), indent});
    outline_.scopes.push_back(scope);
  }

  void close_scopes(size_t indent) {
    while (!open_.empty() && open_.back().indent >= indent) {
      PythonScope& scope = outline_.scopes[open_.back().scope];
      scope.end = std::max(scope.end, last_end_);
      scope.last_line = static_cast<uint32_t>(document_.line_at(scope.end));
      open_.pop_back();
    }
  }

  struct OpenScope {
    uint32_t scope;
    size_t indent;
  };

  const Document& document_;
  std::vector<Token> tokens_;
  PythonOutline outline_;
  std::vector<OpenScope> open_;
  uint32_t decorator_line_ = kNone;
  uint32_t last_end_ = 0;  // of the last token inside a scope
};

}  // namespace

PythonOutline outline_by_indentation(const Document& document) { return Outliner(document).run(); }

}  // namespace etlens
