// SPDX-License-Identifier: Apache-2.0
// What the escapes of JSON's strings stand for, for texts whose other bytes stay as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etlens {

// Writes the character into `out`, which has room for four bytes; how many it takes.
size_t put_utf8(uint32_t c, uint8_t* out);

// The code point after "\\u", of which `escaped` loses the digits; of half a surrogate pair U+FFFD.
// nullopt, and nothing is taken, without four digits.
std::optional<uint32_t> take_code_point(std::string_view& escaped);

// What a backslash before `code` stands for. Inline: graphs of delegates have one for each line feed.
inline char control_character(char code) {
  switch (code) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    default:
      return code;
  }
}

// The text of a string, given without its quotes. What is no escape stays.
std::string unescape_json(std::string_view escaped);

}  // namespace etlens
