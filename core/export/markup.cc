// SPDX-License-Identifier: Apache-2.0
#include "core/export/markup.h"

#include "core/base/shown_text.h"
#include "core/base/text.h"

namespace etlens {
namespace {

// No document of XML may hold these.
bool is_no_character(std::string_view character) {
  return character == "\uFFFE" || character == "\uFFFF";
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
    else if (is_no_character(character)) out += kReplacementCharacter;
    else if (unsafe_length(text) > 0) out += escape_markup(shown_instead(character));
    else out += character;
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace etlens
