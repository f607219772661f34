// SPDX-License-Identifier: Apache-2.0
#include "rpc/log.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <utility>

#include "core/base/output_file.h"
#include "core/base/shown_text.h"
#include "rpc/write_soon.h"

namespace etlens {
namespace {

// More of one text says nothing more to the one who runs the server.
constexpr size_t kMaxText = 1300;

// With its time and a line feed; short enough to be written at once, whatever it holds.
std::string line_of(std::string_view level, std::string_view text) {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto millis =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm local{};
  ::localtime_r(&seconds, &local);
  char time[32];
  std::strftime(time, sizeof time, "%Y-%m-%d %H:%M:%S", &local);
  char front[64];
  std::snprintf(front, sizeof front, "%s.%03d ", time, static_cast<int>(millis));
  std::string line = front;
  ((line += level) += ' ') += shown_text(text.substr(0, kMaxText));
  if (text.size() > kMaxText) line += "\u2026 (" + std::to_string(text.size()) + " bytes)";
  return line += '\n';
}

}  // namespace

Result<Log> Log::open(const std::string& path) {
  Log log;
  log.file_ = path.empty() ? stderr : open_log_file(path);
  if (log.file_ == nullptr) {
    return Error{ErrorCode::Io,
                 "cannot write the log " + path + "; give a file that can be written"};
  }
  return log;
}

Log::Log(Log&& other) noexcept
    : file_(std::exchange(other.file_, nullptr)), left_out_(other.left_out_) {}

Log& Log::operator=(Log&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(left_out_, other.left_out_);
  return *this;
}

Log::~Log() {
  if (file_ != nullptr && file_ != stderr) std::fclose(file_);
}

void Log::write(std::string_view level, std::string_view text) {
  if (file_ == nullptr) return;
  if (left_out_ > 0) {
    const std::string lines =
        std::to_string(left_out_) + " lines were left out: the log was not read";
    if (!write_soon(file_, line_of("warning", lines))) {
      ++left_out_;
      return;
    }
    left_out_ = 0;
  }
  if (!write_soon(file_, line_of(level, text))) ++left_out_;
}

}  // namespace etlens
