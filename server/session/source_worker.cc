// SPDX-License-Identifier: Apache-2.0
#include "server/session/source_worker.h"

#include <utility>

#include "core/base/budget.h"

namespace etlens {

void SourceWorker::start(Options options) {
  options_ = std::move(options);
  left_ns_ = options_.at_once_ns;
}

// Many small files are as much work as a large one.
bool SourceWorker::run_at_once(SourceJob& job) {
  if (!options_.background) {
    job.run(files_);
    return true;
  }
  if (left_ns_ <= 0) return false;
  const int64_t before = thread_time_ns();
  const bool is_done = job.run_at_once(files_, left_ns_);
  left_ns_ -= thread_time_ns() - before;
  if (!refill_.pending())
    refill_ = options_.after(Delay(0), [this] { left_ns_ = options_.at_once_ns; });
  return is_done;
}

void SourceWorker::add(std::shared_ptr<SourceJob> job, std::function<void()> done) {
  if (!*alive_) return;
  waiting_.push_back({std::move(job), std::move(done)});
  if (!running_) next();
}

void SourceWorker::release(std::shared_ptr<const void> old) {
  if (old == nullptr || !options_.background) return;
  options_.background([old = std::move(old)]() mutable { old.reset(); }, [] {});
}

// What was cancelled while it waited is done, without a result.
void SourceWorker::next() {
  if (waiting_.empty()) return;
  Waiting first = std::move(waiting_.front());
  waiting_.pop_front();
  running_ = first.job;
  options_.background(
      [job = first.job, &files = files_] {
        if (!job->cancel.cancelled()) job->run(files);
      },
      [this, alive = alive_, done = std::move(first.done)] {
        if (!*alive) return;
        running_ = nullptr;
        done();
        if (!running_) next();
      });
}

void SourceWorker::shut() {
  *alive_ = false;
  refill_.cancel();
  if (running_) running_->cancel.cancel();
  running_ = nullptr;
  waiting_.clear();
}

}  // namespace etlens
