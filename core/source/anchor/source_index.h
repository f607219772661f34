// SPDX-License-Identifier: Apache-2.0
// SourceIndex: a document prepared for being searched for recorded lines: its tokens by line and by
// statement, and which lines and statements have which tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/source/python/python_syntax.h"
#include "core/source/python/token_form.h"

namespace etlens {

struct IndexedStatement {
  uint32_t first_token = 0;
  uint32_t end_token = 0;
  uint32_t first_line = 0;  // 0-based
  uint32_t last_line = 0;
  uint32_t scope = kNone;  // of PythonSyntax::scopes
  uint64_t loose_key = 0;  // see TokenForm
};

struct IndexedLine {
  uint32_t first_token = 0;  // tokens that start on the line
  uint32_t end_token = 0;
  uint32_t statement = kNone;  // of the line's first token; kNone for blank lines, comments and
                               // docstrings
};

class SourceIndex {
 public:
  explicit SourceIndex(const PythonSyntax& syntax);

  const PythonSyntax& syntax() const { return syntax_; }
  const Document& document() const { return syntax_.document(); }
  std::span<const IndexedLine> lines() const { return lines_; }
  std::span<const IndexedStatement> statements() const { return statements_; }
  // The scope whose code runs on the line; kNone at module level and for lines without code.
  uint32_t scope_of(uint32_t line) const {
    return lines_[line].statement == kNone ? kNone : statements_[lines_[line].statement].scope;
  }
  bool has_code(uint32_t line) const { return lines_[line].statement != kNone; }
  uint64_t line_key(uint32_t line) const { return line_keys_[line]; }

  // Lines whose tokens have this TokenForm::key, ascending.
  std::span<const uint32_t> lines_with(uint64_t key) const;
  // Statements with this TokenForm::loose_key, ascending.
  std::span<const uint32_t> statements_with(uint64_t loose_key) const;
  // Statements that hold the name, ascending; empty if more than `limit` do.
  std::span<const uint32_t> statements_naming(uint64_t name, size_t limit) const;
  // Names that are called on lines [first, last]: `foo` of self.foo(x). In order, with repetitions.
  std::vector<std::string_view> called_names(uint32_t first, uint32_t last) const;

  // As a record of the line has them: of a string that goes on below, what is on the line.
  TokenForm form_of_line(uint32_t line) const;
  TokenForm form_of_statement(uint32_t statement) const;
  // The 0-based line of the token that is `position`-th in the statement's TokenForm::loose.
  uint32_t line_of_loose(uint32_t statement, size_t position) const;

  // Rows of scopes() of functions, classes and the module by what co_name calls them.
  std::span<const uint32_t> scopes_named(uint64_t name) const;

 private:
  using Postings = std::vector<std::pair<uint64_t, uint32_t>>;  // sorted

  void add_tokens();
  void add_statements();
  void add_keys();
  void add_names() const;
  bool is_broken_off(uint32_t line) const;
  std::span<const Token> tokens_of(uint32_t first, uint32_t end) const {
    return std::span(tokens_).subspan(first, end - first);
  }

  const PythonSyntax& syntax_;
  std::vector<Token> tokens_;
  std::vector<uint32_t> token_lines_;
  std::vector<IndexedLine> lines_;
  std::vector<IndexedStatement> statements_;
  std::vector<uint64_t> line_keys_;

  // Sorted keys beside their rows: a map without nodes.
  struct Table {
    void finish(Postings entries);
    std::span<const uint32_t> find(uint64_t key) const;
    std::vector<uint64_t> keys;
    std::vector<uint32_t> rows;
  };
  Table by_line_key_, by_statement_key_, by_scope_name_;
  mutable Table by_name_;  // made when it is first asked for: lines that are all there need none
};

}  // namespace etlens
