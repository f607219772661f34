// SPDX-License-Identifier: Apache-2.0
#include "core/scaffold/python_names.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/base/shown_text.h"
#include "core/base/text.h"

namespace etlens {
namespace {

// Sorted; with names that nobody may give a value.
constexpr auto kKeywords = std::to_array<std::string_view>(
    {"False", "None",  "True",     "__debug__", "and",    "as",   "assert", "async",  "await",
     "break", "class", "continue", "def",       "del",    "elif", "else",   "except", "finally",
     "for",   "from",  "global",   "if",        "import", "in",   "is",     "lambda", "nonlocal",
     "not",   "or",    "pass",     "raise",     "return", "try",  "while",  "with",   "yield"});

bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Blanks and signs that no letter of any alphabet is among.
bool is_sign(uint32_t character) {
  return character < 0xAA || character == 0xD7 || character == 0xF7 || character == 0x1680 ||
         (character >= 0x2000 && character <= 0x206F) ||
         (character >= 0x2190 && character <= 0x2BFF) ||
         (character >= 0x3000 && character <= 0x3004);
}

// An escape: \u and four digits, \U and eight.
void append_number_of(std::string& out, char letter, uint32_t value, int digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  (out += '\\') += letter;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kDigits[value >> shift & 15];
}

}  // namespace

bool is_python_name(std::string_view text) {
  if (text.empty() || std::ranges::binary_search(kKeywords, text)) return false;
  bool is_first = true;
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    if (point.length == 0) return false;
    const char c = text.front();
    const bool is_letter = point.length == 1
                               ? is_ascii_letter(c) || (!is_first && c >= '0' && c <= '9')
                               : !is_sign(point.value) && unsafe_length(text) == 0;
    if (!is_letter) return false;
    is_first = false;
    text.remove_prefix(point.length);
  }
  return true;
}

bool is_module_name(std::string_view text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  return is_python_name(text) && std::ranges::all_of(text, is_ascii);
}

std::string python_literal(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const char c = text.front();
    const CodePoint point = decode_utf8(text);
    const size_t length = std::max<size_t>(1, point.length);
    if (point.length == 0) {
      append_number_of(out, 'u', 0xDC00 + static_cast<unsigned char>(c), 4);  // surrogateescape
    } else if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (unsafe_length(text) > 0) {
      append_number_of(out, 'U', point.value, 8);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out += '"';
}

std::string python_comment(std::string_view text) {
  if (text.empty()) return "";
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(utf8_length(rest))) {
    if (unsafe_length(rest) > 0) return "";
  }
  return "  # " + std::string(text);
}

}  // namespace etlens
