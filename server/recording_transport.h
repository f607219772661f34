// SPDX-License-Identifier: Apache-2.0
// RecordingTransport: writes every message of a session to a file, one per line: `> {…}` from the
// client, `< {…}` to it. The tests play such files again.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "server/transport.h"

namespace etlens {

class RecordingTransport final : public Transport {
 public:
  // `path`: the file that the user named.
  static Result<std::unique_ptr<RecordingTransport>> open(Transport& inner,
                                                          const std::string& path);
  ~RecordingTransport() override;

  void start(Handlers handlers) override;
  void send(std::string json) override;
  void close(std::function<void()> on_flushed) override;

 private:
  RecordingTransport(Transport& inner, std::FILE* file) : inner_(inner), file_(file) {}
  void write(char direction, std::string text);

  Transport& inner_;
  std::FILE* file_;
};

}  // namespace etlens
