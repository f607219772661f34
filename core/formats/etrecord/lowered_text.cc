// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/lowered_text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "core/base/budget.h"
#include "core/base/json_escapes.h"

namespace etlens {
namespace {

// Keys of the lowered module whose values nobody reads here. A quote inside an inner string is
// escaped three times over, so these texts occur as keys only.
constexpr std::array<std::string_view, 3> kBlobKeys{"processed_bytes", "original_state_dict",
                                                    "original_constants"};
constexpr std::string_view kQuote = "\\\"";

// Length of the escaped blob value that starts at `text`: up to the next escaped quote. A value
// with any other escape in it is no base64 and gives nullopt.
std::optional<size_t> blob_length(std::string_view text) {
  const size_t end = text.find('\\');
  if (end == std::string_view::npos || !text.substr(end).starts_with(kQuote)) return std::nullopt;
  return end;
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
