// SPDX-License-Identifier: Apache-2.0
// Renamer: replaces the words of a text that may name something of its user. A word is a run of letters; the same word gets
// the same replacement everywhere, as long as itself in bytes, and no two words get one. So paths, names of modules, nodes
// and parameters still fit each other. Digits and signs stay. Public words (core/bundle/public_words.h) stay, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/bundle/binary_texts.h"

namespace etlens {

class Renamer {
 public:
  Renamer();

  // Before anything is renamed: all texts that will be, so that no replacement is a word of them.
  void see(std::string_view text);
  std::string renamed(std::string_view text);
  // In place: words of five letters and more that were replaced before.
  void rename_known(std::span<uint8_t> bytes) const;
  // What was replaced, for tests.
  const std::unordered_map<std::string, std::string>& replaced() const { return names_; }

 private:
  bool stays(std::string_view word) const;
  std::string_view name_of(std::string_view word);

  std::unordered_set<std::string_view> public_;
  std::unordered_set<std::string> seen_;
  std::unordered_map<std::string, std::string> names_;
  std::unordered_map<size_t, size_t> next_;  // by length: which replacement comes next
  std::unordered_set<std::string> given_;
};

// Words of tables: first those that have the form of a text; then, wherever they are, those that are known by now, which
// finds names in formats that etlens does not know.
void rename_binary(Renamer& names, std::span<uint8_t> bytes, const IsText& is_known = {});

// Calls `word(begin, size)` for each run of letters; bytes that are no ASCII count as letters.
template <typename Take>
void each_word(std::string_view text, const Take& take) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (end > at) take(at, end - at);
    at = end + 1;
  }
}

}  // namespace etlens
