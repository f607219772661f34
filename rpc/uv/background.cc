// SPDX-License-Identifier: Apache-2.0
#include "rpc/uv/background.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "core/base/assert.h"
#include "core/base/work_signs.h"
#include "rpc/uv/stop_thread.h"

namespace etlens::uv {
namespace {

constexpr uint64_t kLookEveryMs = 250;

// Of the whole process: time in which nothing of it runs is nobody's fault.
int64_t processor_ms() {
  uv_rusage_t usage{};
  if (uv_getrusage(&usage) != 0) return 0;
  const auto ms = [](const uv_timeval_t& time) { return time.tv_sec * 1000 + time.tv_usec / 1000; };
  return static_cast<int64_t>(ms(usage.ru_utime) + ms(usage.ru_stime));
}

}  // namespace

// What the threads tell the loop's. One that is given up may never read it again.
struct Background::Ended {
  std::mutex mutex;
  std::vector<Job*> jobs;
  uv_async_t* wake = nullptr;  // null: nobody wants to know
};

struct Background::Job {
  std::function<void()> work;
  std::function<void()> done;
  std::shared_ptr<Ended> ended;
  uv_thread_t thread{};
  bool has_thread = false;
  WorkSigns signs;
  // When the loop's thread saw a sign, and which.
  int64_t seen_ms = 0;
  uint64_t seen_looks = 0;
};

Background::Background(uv_loop_t* loop, Call call)
    : loop_(loop),
      call_(std::move(call)),
      ended_(std::make_shared<Ended>()),
      timer_(new uv_timer_t) {
  ended_->wake = new uv_async_t;
  ended_->wake->data = this;
  ETLENS_ASSERT(uv_async_init(loop_, ended_->wake, [](uv_async_t* wake) {
                  static_cast<Background*>(wake->data)->take_ended();
                }) == 0);
  uv_timer_init(loop_, timer_.get());
  timer_->data = this;
}

Background::~Background() {
  is_closing_ = true;
  while (is_busy()) uv_run(loop_, UV_RUN_ONCE);
  const std::lock_guard lock(ended_->mutex);
  CloseHandle()(std::exchange(ended_->wake, nullptr));
}

void Background::run_job(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  show_signs(&job.signs);
  try {
    job.work();
  } catch (const std::exception&) {
    // Whoever waits for a result finds none.
  }
  show_signs(nullptr);
  // The loop's thread frees the job as soon as it hears of its end.
  const std::shared_ptr<Ended> ended = job.ended;
  const std::lock_guard lock(ended->mutex);
  ended->jobs.push_back(&job);
  if (ended->wake != nullptr) uv_async_send(ended->wake);
}

void Background::run(std::function<void()> work, std::function<void()> done) {
  auto job = std::make_unique<Job>();
  job->work = std::move(work);
  job->done = std::move(done);
  job->ended = ended_;
  job->seen_ms = processor_ms();
  jobs_.push_back(std::move(job));
  Job& running = *jobs_.back();
  running.has_thread = uv_thread_create(&running.thread, run_job, &running) == 0;
  if (!running.has_thread) {
    const std::lock_guard lock(ended_->mutex);
    ended_->jobs.push_back(&running);
    uv_async_send(ended_->wake);
  }
  if (uv_is_active(reinterpret_cast<uv_handle_t*>(timer_.get()))) return;
  uv_update_time(loop_);
  uv_timer_start(
      timer_.get(),
      [](uv_timer_t* timer) { static_cast<Background*>(timer->data)->look_at_signs(); },
      kLookEveryMs, kLookEveryMs);
}

void Background::take_ended() {
  std::vector<Job*> ended;
  {
    const std::lock_guard lock(ended_->mutex);
    ended.swap(ended_->jobs);
  }
  for (Job* job : ended) {
    const auto at = std::ranges::find(jobs_, job, &std::unique_ptr<Job>::get);
    if (at == jobs_.end()) continue;
    const std::unique_ptr<Job> own = std::move(*at);
    jobs_.erase(at);
    if (own->has_thread) uv_thread_join(&own->thread);
    if (!is_closing_) call_(own->done);
  }
  if (jobs_.empty()) uv_timer_stop(timer_.get());
}

void Background::look_at_signs() {
  const int64_t now = processor_ms();
  for (size_t j = jobs_.size(); j > 0; --j) {
    Job& job = *jobs_[j - 1];
    const uint64_t looks = job.signs.looks.load();
    if (!job.signs.is_held.load() || looks != job.seen_looks) {
      job.seen_looks = looks;
      job.seen_ms = now;
    } else if (now - job.seen_ms >= patience_.count()) {
      give_up(j - 1);
    }
  }
  if (jobs_.empty()) uv_timer_stop(timer_.get());
}

// With the lock, which the thread takes at its end: it is not stopped with it in its hands.
void Background::give_up(size_t at) {
  {
    const std::lock_guard lock(ended_->mutex);
    if (std::ranges::find(ended_->jobs, jobs_[at].get()) != ended_->jobs.end()) return;
    stop_thread(jobs_[at]->thread);
  }
  const Job* job = jobs_[at].release();  // its thread's for good
  jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(at));
  if (!is_closing_) call_(job->done);
}

}  // namespace etlens::uv
