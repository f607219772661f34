// SPDX-License-Identifier: Apache-2.0
// Parses the text of a recorded Python stack trace into frames.
//
//   File "/models/mlp.py", line 39, in forward        header, with or without two leading blanks
//     x = torch.tanh(self.embed(readings))            the source line, stripped; may be missing
//                    ~~~~~~~~~~^^^^^^^^^^             marks or blanks under it; may be missing
//   [Previous line repeated 2 more times]
//
// Frames stand outermost first. Strict export (Dynamo) writes whole tracebacks; non-strict export
// strips the text at both ends and keeps only frames of functions named forward.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace etlens {

// Views into the parsed text.
struct ParsedFrame {
  std::string_view file;
  uint32_t line = 0;  // 1-based
  std::string_view function;
  std::string_view text;  // of the source line, stripped; empty if it was not recorded
  // Bytes [mark_begin, mark_end) of `text` that the marks cover; both 0 without marks.
  uint32_t mark_begin = 0;
  uint32_t mark_end = 0;
};

struct ParsedStack {
  std::vector<ParsedFrame> frames;
  // The text starts with blanks, as strict export writes it.
  bool indented = false;
};

// Lines that fit nothing are passed over; a text without any header gives no frames.
ParsedStack parse_stack_trace(std::string_view text);

}  // namespace etlens
