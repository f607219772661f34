// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/processes.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace etlens::processes_test {

namespace {

struct Taken {
  std::vector<size_t> order;
  std::vector<std::optional<std::string>> results;
};

Taken run(size_t count, size_t jobs, const std::function<std::string(size_t)>& work,
          size_t most = SIZE_MAX) {
  Taken taken;
  REQUIRE(work_in_processes(count, jobs, work, [&](size_t i, std::optional<std::string> result) {
    taken.order.push_back(i);
    taken.results.push_back(std::move(result));
    return taken.order.size() < most;
  }));
  return taken;
}

}  // namespace

TEST_CASE("processes: results come in order, large ones and empty ones too", "[fleet][process]") {
  for (const size_t jobs : {1u, 2u, 5u}) {
    const Taken taken =
        run(11, jobs, [](size_t i) { return std::string(i * 40'000, static_cast<char>('a' + i)); });
    REQUIRE(taken.results.size() == 11);
    for (size_t i = 0; i < 11; ++i) {
      CHECK(taken.order[i] == i);
      CHECK(taken.results[i] == std::string(i * 40'000, static_cast<char>('a' + i)));
    }
  }
  CHECK(run(0, 3, [](size_t) { return std::string(); }).order.empty());
}

TEST_CASE("processes: one that ends costs its own piece only", "[fleet][process]") {
  const Taken taken = run(9, 2, [](size_t i) {
    if (i == 3 || i == 8) ::raise(SIGKILL);
    return std::to_string(i);
  });
  REQUIRE(taken.results.size() == 9);
  for (size_t i = 0; i < 9; ++i) {
    CAPTURE(i);
    if (i == 3 || i == 8) CHECK_FALSE(taken.results[i]);
    else CHECK(taken.results[i] == std::to_string(i));
  }
}

TEST_CASE("processes: who has enough takes no more", "[fleet][process]") {
  CHECK(run(
            1'000'000, 2, [](size_t) { return std::string(100, 'x'); }, 3)
            .order.size() == 3);
}

TEST_CASE("processes: those of one that was killed end, too", "[fleet][process]") {
  int begun[2];
  int alive[2];  // at its end when nobody has the end to write to any more
  REQUIRE(::pipe(begun) == 0);
  REQUIRE(::pipe(alive) == 0);
  const pid_t starter = ::fork();
  REQUIRE(starter >= 0);
  if (starter == 0) {
    const auto work = [&](size_t) -> std::string {
      if (::write(begun[1], "x", 1) == 1)
        for (;;) ::pause();
      return {};
    };
    (void)work_in_processes(2, 2, work, [](size_t, std::optional<std::string>) { return true; });
    ::_exit(1);
  }
  ::close(begun[1]);
  ::close(alive[1]);
  char byte = 0;
  REQUIRE(::read(begun[0], &byte, 1) == 1);
  REQUIRE(::read(begun[0], &byte, 1) == 1);
  ::kill(starter, SIGKILL);
  REQUIRE(::waitpid(starter, nullptr, 0) == starter);
  pollfd end{alive[0], POLLIN, 0};
  constexpr int kPatience = 60'000;  // milliseconds
  REQUIRE(::poll(&end, 1, kPatience) == 1);
  CHECK(::read(alive[0], &byte, 1) == 0);
  ::close(begun[0]);
  ::close(alive[0]);
}

}  // namespace etlens::processes_test
