// SPDX-License-Identifier: Apache-2.0
#include "core/base/shown_text.h"

#include <cstdint>

#include "core/base/text.h"

namespace etlens {
namespace {

uint8_t byte_at(std::string_view text, size_t i) {
  return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0};
}

// Of the colour that begins at the front of `text`; 0 if none does.
size_t color_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

std::string shown(std::string_view text, bool keeps_color) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const char c = text.front();
    const size_t color = keeps_color ? color_length(text) : 0;
    const size_t unsafe = c == '\n' || c == '\t' || color > 0 ? 0 : unsafe_length(text);
    const size_t length = unsafe > 0 ? unsafe : color > 0 ? color : utf8_length(text);
    out += unsafe > 0 ? kReplacementCharacter : text.substr(0, length);
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace

size_t unsafe_length(std::string_view text) {
  const uint8_t first = byte_at(text, 0);
  if (first < 0x80) return first < 0x20 || first == 0x7F ? 1 : 0;
  const size_t length = utf8_length(text);
  if (length == 1) return 1;  // no UTF-8
  const uint8_t second = byte_at(text, 1);
  const uint8_t third = byte_at(text, 2);
  if (first == 0xC2 && second < 0xA0) return length;
  if (first != 0xE2) return 0;
  const bool is_override = (second == 0x80 && third >= 0xAA && third <= 0xAE) ||
                           (second == 0x81 && third >= 0xA6 && third <= 0xA9);
  return is_override ? length : 0;
}

std::string shown_text(std::string_view text) { return shown(text, false); }

std::string shown_in_color(std::string_view text) { return shown(text, true); }

std::string spreadsheet_text(std::string_view text) {
  static constexpr std::string_view kUnseen[] = {" ",      "\t",     "\n",     "\r",     "\u00A0",
                                                 "\u00AD", "\u200B", "\u200C", "\u200D", "\u200E",
                                                 "\u200F", "\u2060", "\uFEFF"};
  static constexpr std::string_view kBegins[] = {"=",      "+",      "-",      "@",
                                                 "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
  const auto starts_with_any = [](std::string_view of, const auto& list) -> size_t {
    for (const std::string_view one : list) {
      if (of.starts_with(one)) return one.size();
    }
    return 0;
  };
  std::string_view seen = text;
  while (const size_t length = starts_with_any(seen, kUnseen)) seen.remove_prefix(length);
  return (starts_with_any(seen, kBegins) > 0 ? "'" : "") + std::string(text);
}

}  // namespace etlens
