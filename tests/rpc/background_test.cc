// SPDX-License-Identifier: Apache-2.0
// Work of a loop on other threads: its end is heard of on the loop's, and work that does not end is
// given up. (ThreadSanitizer keeps signals back from a thread that calls nothing: scripts/check
// leaves out [endless] there.)
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "core/base/budget.h"
#include "rpc/uv/loop.h"

namespace etlens::background_test {

namespace {

constexpr Delay kPatience(300);

}  // namespace

TEST_CASE("background: work is done elsewhere, and its end is heard of here", "[rpc][thread]") {
  uv::Loop loop(uv::Loop::Clock::Manual);
  std::vector<int> done;
  for (int i = 0; i < 20; ++i) {
    auto made = std::make_shared<int>(-1);
    loop.run_in_background([made, i] { *made = i; }, [made, &done] { done.push_back(*made); });
  }
  loop.run_in_background([] { throw std::bad_alloc(); }, [&] { done.push_back(20); });
  CHECK(loop.has_background_work());
  loop.run_until_idle();
  CHECK_FALSE(loop.has_background_work());
  std::sort(done.begin(), done.end());
  REQUIRE(done.size() == 21);
  for (int i = 0; i < 21; ++i) CHECK(done[static_cast<size_t>(i)] == i);
}

TEST_CASE("background: what was not taken when the loop ends is not called", "[rpc][thread]") {
  bool is_called = false;
  std::atomic<bool> has_run = false;
  {
    uv::Loop loop(uv::Loop::Clock::Manual);
    loop.run_in_background([&] { has_run = true; }, [&] { is_called = true; });
  }
  CHECK(has_run);
  CHECK_FALSE(is_called);
}

TEST_CASE("background: work that asks no more is given up, and the rest goes on",
          "[rpc][thread][endless]") {
  uv::Loop loop(uv::Loop::Clock::Manual);
  loop.set_patience(kPatience);
  int given_up = 0;
  int done = 0;
  const auto spin = [] {
    volatile uint64_t turns = 0;
    while (true) turns = turns + 1;
  };
  loop.run_in_background(
      [&] {
        (void)within_budget({}, [&]() -> Result<int> {
          spin();
          return 0;
        });
      },
      [&] { ++given_up; });
  // As long, but it asks.
  loop.run_in_background(
      [] {
        (void)within_budget({}, []() -> Result<int> {
          const int64_t end = thread_time_ns() + 3'000'000 * kPatience.count();
          while (thread_time_ns() < end) go_on();
          return 0;
        });
      },
      [&] { ++done; });
  // As long, and nothing holds it to anything.
  loop.run_in_background(
      [] {
        const int64_t end = thread_time_ns() + 3'000'000 * kPatience.count();
        while (thread_time_ns() < end) {
        }
      },
      [&] { ++done; });
  loop.run_until_idle();
  CHECK(given_up == 1);
  CHECK(done == 2);
  CHECK_FALSE(loop.has_background_work());
}

}  // namespace etlens::background_test
