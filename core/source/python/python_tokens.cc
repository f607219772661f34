// SPDX-License-Identifier: Apache-2.0
#include "core/source/python/python_tokens.h"

#include <algorithm>
#include <array>
#include <string>

namespace etlens {
namespace {

constexpr auto kKeywords = std::to_array<std::string_view>(
    {"False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
     "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
     "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
     "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"});

constexpr auto kOperators = std::to_array<std::string_view>(
    {"**=", "//=", ">>=", "<<=", "...", "!=", "->", "+=", "-=", "*=", "/=", "%=",
     "@=",  "&=",  "|=",  "^=",  ":=",  "==", "<=", ">=", "//", "<<", ">>", "**"});

constexpr std::string_view kSecond = "=*/<>.";  // of any of these

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Bytes of UTF-8 sequences count as letters: Python allows them in names.
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<uint8_t>(c) >= 0x80;
}

bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

bool is_keyword(std::string_view name) {
  constexpr size_t kShortest = 2;
  constexpr size_t kLongest = 8;
  if (name.size() < kShortest || name.size() > kLongest) return false;
  return std::binary_search(kKeywords.begin(), kKeywords.end(), name);
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    constexpr size_t kTypicalBytes = 4;  // of a token, with the blanks around it
    tokens_.reserve(text_.size() / kTypicalBytes);
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (skip_blanks()) next();
    return std::move(tokens_);
  }

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  bool skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\\') {
        ++at_;
      } else {
        return true;
      }
    }
    return false;
  }

  void next() {
    const size_t begin = at_;
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number(begin);
    if (is_name_start(c)) {
      while (is_name_part(peek())) ++at_;
      const std::string_view name = text_.substr(begin, at_ - begin);
      if ((peek() == '"' || peek() == '\'') && is_string_prefix(name)) return string(begin);
      return add(begin, is_keyword(name) ? TokenKind::Keyword : TokenKind::Name, hash_of(name));
    }
    if (c == '"' || c == '\'') return string(begin);
    operation(begin);
  }

  static bool is_string_prefix(std::string_view name) {
    return name.size() <= 2 && name.find_first_not_of("rRbBuUfFtT") == std::string_view::npos;
  }

  void number(size_t begin) {
    std::string plain;
    while (
        is_name_part(peek()) || peek() == '.' ||
        ((peek() == '+' || peek() == '-') && (plain.ends_with('e')) && !plain.starts_with("0x"))) {
      const char c = text_[at_++];
      if (c != '_') plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    }
    add(begin, TokenKind::Number, combine_hashes(1, hash_of(plain)));
  }

  void string(size_t begin) {
    const char quote = peek();
    const bool is_triple = peek(1) == quote && peek(2) == quote;
    at_ += is_triple ? 3 : 1;
    const size_t content = at_;
    size_t content_end = text_.size();
    bool is_closed = false;
    while (at_ < text_.size() && !is_closed) {
      const char c = text_[at_];
      if (c == '\\') {
        at_ = std::min(at_ + 2, text_.size());
      } else if (c == quote && (!is_triple || (peek(1) == quote && peek(2) == quote))) {
        content_end = at_;
        at_ += is_triple ? 3 : 1;
        is_closed = true;
      } else if (!is_triple && (c == '\n' || c == '\r')) {
        break;
      } else {
        ++at_;
      }
    }
    if (!is_closed) content_end = at_;
    add(begin, TokenKind::String,
        combine_hashes(2, hash_of(text_.substr(content, content_end - content))));
  }

  void operation(size_t begin) {
    const std::string_view rest = text_.substr(at_, 3);
    const bool is_long = rest.size() > 1 && kSecond.find(rest[1]) != std::string_view::npos;
    for (const std::string_view op : kOperators) {
      if (!is_long || !rest.starts_with(op)) continue;
      at_ += op.size();
      return add(begin, TokenKind::Operator, hash_of(op));
    }
    ++at_;
    TokenKind kind = TokenKind::Operator;
    switch (text_[begin]) {
      case '(':
      case '[':
      case '{':
        kind = TokenKind::Open;
        break;
      case ')':
      case ']':
      case '}':
        kind = TokenKind::Close;
        break;
      case ',':
        kind = TokenKind::Comma;
        break;
      case '.':
        kind = TokenKind::Dot;
        break;
      default:
        break;
    }
    add(begin, kind, hash_of(text_.substr(begin, 1)));
  }

  void add(size_t begin, TokenKind kind, uint64_t hash) {
    tokens_.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(at_), hash, kind});
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> python_tokens(std::string_view text) { return Lexer(text).run(); }

}  // namespace etlens
