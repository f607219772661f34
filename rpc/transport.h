// SPDX-License-Identifier: Apache-2.0
// Transport: the seam between the server and the bytes. Frames arrive in batches (everything
// complete that one read brought), so that a cancellation is seen before the request that it
// follows is handled.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "protocol/framing.h"

namespace etlens {

class Transport {
 public:
  struct Handlers {
    std::function<void(std::vector<lsp::Frame>)> on_frames;
    std::function<void()> on_end;  // nothing more will arrive
  };

  virtual ~Transport() = default;

  virtual void start(Handlers handlers) = 0;
  // Sends one message's JSON text. Never blocks.
  virtual void send(std::string json) = 0;
  // Handlers are not called any more; `on_flushed` is, once what was sent is out (or cannot be).
  virtual void close(std::function<void()> on_flushed) = 0;
  // Bytes that were sent and are still to be written.
  virtual size_t unsent() const = 0;
};

}  // namespace etlens
