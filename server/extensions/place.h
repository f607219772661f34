// SPDX-License-Identifier: Apache-2.0
// What the extensions share: an amount, and a source line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "protocol/types.h"

namespace etlens::extensions {

// An amount of the measure that is shown; of what is about the dump itself, a time.
struct Time {
  double value = 0;
  std::string unit;  // "ms", "cycles", "bytes", "share" (a fraction), "count"
  std::string text;  // "3.10 ms"
};
FIELDS(Time, value, unit, text)

// A recorded source line, and where it is now.
struct SourceLine {
  std::string recordedPath;
  uint32_t recordedLine = 0;
  std::string text;                     // as recorded
  std::optional<lsp::DocumentUri> uri;  // absent if the file was not found
  std::optional<uint32_t> line;         // absent if the line was not found
  std::string anchor;                   // exact, moved, stale, lost
};
FIELDS(SourceLine, recordedPath, recordedLine, text, uri, line, anchor)

}  // namespace etlens::extensions
