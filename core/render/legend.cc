// SPDX-License-Identifier: Apache-2.0
#include "core/render/legend.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "core/base/text.h"
#include "core/render/arrange.h"
#include "core/render/display_width.h"

namespace etlens {
namespace {

constexpr size_t kMostIndent = 20;  // longer names have their text below them

bool is_word(const Term& term) {
  return term.kind != TermKind::Sign && term.kind != TermKind::Column;
}

bool is_letter(std::string_view text, size_t at) {
  return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
}

// As words of their own.
bool says(std::string_view text, std::string_view words) {
  for (size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
    if ((at == 0 || !is_letter(text, at - 1)) && !is_letter(text, at + words.size())) return true;
  }
  return false;
}

}  // namespace

void Legend::add(const Table& table) {
  for (size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    if (const Term* term = find_term(TermKind::Column, column_key(column))) used_.insert(term);
    add_signs(column.name);
    if (column.is_prose) continue;
    for (const std::vector<std::string>& row : table.rows) {
      add_signs(row[c]);
      add_words(row[c]);
    }
  }
}

void Legend::add(std::string_view text) {
  add_signs(text);
  for (const Term& term : terms()) {
    if (!is_word(term)) continue;
    const auto names = term.all_names();
    if (std::any_of(names.begin(), names.end(), [&](auto name) { return says(text, name); }))
      used_.insert(&term);
  }
}

// A cell is a word, or several: "XNNPACK+CPU", "input, state", "likely faster".
void Legend::add_words(std::string_view cell) {
  if (cell.starts_with("likely ")) {
    add_word("likely");
    cell.remove_prefix(std::string_view("likely ").size());
  }
  add_word(cell);
  for (const char separator : {'+', ','}) {
    if (cell.find(separator) == std::string_view::npos) continue;
    for (const std::string_view word : split(cell, separator)) add_word(trim(word));
  }
}

void Legend::add_word(std::string_view word) {
  static const std::unordered_multimap<std::string_view, const Term*> kWords = [] {
    std::unordered_multimap<std::string_view, const Term*> words;
    for (const Term& term : terms()) {
      if (!is_word(term)) continue;
      for (const std::string_view name : term.all_names()) words.emplace(name, &term);
    }
    return words;
  }();
  const auto [first, last] = kWords.equal_range(word);
  for (auto at = first; at != last; ++at) used_.insert(at->second);
}

void Legend::add_signs(std::string_view text) {
  for (const Term& term : terms()) {
    if (term.kind != TermKind::Sign) continue;
    const auto names = term.all_names();
    if (std::any_of(names.begin(), names.end(),
                    [&](std::string_view name) { return text.find(name) != text.npos; }))
      used_.insert(&term);
  }
}

std::string Legend::text() const {
  size_t indent = 0;
  for (const Term* term : used_) indent = std::max(indent, display_width(term->name()) + 2);
  std::string out;
  for (const Term& term : terms()) {
    if (used_.count(&term) > 0) out += explained(term, std::min(indent, kMostIndent));
  }
  return out;
}

}  // namespace etlens
