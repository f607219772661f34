// SPDX-License-Identifier: Apache-2.0
// LineHunks: which lines of a text that was replaced as a whole really differ. Formatters send
// whole files.
#pragma once

#include <cstdint>
#include <vector>

#include "core/source/document.h"

namespace etlens {

// Lines [begin, end) of the text before became [new_begin, new_end) of the text after; 0-based.
// Between hunks the lines are the same but for their indent.
struct LineHunk {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t new_begin = 0;
  uint32_t new_end = 0;

  friend bool operator==(const LineHunk&, const LineHunk&) = default;
};

// Within `whole`, in their order. A hunk of equally many lines is one per line. Of more than
// kMaxHunkLines lines nothing is compared, and `whole` is the hunk.
std::vector<LineHunk> line_hunks(const Document& before, const Document& after,
                                 const LineHunk& whole);
inline constexpr uint32_t kMaxHunkLines = 20'000;

}  // namespace etlens
