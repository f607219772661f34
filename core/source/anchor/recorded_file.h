// SPDX-License-Identifier: Apache-2.0
// RecordedFile: the file as it was when it was recorded, seen as recorded lines: with all its lines
// known, with functions and classes, far less is left to guess than with those that ran alone.
#pragma once

#include <memory>
#include <vector>

#include "core/source/anchor/anchor.h"

namespace etlens {

class RecordedFile {
 public:
  RecordedFile() = default;  // of an unknown file
  RecordedFile(const Document& recorded, const Document& now);

  // Every line with code, ascending. Views of this and of the recorded document.
  const std::vector<RecordedLine>& lines() const { return lines_; }
  // 1-based: where a line is that an unbroken run of equal lines ties to the start or the end of
  // the file; 0 if none does.
  uint32_t known_line(uint32_t line) const;

 private:
  std::vector<RecordedLine> lines_;
  std::shared_ptr<const PythonSyntax> syntax_;
  uint32_t equal_front_ = 0, equal_back_ = 0;  // lines
  uint32_t line_count_ = 0, line_count_now_ = 0;
};

// True if each line has its recorded text and number there.
bool fits_all_lines(const Document& recorded, const std::vector<RecordedLine>& lines);

}  // namespace etlens
