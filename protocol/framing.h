// SPDX-License-Identifier: Apache-2.0
// Framing: a stream of bytes to messages and back: with headers ("Content-Length: 17\r\n\r\n{…}"),
// as language servers have it; or a message per line.
//
// Input is hostile. Bytes that are no frame give one error and are skipped up to the next thing
// that looks like a header, so that a client that stumbles once can go on. A raw line break cannot
// stand inside a JSON string, so a header is never found inside a well-formed message.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace etlens::lsp {

inline constexpr size_t kMaxHeaderBytes = 8 * 1024;
inline constexpr size_t kMaxMessageBytes = 64 * 1024 * 1024;

enum class Framing { Headers, Lines };

// The JSON text of one message, or (Corrupt) what was wrong with the bytes that should have been
// one.
using Frame = Result<std::string>;

class FrameReader {
 public:
  explicit FrameReader(Framing framing = Framing::Headers) : framing_(framing) {}
  // Takes the next bytes of the stream, in pieces of any size.
  void push(std::string_view bytes);
  // The next complete frame; nullopt until more bytes arrive.
  std::optional<Frame> pull();

 private:
  enum class State { Header, Body, Skipping };

  std::string_view rest() const { return std::string_view(buffer_).substr(at_); }
  std::optional<Frame> pull_header();
  std::optional<Frame> pull_line();
  // Leaves the bytes up to `offset` behind and looks for the next header from there.
  Frame skip_from(size_t offset, std::string reason);
  bool find_header();

  Framing framing_;
  State state_ = State::Header;
  std::string buffer_;
  size_t at_ = 0;       // of the first byte that is not consumed
  size_t scanned_ = 0;  // no end of a header or line stands before this offset
  size_t body_size_ = 0;
  bool is_garbage_ = false;  // there was an error since the last frame
};

// `json` as a frame.
std::string frame(std::string_view json, Framing framing = Framing::Headers);

}  // namespace etlens::lsp
