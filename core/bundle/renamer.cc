// SPDX-License-Identifier: Apache-2.0
#include "core/bundle/renamer.h"

#include <algorithm>

#include "core/base/budget.h"
#include "core/bundle/public_words.h"

namespace etlens {
namespace {

// The n-th word of that many letters: consonants and vowels by turns, then any letters. "" if there are no more.
std::string nth_word(size_t n, size_t letters) {
  constexpr std::string_view kConsonants = "bdfgklmnprstvz";
  constexpr std::string_view kVowels = "aeiou";
  constexpr std::string_view kAll = "abcdefghijklmnopqrstuvwxyz";
  size_t spoken = 1;
  for (size_t i = 0; i < letters && spoken <= n; ++i)
    spoken *= i % 2 == 0 ? kConsonants.size() : kVowels.size();
  const bool is_spoken = n < spoken;
  if (!is_spoken) n -= spoken;
  std::string word(letters, ' ');
  for (size_t i = 0; i < letters; ++i) {
    const std::string_view from = !is_spoken ? kAll : i % 2 == 0 ? kConsonants : kVowels;
    word[i] = from[n % from.size()];
    n /= from.size();
  }
  return n == 0 ? word : "";
}

char upper(char c) { return static_cast<char>(c - 'a' + 'A'); }

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// As the old word is written: Class, CONSTANT, name.
void write_like(std::string_view old, std::string& word) {
  const bool is_all_upper = old.size() > 1 && std::ranges::all_of(old, is_upper);
  for (size_t i = 0; i < word.size(); ++i)
    if (is_all_upper || (i == 0 && is_upper(old[0]))) word[i] = upper(word[i]);
}

}  // namespace

Renamer::Renamer() {
  std::string_view words = public_words();
  for (size_t end = words.find(' '); end != words.npos; end = words.find(' ')) {
    public_.insert(words.substr(0, end));
    words.remove_prefix(end + 1);
  }
}

void Renamer::see(std::string_view text) {
  each_word(text, [&](size_t at, size_t size) {
    go_on();
    seen_.emplace(text.substr(at, size));
  });
}

bool Renamer::stays(std::string_view word) const {
  return word.size() == 1 || public_.contains(word);
}

// Itself, if all words of its length are taken.
std::string_view Renamer::name_of(std::string_view word) {
  std::string& name = names_[std::string(word)];
  while (name.empty()) {
    go_on();
    std::string next = nth_word(next_[word.size()]++, word.size());
    if (next.empty()) {
      names_.erase(std::string(word));
      return word;
    }
    write_like(word, next);
    const bool is_free =
        !public_.contains(next) && !seen_.contains(next) && given_.insert(next).second;
    if (is_free) name = std::move(next);
  }
  return name;
}

std::string Renamer::renamed(std::string_view text) {
  std::string out(text);
  each_word(text, [&](size_t at, size_t size) {
    go_on();
    const std::string_view word = text.substr(at, size);
    if (!stays(word)) out.replace(at, size, name_of(word));
  });
  return out;
}

void Renamer::rename_known(std::span<uint8_t> bytes) const {
  constexpr size_t kSure = 5;  // shorter runs of letters come about by chance
  char* const text = reinterpret_cast<char*>(bytes.data());
  each_word({text, bytes.size()}, [&](size_t at, size_t size) {
    if (size < kSure) return;
    const auto name = names_.find(std::string(text + at, size));
    if (name != names_.end()) std::ranges::copy(name->second, text + at);
  });
}

void rename_binary(Renamer& names, std::span<uint8_t> bytes, const IsText& is_known) {
  replace_binary_texts(
      bytes, [&](std::string_view text) { return names.renamed(text); }, is_known);
  names.rename_known(bytes);
}

}  // namespace etlens
