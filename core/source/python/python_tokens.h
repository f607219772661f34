// SPDX-License-Identifier: Apache-2.0
// Splits Python source, or any piece of it, into tokens. Recorded lines are pieces: the middle of a
// call that spans several lines is no program, so tree-sitter has nothing to say about them, and
// the lines of a document are compared with them token by token.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace etlens {

enum class TokenKind : uint8_t { Name, Keyword, Number, String, Operator, Open, Close, Comma, Dot };

struct Token {
  uint32_t begin = 0;  // bytes of the text
  uint32_t end = 0;
  uint64_t hash = 0;  // equal for tokens that mean the same: quotes of strings and the case of
                      // numbers do not count
  TokenKind kind = TokenKind::Operator;
};

// Without blanks, comments, line breaks and line continuations. Never fails: a byte that starts no
// token is one of its own.
std::vector<Token> python_tokens(std::string_view text);

constexpr uint64_t combine_hashes(uint64_t a, uint64_t b) {
  const uint64_t mixed =
      (a ^ (b + 0x9e3779b97f4a7c15ULL + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdULL;
  return mixed ^ (mixed >> 33);
}

// FNV-1a, then mixed once more: its low bits alone are weak for short names.
constexpr uint64_t hash_of(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3ULL;
  return combine_hashes(hash, text.size());
}

}  // namespace etlens
