// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/lowered_text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "core/base/budget.h"

namespace etlens {
namespace {

// Keys of the lowered module whose values nobody reads here. A quote inside an inner string is
// escaped three times over, so these texts occur as keys only.
constexpr std::array<std::string_view, 3> kBlobKeys{"processed_bytes", "original_state_dict",
                                                    "original_constants"};
constexpr std::string_view kQuote = "\\\"";

std::optional<uint32_t> hex4(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) {
    const char c = text[i];
    value <<= 4;
    if (c >= '0' && c <= '9') value |= static_cast<uint32_t>(c - '0');
    else if (c >= 'a' && c <= 'f') value |= static_cast<uint32_t>(c - 'a' + 10);
    else if (c >= 'A' && c <= 'F') value |= static_cast<uint32_t>(c - 'A' + 10);
    else return std::nullopt;
  }
  return value;
}

size_t put_utf8(uint32_t c, uint8_t* out) {
  const auto tail = [](uint32_t bits) { return static_cast<uint8_t>(0x80 | (bits & 0x3F)); };
  if (c < 0x80) return out[0] = static_cast<uint8_t>(c), 1;
  if (c < 0x800) return out[0] = static_cast<uint8_t>(0xC0 | c >> 6), out[1] = tail(c), 2;
  if (c < 0x10000) {
    return out[0] = static_cast<uint8_t>(0xE0 | c >> 12), out[1] = tail(c >> 6), out[2] = tail(c),
           3;
  }
  out[0] = static_cast<uint8_t>(0xF0 | c >> 18);
  return out[1] = tail(c >> 12), out[2] = tail(c >> 6), out[3] = tail(c), 4;
}

// Length of the escaped blob value that starts at `text`: up to the next escaped quote. A value
// with any other escape in it is no base64 and gives nullopt.
std::optional<size_t> blob_length(std::string_view text) {
  const size_t end = text.find('\\');
  if (end == std::string_view::npos || !text.substr(end).starts_with(kQuote)) return std::nullopt;
  return end;
}

// The code point after "\\u", of which `escaped` loses the digits; of half a surrogate pair U+FFFD.
// nullopt, and nothing is taken, without four digits.
std::optional<uint32_t> take_code_point(std::string_view& escaped) {
  const std::optional<uint32_t> unit = hex4(escaped);
  if (!unit) return std::nullopt;
  escaped.remove_prefix(4);
  uint32_t point = *unit;
  if (point >= 0xD800 && point < 0xDC00 && escaped.starts_with("\\u")) {
    const std::optional<uint32_t> low = hex4(escaped.substr(2));
    if (low && *low >= 0xDC00 && *low < 0xE000) {
      point = 0x10000 + ((point - 0xD800) << 10) + (*low - 0xDC00);
      escaped.remove_prefix(6);
    }
  }
  const bool is_lone_surrogate = point >= 0xD800 && point <= 0xDFFF;
  return is_lone_surrogate ? 0xFFFD : point;
}

// What a backslash before `code` stands for.
char control_character(char code) {
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

}  // namespace

LoweredText unescape_lowered(std::string_view escaped) {
  LoweredText text;
  text.json = Bytes(escaped.size());
  uint8_t* out = text.json.data();
  while (!escaped.empty()) {
    go_on();
    const size_t plain = std::min(escaped.find('\\'), escaped.size());
    if (plain > 0) std::memcpy(out, escaped.data(), plain);
    out += plain;
    escaped.remove_prefix(plain);
    if (escaped.size() < 2) break;

    const char code = escaped[1];
    escaped.remove_prefix(2);
    switch (code) {
      case '"': {
        *out++ = '"';
        for (const std::string_view key : kBlobKeys) {
          if (!escaped.starts_with(key)) continue;
          std::string_view rest = escaped.substr(key.size());
          if (!rest.starts_with(kQuote)) break;
          rest.remove_prefix(kQuote.size());
          const size_t colon = rest.find_first_not_of(": ");
          if (colon == std::string_view::npos || colon == 0) break;
          rest.remove_prefix(colon);
          if (!rest.starts_with(kQuote)) break;
          rest.remove_prefix(kQuote.size());
          const std::optional<size_t> length = blob_length(rest);
          if (!length) break;
          if (key == kBlobKeys[0]) text.processed_bytes = rest.substr(0, *length);
          std::memcpy(out, key.data(), key.size());
          out += key.size();
          std::memcpy(out, "\": \"\"", 5);
          out += 5;
          escaped = rest.substr(*length + kQuote.size());
          break;
        }
        break;
      }
      case 'u': {
        if (const std::optional<uint32_t> point = take_code_point(escaped))
          out += put_utf8(*point, out);
        break;
      }
      default:
        *out++ = static_cast<uint8_t>(control_character(code));
        break;
    }
  }
  text.json.shrink(static_cast<size_t>(out - text.json.data()));
  return text;
}

}  // namespace etlens
