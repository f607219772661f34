// SPDX-License-Identifier: Apache-2.0
// The log goes to whoever reads it, and waits for nobody.
#include "rpc/log.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>

namespace etlens::log_test {
namespace {

// A pipe that nobody reads until read() is called.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    REQUIRE(::pipe(ends) == 0);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  }
  ~Pipe() {
    ::close(ends[0]);
    ::close(ends[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  std::string path() const { return "/dev/fd/" + std::to_string(ends[1]); }
  std::string read() const {
    std::string text;
    char piece[4096];
    for (ssize_t n; (n = ::read(ends[0], piece, sizeof piece)) > 0;)
      text.append(piece, static_cast<size_t>(n));
    return text;
  }
};

size_t longest_line(const std::string& text) {
  size_t longest = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  return longest;
}

}  // namespace

TEST_CASE("a log that nobody reads is no reason to wait", "[rpc]") {
  const Pipe pipe;
  Result<Log> log = Log::open(pipe.path());
  REQUIRE(log);
  for (int i = 0; i < 5000; ++i) log->info("line " + std::to_string(i) + std::string(100, '.'));
  const std::string first = pipe.read();
  CHECK(first.ends_with('\n'));
  CHECK(first.size() <= 1 << 20);
  CHECK(first.find("line 0.") != std::string::npos);
  CHECK(first.find("line 4999.") == std::string::npos);
  log->warning("somebody reads again");
  const std::string next = pipe.read();
  CHECK(next.find(" lines were left out: the log was not read\n") != std::string::npos);
  CHECK(next.find("somebody reads again\n") != std::string::npos);
  log->info("and nothing more is missing");
  CHECK(pipe.read().find("left out") == std::string::npos);
}

TEST_CASE("a text of any length is a short line of the log", "[rpc]") {
  const Pipe pipe;
  Result<Log> log = Log::open(pipe.path());
  REQUIRE(log);
  for (const char piece : {'x', '\1', '\xFF', '\n'}) {
    log->info("the client answered a request that was not asked: " + std::string(100'000, piece));
    const std::string text = pipe.read();
    CHECK(text.ends_with("(100050 bytes)\n"));
    CHECK(longest_line(text) < 4096);
  }
  log->info("short");
  CHECK(pipe.read().ends_with(" info short\n"));
}

TEST_CASE("a log whose reader is gone is no reason to end", "[rpc]") {
  auto pipe = std::make_unique<Pipe>();
  Result<Log> log = Log::open(pipe->path());
  REQUIRE(log);
  pipe.reset();
  CHECK_NOTHROW(log->info("nobody"));
  CHECK_NOTHROW(log->info("nobody"));
}

}  // namespace etlens::log_test
