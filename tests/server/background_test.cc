// SPDX-License-Identifier: Apache-2.0
// Work in the background that does not end. (ThreadSanitizer keeps signals back from a thread that
// calls nothing: scripts/check leaves out [endless] there.)
#include <catch2/catch.hpp>

#include "core/base/budget.h"
#include "server/uv/loop.h"
#include "tests/support/endless_files.h"
#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"

namespace etlens::background_test {

using namespace etlens::test;

namespace {

constexpr Delay kPatience(300);
constexpr int kSettled = 3000;

}  // namespace

TEST_CASE("background: work is done elsewhere, and its end is heard of here", "[server][thread]") {
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

TEST_CASE("background: what was not taken when the loop ends is not called", "[server][thread]") {
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
          "[server][thread][endless]") {
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

TEST_CASE("a load that does not end is given up with a sentence, and the next one is shown",
          "[server][thread][endless]") {
  MemoryFileSystem memory = model_workspace();
  EndlessFiles files(memory, kDumpPath);
  files.is_endless = false;
  LanguageClient client(files);
  client.loop().set_patience(kPatience);
  client.initialize();
  client.open(kModelPath, model_source());
  client.advance(kSettled);
  const std::map<int, std::string> before = client.hints(kModelPath);
  REQUIRE(before.size() == 10);
  files.is_endless = true;
  memory.put(kDumpPath, model_dump(3));
  client.advance(kSettled);
  const json status = client.request("etlens/status");
  CHECK(status["state"] == "failed");
  CHECK_THAT(status["message"].get<std::string>(),
             Catch::StartsWith("/work/model.etdp was given up: reading it does not end"));
  CHECK(client.hints(kModelPath) == before);  // the last good state
  files.is_endless = false;
  memory.put(kDumpPath, model_dump(2));
  client.advance(kSettled);
  CHECK(client.request("etlens/status")["state"] == "ready");
  CHECK(client.hints(kModelPath) != before);
  CHECK(client.finish() == 0);
}

TEST_CASE("a source that cannot be looked at is given up, and others are looked at",
          "[server][thread][endless]") {
  MemoryFileSystem memory = model_workspace();
  EndlessFiles files(memory, kModelPath);
  files.is_endless = false;
  Timing timing;
  timing.at_once = std::chrono::nanoseconds(0);
  LanguageClient client(files, timing);
  client.loop().set_patience(kPatience);
  client.initialize();
  client.advance(kSettled);
  REQUIRE(client.request_list("etlens/hotLines", "lines").size() == 4);
  files.is_endless = true;
  memory.put(kModelPath, "# edited elsewhere\n" + model_source());
  client.request("etlens/hotLines");
  client.advance(kSettled);
  CHECK(client.request("etlens/status")["state"] == "ready");
  // An editor brings the text itself.
  client.open(kModelPath, "# edited here\n" + model_source());
  client.advance(kSettled);
  CHECK(client.hints(kModelPath).size() == 10);
}

}  // namespace etlens::background_test
