// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/source_index.h"

#include <algorithm>

#include "core/base/budget.h"
#include "core/base/text.h"

namespace etlens {

void SourceIndex::Table::finish(Postings entries) {
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  keys.reserve(entries.size());
  rows.reserve(entries.size());
  for (const auto& [key, row] : entries) {
    keys.push_back(key);
    rows.push_back(row);
  }
}

std::span<const uint32_t> SourceIndex::Table::find(uint64_t key) const {
  const auto [first, last] = std::equal_range(keys.begin(), keys.end(), key);
  return std::span(rows).subspan(static_cast<size_t>(first - keys.begin()),
                                 static_cast<size_t>(last - first));
}

SourceIndex::SourceIndex(const PythonSyntax& syntax)
    : syntax_(syntax), tokens_(python_tokens(syntax.document().text())) {
  add_tokens();
  add_statements();
  add_keys();
}

void SourceIndex::add_tokens() {
  lines_.resize(document().line_count());
  token_lines_.reserve(tokens_.size());
  uint32_t line = 0;
  for (uint32_t t = 0; t < tokens_.size(); ++t) {
    go_on();
    while (line + 1 < lines_.size() && document().line_start(line + 1) <= tokens_[t].begin) {
      lines_[line].end_token = t;
      lines_[++line].first_token = t;
    }
    token_lines_.push_back(line);
  }
  lines_[line].end_token = static_cast<uint32_t>(tokens_.size());
  for (++line; line < lines_.size(); ++line) {
    lines_[line].first_token = lines_[line].end_token = static_cast<uint32_t>(tokens_.size());
  }
}

void SourceIndex::add_statements() {
  uint32_t token = 0;
  for (const PythonStatement& found : syntax_.statements()) {
    go_on();
    if (found.is_docstring) continue;
    while (token < tokens_.size() && tokens_[token].begin < found.begin) ++token;
    const uint32_t first = token;
    while (token < tokens_.size() && tokens_[token].begin < found.end) ++token;
    if (first == token) continue;
    const auto row = static_cast<uint32_t>(statements_.size());
    statements_.push_back({first, token, token_lines_[first], token_lines_[token - 1], found.scope,
                           loose_key(tokens_of(first, token))});
    for (uint32_t line = token_lines_[first]; line <= token_lines_[token - 1]; ++line) {
      const bool is_first = lines_[line].statement == kNone;
      if (is_first && lines_[line].first_token < lines_[line].end_token)
        lines_[line].statement = row;
    }
  }
}

// Whether a string begins on the line and ends below it.
bool SourceIndex::is_broken_off(uint32_t line) const {
  const IndexedLine& row = lines_[line];
  if (row.first_token == row.end_token || line + 1 >= lines_.size()) return false;
  return tokens_[row.end_token - 1].end > document().line_start(line + 1);
}

void SourceIndex::add_keys() {
  Postings keys;
  line_keys_.resize(lines_.size());
  for (uint32_t line = 0; line < lines_.size(); ++line) {
    go_on();
    if (!has_code(line)) continue;
    if (is_broken_off(line)) {
      line_keys_[line] = form_of_line(line).key;
    } else {
      for (uint32_t t = lines_[line].first_token; t < lines_[line].end_token; ++t) {
        line_keys_[line] = combine_hashes(line_keys_[line], tokens_[t].hash);
      }
    }
    keys.emplace_back(line_keys_[line], line);
  }
  by_line_key_.finish(std::move(keys));

  Postings statement_keys;
  for (uint32_t row = 0; row < statements_.size(); ++row) {
    statement_keys.emplace_back(statements_[row].loose_key, row);
  }
  by_statement_key_.finish(std::move(statement_keys));

  Postings scopes;
  for (uint32_t row = 0; row < syntax_.scopes().size(); ++row) {
    scopes.emplace_back(hash_of(syntax_.scopes()[row].name), row);
  }
  by_scope_name_.finish(std::move(scopes));
}

void SourceIndex::add_names() const {
  Postings names;
  for (uint32_t row = 0; row < statements_.size(); ++row) {
    for (const Token& token : tokens_of(statements_[row].first_token, statements_[row].end_token)) {
      if (token.kind == TokenKind::Name) names.emplace_back(token.hash, row);
    }
  }
  by_name_.finish(std::move(names));
}

std::span<const uint32_t> SourceIndex::lines_with(uint64_t key) const {
  return by_line_key_.find(key);
}

std::span<const uint32_t> SourceIndex::statements_with(uint64_t loose_key) const {
  return by_statement_key_.find(loose_key);
}

std::span<const uint32_t> SourceIndex::statements_naming(uint64_t name, size_t limit) const {
  if (by_name_.keys.empty()) add_names();
  const std::span<const uint32_t> rows = by_name_.find(name);
  return rows.size() > limit ? std::span<const uint32_t>() : rows;
}

std::vector<std::string_view> SourceIndex::called_names(uint32_t first, uint32_t last) const {
  std::vector<std::string_view> names;
  if (first > last || last >= lines_.size()) return names;
  const std::string_view text = document().text();
  for (uint32_t t = lines_[first].first_token; t + 1 < lines_[last].end_token; ++t) {
    go_on();
    const Token& token = tokens_[t];
    if (token.kind != TokenKind::Name || text[tokens_[t + 1].begin] != '(') continue;
    names.push_back(text.substr(token.begin, token.end - token.begin));
  }
  return names;
}

std::span<const uint32_t> SourceIndex::scopes_named(uint64_t name) const {
  return by_scope_name_.find(name);
}

TokenForm SourceIndex::form_of_line(uint32_t line) const {
  if (is_broken_off(line)) return token_form(python_tokens(trim(document().line(line))));
  return token_form(tokens_of(lines_[line].first_token, lines_[line].end_token));
}

TokenForm SourceIndex::form_of_statement(uint32_t statement) const {
  return token_form(
      tokens_of(statements_[statement].first_token, statements_[statement].end_token));
}

uint32_t SourceIndex::line_of_loose(uint32_t statement, size_t position) const {
  const IndexedStatement& row = statements_[statement];
  size_t seen = 0;
  for (uint32_t t = row.first_token; t < row.end_token; ++t) {
    if (!is_loose_token(tokens_of(row.first_token, row.end_token), t - row.first_token)) continue;
    if (seen++ == position) return token_lines_[t];
  }
  return row.first_line;
}

}  // namespace etlens
