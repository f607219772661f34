// SPDX-License-Identifier: Apache-2.0
// Loop: the one thread that owns everything mutable. Timers and results of background work run on
// it, one after the other.
#pragma once

#include <exception>
#include <functional>
#include <memory>

#include "rpc/timer_queue.h"

struct uv_loop_s;

namespace etlens::uv {

class Loop {
 public:
  // Manual: time stands still until advance(), so that tests never sleep.
  enum class Clock { Real, Manual };

  explicit Loop(Clock clock = Clock::Real);
  // Waits for background work that is still running, or gives it up; its `done` is not called.
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Until stop() is called.
  void run();
  void stop();

  // Since some fixed moment.
  Delay now() const;
  [[nodiscard]] Timer after(Delay delay, std::function<void()> action);
  // `work` runs on another thread and may touch only what it owns; then `done` runs here, once. It
  // finds no result if `work` threw; nor if it was given up, which happens to what is held to a
  // budget and no longer asks it. What such work owns is in use for good, and not to be touched.
  void run_in_background(std::function<void()> work, std::function<void()> done);
  // For tests: how much processor time passes until then.
  void set_patience(Delay processor_time);

  // What a timer or a result threw; the loop goes on with the next.
  void on_exception(std::function<void(const std::exception&)> handler);
  // For tests: calls every timer's and every result's action.
  void call_through(std::function<void(const std::function<void()>& action)> caller);

  // Whether some is still running or its `done` is still to come.
  bool has_background_work() const;

  bool has_stopped() const;

  // For tests: handles all that is ready and waits for background work, until nothing is left to do
  // but timers of the future.
  void run_until_idle();
  // Manual clock: lets time pass, firing timers when they are due.
  void advance(Delay duration);
  // Handles events until the predicate holds; false if `limit` passes before.
  bool run_until(const std::function<bool()>& predicate, Delay limit);

  uv_loop_s* raw();

 private:
  struct State;
  void arm();
  void call(const std::function<void()>& action);

  std::unique_ptr<State> state_;
};

// False if there is no process of that id.
bool is_process_alive(int64_t pid);

}  // namespace etlens::uv
