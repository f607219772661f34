// SPDX-License-Identifier: Apache-2.0
// Document: the immutable text of a source file, with its lines; TextEdit: a change of such a text.
// Lines and columns are 0-based here; columns are bytes of UTF-8.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etlens {

// Replaces bytes [begin, end) of a text. In a sequence of edits each counts in the text that the
// one before it left, as editors send them.
struct TextEdit {
  size_t begin = 0;
  size_t end = 0;
  std::string text;
};

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
  // The byte at a column of line(). Columns behind the line's end are its end, lines behind the
  // last one the end of the text.
  size_t offset_of(size_t line, size_t column) const;

  // The text after the edit. Only the lines that it touches are looked at again. Offsets behind the
  // text count as its end, an end before the begin as the begin.
  Document edited(const TextEdit& edit) const;
  // After all of them, one by one.
  Document edited(std::span<const TextEdit> edits) const;

 private:
  Document() = default;
  void add_breaks(size_t begin, size_t end);

  std::string text_;
  std::vector<size_t> starts_;  // byte offsets of the lines; never empty
};

}  // namespace etlens
