// SPDX-License-Identifier: Apache-2.0
// Columns. Ours are bytes of UTF-8; a client counts in the unit that it negotiated. Both
// conversions need the text of the line, never leave it, and never land inside a character.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace etlens::lsp {

enum class PositionEncoding : uint8_t { Utf8, Utf16, Utf32 };

// "utf-8", "utf-16", "utf-32".
std::string_view name_of(PositionEncoding encoding);

// The client's column of the byte `column` of `line`. Bytes that are no UTF-8 count as one
// character.
uint32_t to_client_column(std::string_view line, size_t column, PositionEncoding encoding);

// The byte of `line` at the client's column; the line's end for columns behind it, the character's
// beginning for columns inside one.
size_t to_byte_column(std::string_view line, uint32_t column, PositionEncoding encoding);

}  // namespace etlens::lsp
