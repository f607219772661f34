// SPDX-License-Identifier: Apache-2.0
// Commands that ask no more whether they may go on: each runs in a process of its own.
#include "core/base/watchdog.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include <array>
#include <functional>
#include <string>

#include "core/base/budget.h"

namespace etlens::watchdog_test {

namespace {

constexpr int64_t kMsInNs = 1'000'000;
constexpr int64_t kBaseMs = 20;  // of a load; a command has twice as much

// Uses processor time, and asks nobody.
void burn(int64_t ms) {
  const auto now = [] {
    timespec at{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return static_cast<int64_t>(at.tv_sec) * 1000 + at.tv_nsec / kMsInNs;
  };
  for (const int64_t end = now() + ms; now() < end;) {
  }
}

struct Ended {
  int status = -1;
  std::string said;
};

// Runs a command in a process whose standard error is read.
Ended run_command(const std::function<void()>& work) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    set_base_budget(Ledger::kBaseBytes, kBaseMs * kMsInNs);
    {
      CommandScope command({}, CommandScope::Watched::Yes);
      start_watchdog(std::chrono::milliseconds(5));
      work();
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  Ended ended;
  std::array<char, 512> buffer{};
  for (ssize_t got = 1; got > 0;) {
    got = ::read(ends[0], buffer.data(), buffer.size());
    if (got > 0) ended.said.append(buffer.data(), static_cast<size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status)) ended.status = WEXITSTATUS(status);
  return ended;
}

}  // namespace

TEST_CASE("watchdog: a command that never asks ends with a sentence and status 1", "[watchdog]") {
  const Ended ended = run_command([] {
    set_error_subject("/m/a\x1b[2J\nb.etdp");
    burn(10'000);
  });
  CHECK(ended.status == 1);
  CHECK(ended.said ==
        "etlens: /m/a\uFFFD[2J b.etdp takes more than twice the processor time that it may, and "
        "does not stop by itself: the file may be damaged; write it again, or set "
        "ETLENS_BUDGET=4 to allow it more\n");
}

TEST_CASE("watchdog: so does one that hangs in a load, which has less time", "[watchdog]") {
  const Ended ended = run_command([] {
    (void)within_budget({}, []() -> Result<int> {
      set_error_subject("/m/b.pte");
      burn(10'000);
      return 0;
    });
  });
  CHECK(ended.status == 1);
  CHECK(ended.said.find("/m/b.pte takes more than twice") != std::string::npos);
}

TEST_CASE("watchdog: a command that reads more may take longer", "[watchdog]") {
  const Ended ended = run_command([] {
    grant_reading("/m/large", 1'000'000, 1'000'000);  // 100 ms
    burn(4 * kBaseMs + 120);
  });
  CHECK(ended.status == 0);
  CHECK(ended.said.empty());
}

TEST_CASE("watchdog: the time of loads is not the command's", "[watchdog]") {
  const Ended ended = run_command([] {
    for (int i = 0; i < 10; ++i) {
      (void)within_budget({}, [&]() -> Result<int> {
        grant_reading("/m/" + std::to_string(i), 1, 1);
        burn(kBaseMs / 2);
        return 0;
      });
    }
    burn(2 * kBaseMs);
  });
  CHECK(ended.status == 0);
  CHECK(ended.said.empty());
}

TEST_CASE("watchdog: a process of a command is ended silently", "[watchdog]") {
  const Ended ended = run_command([] {
    const pid_t child = ::fork();
    if (child == 0) {
      start_watchdog_again();
      burn(10'000);
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ::_exit(WIFEXITED(status) && WEXITSTATUS(status) == 1 ? 7 : 8);
  });
  CHECK(ended.status == 7);
  CHECK(ended.said.empty());
}

}  // namespace etlens::watchdog_test
