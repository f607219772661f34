// SPDX-License-Identifier: Apache-2.0
#include "core/export/markup.h"

#include "core/base/text.h"

namespace etlens {
namespace {

// U+0080..9F, U+200E..200F, U+202A..202E, U+2066..2069, U+FFFE..FFFF, as UTF-8.
bool is_unfit(std::string_view character) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 2) return byte(0) == 0xC2 && byte(1) < 0xA0;
  if (character.size() != 3) return false;
  if (byte(0) == 0xE2 && byte(1) == 0x80)
    return byte(2) == 0x8E || byte(2) == 0x8F || (byte(2) >= 0xAA && byte(2) <= 0xAE);
  if (byte(0) == 0xE2 && byte(1) == 0x81) return byte(2) >= 0xA6 && byte(2) <= 0xA9;
  return byte(0) == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE;
}

void append_ascii(std::string& out, char c) {
  switch (c) {
    case '&':
      out += "&amp;";
      return;
    case '<':
      out += "&lt;";
      return;
    case '>':
      out += "&gt;";
      return;
    case '"':
      out += "&quot;";
      return;
    case '\'':
      out += "&#39;";
      return;
    default:
      break;
  }
  const auto byte = static_cast<unsigned char>(c);
  const bool is_control = (byte < 0x20 && c != '\t' && c != '\n') || byte == 0x7F;
  if (is_control || byte >= 0x80) out += kReplacementCharacter;
  else out += c;
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, length);
    if (length == 1) append_ascii(out, text.front());
    else if (is_unfit(character)) out += kReplacementCharacter;
    else out += character;
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace etlens
