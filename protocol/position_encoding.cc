// SPDX-License-Identifier: Apache-2.0
#include "protocol/position_encoding.h"

#include <algorithm>

#include "core/base/text.h"

namespace etlens::lsp {
namespace {

// Bytes of the character at the front of `rest`, which is not empty.
size_t character_bytes(std::string_view rest) { return std::min(utf8_length(rest), rest.size()); }

uint32_t client_units(size_t bytes, PositionEncoding encoding) {
  switch (encoding) {
    case PositionEncoding::Utf8:
      return static_cast<uint32_t>(bytes);
    case PositionEncoding::Utf16:
      return bytes == 4 ? 2 : 1;  // a surrogate pair from U+10000 on
    case PositionEncoding::Utf32:
      return 1;
  }
  return 1;
}

size_t ascii_prefix(std::string_view text) {
  const auto at = std::find_if(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
  return static_cast<size_t>(at - text.begin());
}

}  // namespace

std::string_view name_of(PositionEncoding encoding) {
  switch (encoding) {
    case PositionEncoding::Utf8:
      return "utf-8";
    case PositionEncoding::Utf16:
      return "utf-16";
    case PositionEncoding::Utf32:
      return "utf-32";
  }
  return "utf-16";
}

uint32_t to_client_column(std::string_view line, size_t column, PositionEncoding encoding) {
  column = std::min(column, line.size());
  size_t at = std::min(ascii_prefix(line), column);
  auto units = static_cast<uint32_t>(at);
  while (at < column) {
    const size_t bytes = character_bytes(line.substr(at));
    if (at + bytes > column) break;  // inside a character
    units += client_units(bytes, encoding);
    at += bytes;
  }
  return units;
}

size_t to_byte_column(std::string_view line, uint32_t column, PositionEncoding encoding) {
  size_t at = std::min<size_t>(ascii_prefix(line), column);
  auto units = static_cast<uint32_t>(at);
  while (at < line.size() && units < column) {
    const size_t bytes = character_bytes(line.substr(at));
    const uint32_t next = units + client_units(bytes, encoding);
    if (next > column) break;
    units = next;
    at += bytes;
  }
  return at;
}

}  // namespace etlens::lsp
