// SPDX-License-Identifier: Apache-2.0
// Worker: who hears of the end of a job, and who does not.
#include "rpc/uv/worker.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <memory>
#include <new>
#include <optional>
#include <thread>
#include <vector>

namespace etlens::worker_test {

namespace {

struct Job {
  int id = 0;
  CancelToken cancel = {};
  bool has_run = false;
};

struct Fixture {
  uv::Loop loop{uv::Loop::Clock::Manual};
  std::optional<uv::Worker> worker{std::in_place, loop};
  std::vector<int> finished;

  // Works until it is told to end.
  std::shared_ptr<Job> start_endless(int id) {
    const auto job = std::make_shared<Job>(Job{id});
    worker->start(
        job,
        [](Job& own) {
          while (!own.cancel.cancelled()) std::this_thread::yield();
          own.has_run = true;
        },
        [this](const Job& own) { finished.push_back(own.has_run ? own.id : -own.id); });
    return job;
  }
};

}  // namespace

TEST_CASE("worker: the end of a job is heard of once, also of one that was cancelled or threw",
          "[rpc][thread]") {
  Fixture f;
  f.start_endless(1);
  CHECK(f.worker->is_running());
  f.worker->cancel();
  CHECK(f.worker->is_running());
  f.loop.run_until_idle();
  CHECK_FALSE(f.worker->is_running());
  f.worker->start(
      std::make_shared<Job>(Job{2}), [](Job&) { throw std::bad_alloc(); },
      [&](const Job& job) { f.finished.push_back(job.has_run ? 0 : job.id); });
  f.loop.run_until_idle();
  CHECK(f.finished == std::vector{1, 2});
}

TEST_CASE("worker: nobody hears of a job that was dropped, and the next starts at once",
          "[rpc][thread]") {
  Fixture f;
  f.start_endless(1);
  f.worker->drop();
  CHECK_FALSE(f.worker->is_running());
  const std::shared_ptr<Job> second = f.start_endless(2);
  f.start_endless(3);  // what runs is dropped
  CHECK(second->cancel.cancelled());
  f.worker->cancel();
  f.loop.run_until_idle();
  CHECK(f.finished == std::vector{3});
}

TEST_CASE("worker: whoever is told of the end may start the next, shut the worker, or end it",
          "[rpc][thread]") {
  Fixture f;
  const auto quick = [](int id) { return std::make_shared<Job>(Job{id}); };
  f.worker->start(
      quick(1), [](Job&) {},
      [&](const Job&) {
        CHECK_FALSE(f.worker->is_running());
        f.start_endless(2);
        f.worker->cancel();
      });
  f.loop.run_until_idle();
  CHECK(f.finished == std::vector{2});
  f.worker->start(
      quick(3), [](Job&) {},
      [&](const Job& job) {
        f.worker.reset();
        f.finished.push_back(job.id);
      });
  f.loop.run_until_idle();
  CHECK(f.finished == std::vector{2, 3});
}

TEST_CASE("worker: nothing ends or starts after it was shut, or is gone", "[rpc][thread]") {
  Fixture f;
  const std::shared_ptr<Job> job = f.start_endless(1);
  f.worker->shut();
  CHECK(job->cancel.cancelled());
  CHECK_FALSE(f.worker->is_alive());
  f.start_endless(2);
  CHECK_FALSE(f.worker->is_running());
  f.worker.emplace(f.loop);
  const std::shared_ptr<Job> last = f.start_endless(3);
  f.worker.reset();
  CHECK(last->cancel.cancelled());
  f.loop.run_until_idle();
  CHECK(f.finished.empty());
}

}  // namespace etlens::worker_test
