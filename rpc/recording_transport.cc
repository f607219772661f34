// SPDX-License-Identifier: Apache-2.0
#include "rpc/recording_transport.h"

#include <algorithm>
#include <utility>

namespace etlens {

Result<std::unique_ptr<RecordingTransport>> RecordingTransport::open(Transport& inner,
                                                                     const std::string& path) {
  Result<OutputFile> file = OutputFile::create(path);
  if (!file) {
    return Error{ErrorCode::Io,
                 "cannot write the record " + path + "; give a file that can be written"};
  }
  return std::unique_ptr<RecordingTransport>(new RecordingTransport(inner, std::move(*file)));
}

void RecordingTransport::start(Handlers handlers) {
  Handlers outer;
  outer.on_frames = [this,
                     on_frames = std::move(handlers.on_frames)](std::vector<lsp::Frame> frames) {
    for (const lsp::Frame& frame : frames) {
      if (frame) write('>', *frame);
      else write('#', "no frame: " + frame.error().message);
    }
    on_frames(std::move(frames));
  };
  outer.on_end = std::move(handlers.on_end);
  inner_.start(std::move(outer));
}

void RecordingTransport::send(std::string json) {
  write('<', json);
  inner_.send(std::move(json));
}

void RecordingTransport::close(std::function<void()> on_flushed) {
  inner_.close(std::move(on_flushed));
}

// A line break in JSON text is a blank: inside a string there is none.
void RecordingTransport::write(char direction, std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  text.insert(0, {direction, ' '});
  text += '\n';
  if (file_.write(text) && !std::exchange(is_published_, true)) (void)file_.publish();
}

}  // namespace etlens
