// SPDX-License-Identifier: Apache-2.0
#include "core/base/shown_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>

#include "core/base/text.h"

namespace etlens {
namespace {

constexpr std::string_view kBegin = "<U+";

struct CharacterRange {
  uint32_t first, last;
};

// In order. Nearly all are Default_Ignorable_Code_Point of Unicode.
constexpr CharacterRange kInvisible[] = {
    {0x00AD, 0x00AD},    // soft hyphen
    {0x034F, 0x034F},    // joiner of graphemes
    {0x061C, 0x061C},    // mark of Arabic letters
    {0x115F, 0x1160},    // fillers of Hangul
    {0x17B4, 0x17B5},    // vowels of Khmer without a form
    {0x180B, 0x180F},    // selectors and a separator of Mongolian
    {0x200B, 0x200F},    // without width, joiners, marks of direction
    {0x2028, 0x202E},    // separators of lines and paragraphs, embeddings and overrides
    {0x2060, 0x206F},    // word joiner, invisible operators, isolates, format characters
    {0x3164, 0x3164},    // filler of Hangul
    {0xFE00, 0xFE0F},    // selectors of variants
    {0xFEFF, 0xFEFF},    // byte order mark
    {0xFFA0, 0xFFA0},    // filler of Hangul, half as wide
    {0xFFF0, 0xFFFB},    // not assigned, and annotations between lines
    {0x1BCA0, 0x1BCA3},  // format of shorthand
    {0x1D173, 0x1D17A},  // format of music
    {0xE0000, 0xE0FFF},  // tags, more selectors of variants
};

// Of the colour that begins at the front of `text`; 0 if none does.
size_t color_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

bool stays_as_it_is(char c) { return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t'; }

std::string shown(std::string_view text, bool keeps_color) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto plain = static_cast<size_t>(
        std::find_if_not(text.begin(), text.end(), stays_as_it_is) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const size_t color = keeps_color ? color_length(text) : 0;
    const size_t unsafe = color > 0 ? 0 : unsafe_length(text);
    const size_t length = unsafe > 0 ? unsafe : color > 0 ? color : utf8_length(text);
    if (unsafe > 0) out += shown_instead(text.substr(0, length));
    else out += text.substr(0, length);
    text.remove_prefix(length);
  }
  return out;
}

void append_utf8(std::string& out, uint32_t character) {
  const auto add = [&](uint32_t byte) { out += static_cast<char>(byte); };
  if (character < 0x800) {
    add(0xC0 | character >> 6);
  } else if (character < 0x10000) {
    add(0xE0 | character >> 12);
    add(0x80 | (character >> 6 & 0x3F));
  } else {
    add(0xF0 | character >> 18);
    add(0x80 | (character >> 12 & 0x3F));
    add(0x80 | (character >> 6 & 0x3F));
  }
  add(0x80 | (character & 0x3F));
}

// The invisible character that "<U+…>" at the front of `text` stands for, and how long that is.
std::optional<CodePoint> invisible_behind(std::string_view text) {
  if (!text.starts_with(kBegin)) return std::nullopt;
  CodePoint point;
  const char* digits = text.data() + kBegin.size();
  const char* end = text.data() + text.size();
  const auto [behind, problem] = std::from_chars(digits, end, point.value, 16);
  if (problem != std::errc() || behind == end || *behind != '>') return std::nullopt;
  if (!is_invisible(point.value)) return std::nullopt;
  point.length = static_cast<size_t>(behind - text.data()) + 1;
  return point;
}

}  // namespace

bool is_invisible(uint32_t character) {
  if (character < std::begin(kInvisible)->first) return false;
  const auto behind =
      std::upper_bound(std::begin(kInvisible), std::end(kInvisible), character,
                       [](uint32_t c, const CharacterRange& range) { return c < range.first; });
  return behind != std::begin(kInvisible) && character <= std::prev(behind)->last;
}

size_t unsafe_length(std::string_view text) {
  const auto first = static_cast<uint8_t>(text.front());
  if (first < 0x80) return first < 0x20 || first == 0x7F ? 1 : 0;
  const CodePoint point = decode_utf8(text);
  if (point.length == 0) return 1;  // no UTF-8
  return point.value < 0xA0 || is_invisible(point.value) ? point.length : 0;
}

std::string shown_instead(std::string_view character) {
  const CodePoint point = decode_utf8(character);
  if (point.length == 0 || !is_invisible(point.value)) return std::string(kReplacementCharacter);
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out(kBegin);
  for (int shift = point.value >= 0x10000 ? 16 : 12; shift >= 0; shift -= 4)
    out += kHex[point.value >> shift & 15];
  return out += '>';
}

std::string text_behind(std::string_view shown) {
  std::string out;
  while (true) {
    const size_t at = std::min(shown.find(kBegin), shown.size());
    out += shown.substr(0, at);
    shown.remove_prefix(at);
    if (shown.empty()) return out;
    const std::optional<CodePoint> character = invisible_behind(shown);
    if (character) append_utf8(out, character->value);
    else out += kBegin;
    shown.remove_prefix(character ? character->length : kBegin.size());
  }
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
