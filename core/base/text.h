// SPDX-License-Identifier: Apache-2.0
// Small helpers for text: splitting, trimming, numbers, UTF-8, base64.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etlens {

// Without blanks, tabs, carriage returns and line feeds at both ends.
std::string_view trim(std::string_view text);
// Columns of blanks that a line begins with; a tab goes to the next multiple of 8, as in Python.
size_t indent_of(std::string_view line);

std::vector<std::string_view> split(std::string_view text, char separator);

// Splits at line feeds only (source text may hold U+2028 and the like); a carriage return before
// the line feed is not part of the line. Text that ends in a line feed has no empty line behind it.
std::vector<std::string_view> split_lines(std::string_view text);

std::string join(const std::vector<std::string>& parts, std::string_view separator);

// The whole of `text` as a decimal number; nullopt for anything else, overflow included.
std::optional<int64_t> parse_int(std::string_view text);
std::optional<double> parse_double(std::string_view text);

// As a person orders names: runs of digits are numbers, so that "layers.2" is before "layers.10".
bool natural_less(std::string_view a, std::string_view b);

// A glob with * (no slash), ** (anything), ? (one character, no slash); the whole text must match.
bool glob_match(std::string_view pattern, std::string_view text);

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";  // U+FFFD

// `text` with every byte that is not part of well-formed UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);
bool is_valid_utf8(std::string_view text);
// The code point at the front of `text` (not empty) and its length in bytes; length 0 if the bytes
// are malformed.
struct CodePoint {
  uint32_t value = 0;
  size_t length = 0;
};
CodePoint decode_utf8(std::string_view text);
// Bytes of the UTF-8 sequence at the front of `text`; 1 for a byte that starts none.
size_t utf8_length(std::string_view text);
// Number of code points.
size_t utf8_count(std::string_view text);

// Decodes at most `limit` bytes of standard base64; nullopt at a character that does not belong
// there.
std::optional<std::vector<uint8_t>> base64_decode(std::string_view text, size_t limit = SIZE_MAX);
// Standard base64 of the bytes, padded.
std::string base64_encode(std::string_view bytes);

// 1-based counts in words: "1 line", "14 lines".
std::string counted(size_t n, std::string_view singular, std::string_view plural = {});
// A sentence that stands for others, too: "XNNPACK has no cumsum (and 2 more reasons)."
std::string with_other_reasons(std::string_view sentence, size_t others);

}  // namespace etlens
