// SPDX-License-Identifier: Apache-2.0
// Between core's lines and columns (0-based, bytes of UTF-8) and the client's.
#pragma once

#include "core/source/document.h"
#include "protocol/position_encoding.h"
#include "protocol/types.h"

namespace etlens {

// Positions behind a line's end are its end, those behind the text the text's end.
size_t to_offset(const Document& document, lsp::Position position, lsp::PositionEncoding encoding);

// The client's position of a byte column of a line.
lsp::Position to_position(const Document& document, size_t line, size_t column,
                          lsp::PositionEncoding encoding);
lsp::Position end_of_line(const Document& document, size_t line, lsp::PositionEncoding encoding);

// The line without the blanks at its beginning and end.
lsp::Range line_range(const Document& document, size_t line, lsp::PositionEncoding encoding);

}  // namespace etlens
