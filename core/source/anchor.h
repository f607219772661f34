// SPDX-License-Identifier: Apache-2.0
// Anchors: where a recorded source line stands in the text as it is now. A recorded line carries its
// own text, so a wrong placement can be told from a right one.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/source/document.h"

namespace etlens {

enum class AnchorVerdict : uint8_t {
  Exact,  // same line number, same text
  Moved,  // the same statement, placed elsewhere or with changed text
  Stale,  // only the enclosing function is known
  Lost,   // not even that
};
std::string_view name_of(AnchorVerdict verdict);

struct RecordedLine {
  uint32_t line = 0;  // 1-based
  std::string_view function;
  std::string_view text;  // stripped; "" if it was not recorded
};

struct Anchor {
  AnchorVerdict verdict = AnchorVerdict::Lost;
  uint32_t line = 0;  // 1-based, in the document; 0 if Stale or Lost
  bool edited = false;  // the statement's text differs from the recorded one
};

// One anchor per recorded line. Two recorded lines never share a line of the document.
std::vector<Anchor> anchor_lines(const Document& document, const std::vector<RecordedLine>& lines);

}  // namespace etlens
