// SPDX-License-Identifier: Apache-2.0
#include "server/log.h"

#include <chrono>
#include <ctime>
#include <utility>

#include "core/base/output_file.h"
#include "core/base/shown_text.h"

namespace etlens {

Result<Log> Log::open(const std::string& path) {
  Log log;
  log.file_ = path.empty() ? stderr : open_log_file(path);
  if (log.file_ == nullptr) {
    return Error{ErrorCode::Io,
                 "cannot write the log " + path + "; give a file that can be written"};
  }
  return log;
}

Log::Log(Log&& other) noexcept : file_(std::exchange(other.file_, nullptr)) {}

Log& Log::operator=(Log&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

Log::~Log() {
  if (file_ != nullptr && file_ != stderr) std::fclose(file_);
}

void Log::write(std::string_view level, std::string_view text) {
  if (file_ == nullptr) return;
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto millis =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm local{};
  ::localtime_r(&seconds, &local);
  char time[32];
  std::strftime(time, sizeof time, "%Y-%m-%d %H:%M:%S", &local);
  const std::string shown = shown_text(text);
  std::fprintf(file_, "%s.%03d %.*s %s\n", time, static_cast<int>(millis),
               static_cast<int>(level.size()), level.data(), shown.c_str());
  std::fflush(file_);
}

}  // namespace etlens
