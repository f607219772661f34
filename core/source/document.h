// SPDX-License-Identifier: Apache-2.0
// Document: the immutable text of a source file, with its lines. Lines and columns are 0-based here;
// columns are bytes of UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etlens {

class Document {
 public:
  explicit Document(std::string text);

  const std::string& text() const { return text_; }
  size_t line_count() const { return starts_.size(); }
  // Without its line ending (LF, CRLF or CR, as editors count lines) and without a byte order mark.
  std::string_view line(size_t number) const;
  size_t line_start(size_t number) const { return starts_[number]; }
  // The line that holds the byte; the last one for offsets behind the text.
  size_t line_at(size_t offset) const;

 private:
  std::string text_;
  std::vector<size_t> starts_;  // byte offsets of the lines; never empty
};

}  // namespace etlens
