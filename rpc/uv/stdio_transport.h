// SPDX-License-Identifier: Apache-2.0
// StdioTransport: frames on stdin and stdout, whatever these are: pipes, sockets, terminals or
// files. It is the only writer of stdout.
//
// A client that does not read is no reason to grow: while too much is waiting to be written,
// nothing more is read.
#pragma once

#include <memory>
#include <string>

#include "rpc/transport.h"
#include "rpc/uv/loop.h"

namespace etlens::uv {

class StdioTransport final : public Transport {
 public:
  // File descriptors other than 0 and 1 are for tests.
  explicit StdioTransport(Loop& loop, int input = 0, int output = 1,
                          lsp::Framing framing = lsp::Framing::Headers);
  ~StdioTransport() override;

  void start(Handlers handlers) override;
  void send(std::string json) override;
  void close(std::function<void()> on_flushed) override;
  size_t unsent() const override;

 private:
  class Input;
  class Output;

  lsp::Framing framing_;
  std::unique_ptr<Output> output_;
  std::unique_ptr<Input> input_;
};

}  // namespace etlens::uv
