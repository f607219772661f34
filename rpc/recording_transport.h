// SPDX-License-Identifier: Apache-2.0
// RecordingTransport: writes every message of a session to a file, one per line: `> {…}` from the
// client, `< {…}` to it. The tests play such files again.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/base/output_file.h"
#include "core/base/result.h"
#include "rpc/transport.h"

namespace etlens {

class RecordingTransport final : public Transport {
 public:
  // `path`: the file that the user named. A file that is there is replaced with the first message.
  static Result<std::unique_ptr<RecordingTransport>> open(Transport& inner,
                                                          const std::string& path);

  void start(Handlers handlers) override;
  void send(std::string json) override;
  void close(std::function<void()> on_flushed) override;
  size_t unsent() const override { return inner_.unsent(); }

 private:
  RecordingTransport(Transport& inner, OutputFile file) : inner_(inner), file_(std::move(file)) {}
  void write(char direction, std::string text);

  Transport& inner_;
  OutputFile file_;
  bool is_published_ = false;
};

}  // namespace etlens
