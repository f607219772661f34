// SPDX-License-Identifier: Apache-2.0
// Bytes of a client -> frames -> messages. The pieces in which bytes arrive make no difference.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "protocol/framing.h"
#include "protocol/message.h"

namespace {

using namespace etlens;

// The frames' texts; of errors, their sentences.
std::vector<std::string> frames_of(std::string_view bytes, size_t piece,
                                   lsp::Framing framing = lsp::Framing::Headers) {
  lsp::FrameReader reader(framing);
  std::vector<std::string> frames;
  while (!bytes.empty()) {
    reader.push(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    while (const auto frame = reader.pull()) frames.push_back(*frame ? "+" + **frame : "-");
  }
  return frames;
}

// One error of the stream may be told in one piece or in several.
std::vector<std::string> good_frames(const std::vector<std::string>& frames) {
  std::vector<std::string> good;
  for (const std::string& frame : frames) {
    if (frame.front() == '+') good.push_back(frame);
  }
  return good;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::vector<std::string> whole = frames_of(bytes, size + 1);
  if (size <= 4096 && good_frames(frames_of(bytes, 1)) != good_frames(whole)) std::abort();
  if (good_frames(frames_of(bytes, 7)) != good_frames(whole)) std::abort();
  if (frames_of(bytes, 7, lsp::Framing::Lines) != frames_of(bytes, size + 1, lsp::Framing::Lines))
    std::abort();
  for (const std::string& frame : whole) {
    const lsp::Message message = lsp::parse_message(std::string_view(frame).substr(1));
    if (const auto* request = std::get_if<lsp::Request>(&message)) (void)lsp::to_text(request->id);
  }
  return 0;
}
