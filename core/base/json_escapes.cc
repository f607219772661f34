// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_escapes.h"

#include <algorithm>

namespace etlens {
namespace {

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

}  // namespace

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

std::string unescape_json(std::string_view escaped) {
  std::string text;
  text.reserve(escaped.size());
  while (!escaped.empty()) {
    const size_t plain = std::min(escaped.find('\\'), escaped.size());
    text += escaped.substr(0, plain);
    escaped.remove_prefix(plain);
    if (escaped.size() < 2) break;
    const char code = escaped[1];
    escaped.remove_prefix(2);
    if (code != 'u') {
      text += control_character(code);
    } else if (const std::optional<uint32_t> point = take_code_point(escaped)) {
      uint8_t bytes[4];
      text.append(reinterpret_cast<const char*>(bytes), put_utf8(*point, bytes));
    } else {
      text += "\\u";
    }
  }
  return text += escaped;
}

}  // namespace etlens
