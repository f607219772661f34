// SPDX-License-Identifier: Apache-2.0
// Sink: where an export goes, piece by piece, so that no file is ever whole in memory. After the
// first piece that could not be written nothing more is; the end says so.
#pragma once

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include "core/base/json_writer.h"
#include "core/base/result.h"

namespace etlens {

class Sink {
 public:
  static constexpr size_t kSlack = 32;

  // Takes a piece in order; false if it could not be written.
  using Write = std::function<bool(std::string_view)>;

  explicit Sink(Write write) : write_(std::move(write)), buffer_(kPiece + kSlack) {}
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  Sink& operator<<(std::string_view text) {
    // Traces come in millions of pieces of some bytes each.
    if (text.size() > kPiece - used_) [[unlikely]]
      return write_through(text);
    std::copy_n(text.data(), text.size(), buffer_.data() + used_);
    used_ += text.size();
    return *this;
  }
  // Room for `most` bytes, at most 64 KB, and kSlack more. How many of them count, fill() says
  // before anything else is written.
  char* room(size_t most) {
    if (most > kPiece - used_) [[unlikely]]
      flush();
    return buffer_.data() + used_;
  }
  void fill(size_t size) { used_ += size; }
  Sink& operator<<(char c) { return *this << std::string_view(&c, 1); }
  // What the writer has so far; what it writes next is as if that still stood in front.
  Sink& operator<<(JsonWriter& json);

  // Writes what is left. Once, at the end. Error: Io, without a name of the file.
  Result<void> finish();

 private:
  static constexpr size_t kPiece = 64 * 1024;

  // What does not fit in behind what is there.
  Sink& write_through(std::string_view text);
  void write_piece(std::string_view piece);
  void flush();

  Write write_;
  std::vector<char> buffer_;
  size_t used_ = 0;  // of the buffer
  bool is_broken_ = false;
};

// JSON that goes to a sink as it grows: call drain() between values, as often as one likes.
void drain(JsonWriter& json, Sink& sink);

}  // namespace etlens
