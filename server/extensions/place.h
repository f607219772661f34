// SPDX-License-Identifier: Apache-2.0
// What the extensions share: amounts, and a source line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/types.h"

namespace etlens::extensions {

// An amount of the measure that is shown; of what is about the dump itself, a time.
struct Time {
  double value = 0;
  std::string unit;  // "ms", "cycles", "bytes", "share" (a fraction), "count"
  std::string text;  // "3.10 ms"
};
FIELDS(Time, value, unit, text)

struct ByteCount {
  uint64_t value = 0;
  std::string text;  // "3.10 MB"
};
FIELDS(ByteCount, value, text)

// What a list of costs is of.
struct ListHead {
  uint64_t generation = 0;
  std::string_view unit;  // of its numbers, as Time has it; "" for an empty list
};
FIELDS(ListHead, generation, unit)

// A recorded source line, and where it is now.
struct SourceLine {
  std::string_view recorded_path;
  uint32_t line = 0;                    // as recorded
  Nullable<uint32_t> current_line;      // in the text of now; null if it is not there
  std::string_view anchor;              // exact, moved, stale, lost
  std::string_view text;                // as recorded
  std::optional<lsp::DocumentUri> uri;  // absent if the file was not found
};
FIELDS(SourceLine, recorded_path, line, current_line, anchor, text, uri)

}  // namespace etlens::extensions
