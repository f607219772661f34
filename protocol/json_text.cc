// SPDX-License-Identifier: Apache-2.0
#include "protocol/json_text.h"

#include <charconv>
#include <cmath>

#include "core/base/text.h"

namespace etlens::lsp {
namespace {

bool needs_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

void append_escape(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      out += "\\u00";
      out += kHex[static_cast<unsigned char>(c) >> 4];
      out += kHex[static_cast<unsigned char>(c) & 15];
  }
}

template <typename T>
void append_number(std::string& out, T number) {
  char digits[32];
  const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), number);
  out.append(digits, error == std::errc() ? end : digits);
}

}  // namespace

void write_json(std::string& out, std::string_view text) {
  std::string repaired;
  if (!is_valid_utf8(text)) {
    repaired = valid_utf8(text);
    text = repaired;
  }
  out += '"';
  size_t plain = 0;  // begin of the part that is copied as it is
  for (size_t i = 0; i < text.size(); ++i) {
    if (!needs_escape(text[i])) continue;
    out.append(text, plain, i - plain);
    append_escape(out, text[i]);
    plain = i + 1;
  }
  out.append(text, plain);
  out += '"';
}

void write_json(std::string& out, double number) {
  if (std::isfinite(number)) append_number(out, number);
  else out += "null";
}

void write_json(std::string& out, int64_t number) { append_number(out, number); }

void write_json(std::string& out, uint64_t number) { append_number(out, number); }

void write_json(std::string& out, const Json& json) {
  out += json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace etlens::lsp
