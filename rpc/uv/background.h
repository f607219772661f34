// SPDX-License-Identifier: Apache-2.0
// Background: a loop's work on other threads, one thread for each, whose end the loop's thread
// hears of. Work that is held to a budget and asks it no more is given up: its thread is stopped
// for good, so that it uses no processor, and what it holds is kept.
#pragma once

#include <uv.h>

#include <functional>
#include <memory>
#include <vector>

#include "rpc/timer_queue.h"
#include "rpc/uv/handle.h"

namespace etlens::uv {

class Background {
 public:
  // Calls the `done` of work that has ended, on the loop's thread.
  using Call = std::function<void(const std::function<void()>& done)>;

  Background(uv_loop_t* loop, Call call);
  // Waits for what is running, or gives it up. Nothing more is called.
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // `done` is called once, also if `work` threw, was given up, or the system has no more threads.
  void run(std::function<void()> work, std::function<void()> done);
  bool is_busy() const { return !jobs_.empty(); }
  // How much processor time the process uses before work that does not ask is given up.
  void set_patience(Delay patience) { patience_ = patience; }

 private:
  struct Job;
  struct Ended;
  static void run_job(void* job);
  void take_ended();
  void look_at_signs();
  void give_up(size_t at);

  uv_loop_t* loop_;
  Call call_;
  Delay patience_{10'000};
  std::vector<std::unique_ptr<Job>> jobs_;  // that are running
  std::shared_ptr<Ended> ended_;            // shared with their threads
  UvHandle<uv_timer_t> timer_;
  bool is_closing_ = false;
};

}  // namespace etlens::uv
