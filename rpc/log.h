// SPDX-License-Identifier: Apache-2.0
// Log: what the server has to say to the one who runs it. Without a file it goes to stderr, which
// editors keep; stdout belongs to the protocol. Lines that the file does not take at once are left
// out and counted: nobody waits for the reader of a log.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace etlens {

class Log {
 public:
  // `path`: the file that the user named; "" for stderr.
  static Result<Log> open(const std::string& path);
  // Says nothing.
  Log() = default;
  Log(Log&& other) noexcept;
  Log& operator=(Log&& other) noexcept;
  ~Log();

  void info(std::string_view text) { write("info", text); }
  void warning(std::string_view text) { write("warning", text); }

 private:
  void write(std::string_view level, std::string_view text);

  std::FILE* file_ = nullptr;
  uint64_t left_out_ = 0;  // lines, since the last that was written
};

}  // namespace etlens
