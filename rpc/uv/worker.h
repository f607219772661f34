// SPDX-License-Identifier: Apache-2.0
// Worker runs the background jobs of one owner, one at a time. Only the loop's thread uses it. A job
// that was dropped may still be running; its end is not reported.
#pragma once

#include <memory>
#include <utility>

#include "core/base/cancellation.h"
#include "rpc/uv/loop.h"

namespace etlens::uv {

class Worker {
 public:
  explicit Worker(Loop& loop) : loop_(loop) {}
  ~Worker() { shut(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // `work(*job)` on another thread, which owns the job until then `finish(*job)` is called here,
  // once, as for Loop::run_in_background. The work asks the job's `cancel`. A job that is
  // running is dropped first; after shut() nothing starts.
  template <typename Job, typename Work, typename Finish>
  void start(const std::shared_ptr<Job>& job, Work work, Finish finish) {
    drop();
    if (!is_alive_) return;
    running_ = std::make_shared<CancelToken>(job->cancel);
    loop_.run_in_background(
        [job, work = std::move(work)] { work(*job); },
        [this, job, finish = std::move(finish), running = std::weak_ptr(running_)] {
          if (running.expired()) return;
          running_.reset();
          finish(*job);
        });
  }
  // Asks the running job to end. Its end is reported.
  void cancel() const {
    if (running_) running_->cancel();
  }
  // The same, but its end is not reported.
  void drop() {
    cancel();
    running_.reset();
  }
  void shut() {
    is_alive_ = false;
    drop();
  }
  bool is_alive() const { return is_alive_; }
  bool is_running() const { return running_ != nullptr; }

 private:
  Loop& loop_;
  bool is_alive_ = true;
  std::shared_ptr<CancelToken> running_;  // of the job that is running; null: none is
};

}  // namespace etlens::uv
