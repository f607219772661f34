// SPDX-License-Identifier: Apache-2.0
#include "rpc/uv/loop.h"

#include <csignal>

#include "core/base/assert.h"
#include "rpc/uv/background.h"
#include "rpc/uv/handle.h"

namespace etlens::uv {

struct Loop::State {
  uv_loop_t loop;
  Clock clock;
  TimerQueue timers;
  UvHandle<uv_timer_t> timer;  // armed for the first of the queue
  Delay manual_now{0};
  std::unique_ptr<Background> background;
  std::function<void(const std::exception&)> on_exception;
  std::function<void(const std::function<void()>&)> caller;
  bool stopped = false;
  bool closing = false;
};

Loop::Loop(Clock clock) : state_(std::make_unique<State>()) {
#ifdef SIGPIPE  // where the C library has no such signal, a write fails by itself
  // A client that dies must be an error of a write, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
#endif
  state_->clock = clock;
  ETLENS_ASSERT(uv_loop_init(&state_->loop) == 0);
  state_->timer.reset(new uv_timer_t);
  uv_timer_init(&state_->loop, state_->timer.get());
  state_->timer->data = this;
  state_->background = std::make_unique<Background>(
      &state_->loop, [this](const std::function<void()>& done) { call(done); });
}

Loop::~Loop() {
  state_->closing = true;
  state_->timer.reset();
  state_->background.reset();
  uv_run(&state_->loop, UV_RUN_DEFAULT);
  ETLENS_ASSERT(uv_loop_close(&state_->loop) == 0);  // a handle outlived the loop
}

void Loop::run() {
  arm();
  while (!state_->stopped) uv_run(&state_->loop, UV_RUN_ONCE);
}

void Loop::stop() {
  state_->stopped = true;
  uv_stop(&state_->loop);
}

bool Loop::has_stopped() const { return state_->stopped; }

Delay Loop::now() const {
  if (state_->clock == Clock::Manual) return state_->manual_now;
  return Delay(uv_hrtime() / 1'000'000);
}

Timer Loop::after(Delay delay, std::function<void()> action) {
  Timer timer =
      state_->timers.add(now() + delay, [this, action = std::move(action)] { call(action); });
  arm();
  return timer;
}

// Sets the one libuv timer to when the first of ours is due. With a manual clock nothing is due by
// itself.
void Loop::arm() {
  if (state_->clock == Clock::Manual || state_->closing) return;
  const std::optional<Delay> due = state_->timers.next();
  if (!due) {
    uv_timer_stop(state_->timer.get());
    return;
  }
  const Delay wait = std::max(*due - now(), Delay(0));
  uv_update_time(&state_->loop);
  uv_timer_start(
      state_->timer.get(),
      [](uv_timer_t* timer) {
        auto* loop = static_cast<Loop*>(timer->data);
        const Delay now = loop->now();
        while (loop->state_->timers.fire_one(now)) {
        }
        loop->arm();
      },
      static_cast<uint64_t>(wait.count()), 0);
}

void Loop::run_in_background(std::function<void()> work, std::function<void()> done) {
  state_->background->run(std::move(work), std::move(done));
}

void Loop::set_patience(Delay processor_time) { state_->background->set_patience(processor_time); }

// libuv is C: nothing may be thrown through it.
void Loop::call(const std::function<void()>& action) {
  try {
    if (state_->caller) state_->caller(action);
    else action();
  } catch (const std::exception& exception) {
    if (state_->on_exception) state_->on_exception(exception);
  }
}

void Loop::on_exception(std::function<void(const std::exception&)> handler) {
  state_->on_exception = std::move(handler);
}

void Loop::call_through(std::function<void(const std::function<void()>&)> caller) {
  state_->caller = std::move(caller);
}

bool Loop::has_background_work() const { return state_->background->is_busy(); }

void Loop::run_until_idle() {
  while (true) {
    const bool fired = state_->timers.fire_one(now());
    const bool waits = has_background_work();
    uv_run(&state_->loop, waits && !fired ? UV_RUN_ONCE : UV_RUN_NOWAIT);
    if (fired || waits || has_background_work()) continue;
    const std::optional<Delay> due = state_->timers.next();
    if (!due || *due > now()) return;
  }
}

void Loop::advance(Delay duration) {
  ETLENS_ASSERT(state_->clock == Clock::Manual);
  const Delay end = state_->manual_now + duration;
  run_until_idle();
  for (auto due = state_->timers.next(); due && *due <= end; due = state_->timers.next()) {
    state_->manual_now = std::max(state_->manual_now, *due);
    run_until_idle();
  }
  state_->manual_now = end;
}

bool Loop::run_until(const std::function<bool()>& predicate, Delay limit) {
  const uint64_t end = uv_hrtime() + static_cast<uint64_t>(limit.count()) * 1'000'000;
  bool expired = false;
  UvHandle<uv_timer_t> deadline(new uv_timer_t);
  uv_timer_init(&state_->loop, deadline.get());
  deadline->data = &expired;
  uv_timer_start(
      deadline.get(), [](uv_timer_t* timer) { *static_cast<bool*>(timer->data) = true; },
      static_cast<uint64_t>(limit.count()), 0);
  arm();
  while (!predicate()) {
    if (expired || uv_hrtime() >= end) return false;
    uv_run(&state_->loop, UV_RUN_ONCE);
  }
  return true;
}

uv_loop_s* Loop::raw() { return &state_->loop; }

bool is_process_alive(int64_t pid) {
  if (pid <= 0 || pid > INT32_MAX) return false;
  return uv_kill(static_cast<int>(pid), 0) != UV_ESRCH;
}

}  // namespace etlens::uv
