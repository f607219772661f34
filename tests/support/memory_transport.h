// SPDX-License-Identifier: Apache-2.0
// MemoryTransport: a client that exists only in a test. What it writes goes through the framing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rpc/transport.h"

namespace etlens::test {

class MemoryTransport final : public Transport {
 public:
  void start(Handlers handlers) override { handlers_ = std::move(handlers); }
  void send(std::string json) override {
    if (on_message) on_message('<', json);
    if (on_send) on_send(json);
    sent_.push_back(std::move(json));
  }
  void close(std::function<void()> on_flushed) override {
    handlers_ = {};
    if (reads) on_flushed();
  }
  size_t unsent() const override { return reads ? 0 : unread; }

  // Bytes of the client, as one read brings them.
  void feed(std::string_view bytes) {
    reader_.push(bytes);
    std::vector<lsp::Frame> frames;
    while (auto frame = reader_.pull()) frames.push_back(std::move(*frame));
    for (const lsp::Frame& frame : frames) {
      if (frame && on_message) on_message('>', *frame);
    }
    const auto on_frames = handlers_.on_frames;  // a handler may close us
    if (!frames.empty() && on_frames) on_frames(std::move(frames));
  }
  // The client is gone.
  void end() {
    if (const auto on_end = std::exchange(handlers_, {}).on_end) on_end();
  }
  bool is_open() const { return static_cast<bool>(handlers_.on_frames); }

  // False: a client that reads nothing any more, or slowly, of so many bytes.
  bool reads = true;
  size_t unread = 1000;
  // Sees every message in the order in which they pass: '>' from the client, '<' to it.
  std::function<void(char direction, const std::string&)> on_message;
  // Sees every message to the client before it counts as sent.
  std::function<void(const std::string&)> on_send;

  // What the server sent since the last call.
  std::vector<std::string> take_sent() { return std::exchange(sent_, {}); }

 private:
  Handlers handlers_;
  lsp::FrameReader reader_;
  std::vector<std::string> sent_;
};

}  // namespace etlens::test
