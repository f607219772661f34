// SPDX-License-Identifier: Apache-2.0
#include "server/convert.h"

#include <algorithm>

#include "core/base/text.h"

namespace etlens {

// A byte order mark is not part of Document::line: neither do editors show it.
size_t to_offset(const Document& document, lsp::Position position, lsp::PositionEncoding encoding) {
  if (position.line >= document.line_count()) return document.text().size();
  const std::string_view line = document.line(position.line);
  return document.offset_of(position.line, lsp::to_byte_column(line, position.character, encoding));
}

lsp::Position to_position(const Document& document, size_t line, size_t column,
                          lsp::PositionEncoding encoding) {
  return {static_cast<uint32_t>(line),
          lsp::to_client_column(document.line(line), column, encoding)};
}

lsp::Position end_of_line(const Document& document, size_t line, lsp::PositionEncoding encoding) {
  return to_position(document, line, document.line(line).size(), encoding);
}

lsp::Range line_range(const Document& document, size_t line, lsp::PositionEncoding encoding) {
  const std::string_view text = document.line(line);
  const size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const size_t end = begin + trim(text.substr(begin)).size();
  return {to_position(document, line, begin, encoding), to_position(document, line, end, encoding)};
}

}  // namespace etlens
