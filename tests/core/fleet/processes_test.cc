// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/processes.h"

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

}  // namespace etlens::processes_test
