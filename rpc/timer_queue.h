// SPDX-License-Identifier: Apache-2.0
// TimerQueue: what is to be done when. Knows no clock, so that a test can be its clock.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace etlens {

using Delay = std::chrono::milliseconds;

// A timer that is due once. Destroying or overwriting it cancels it.
class Timer {
 public:
  Timer() = default;
  Timer(Timer&& other) noexcept = default;
  Timer& operator=(Timer&& other) noexcept {
    cancel();
    entry_ = std::move(other.entry_);
    return *this;
  }
  ~Timer() { cancel(); }

  void cancel() {
    if (entry_) entry_->action = nullptr;
    entry_.reset();
  }
  // True until it fired or was cancelled.
  bool pending() const { return entry_ && entry_->action; }

 private:
  friend class TimerQueue;
  struct Entry {
    std::function<void()> action;
  };
  explicit Timer(std::shared_ptr<Entry> entry) : entry_(std::move(entry)) {}

  std::shared_ptr<Entry> entry_;
};

class TimerQueue {
 public:
  [[nodiscard]] Timer add(Delay due, std::function<void()> action) {
    auto entry = std::make_shared<Timer::Entry>(Timer::Entry{std::move(action)});
    entries_.emplace(due, entry);
    return Timer(std::move(entry));
  }

  // When the next timer is due; cancelled ones are forgotten.
  std::optional<Delay> next() {
    while (!entries_.empty() && !entries_.begin()->second->action) entries_.erase(entries_.begin());
    if (entries_.empty()) return std::nullopt;
    return entries_.begin()->first;
  }

  // Fires the first timer that is due at `now`; false if none is. Timers that are due together fire
  // in the order in which they were made.
  bool fire_one(Delay now) {
    const std::optional<Delay> due = next();
    if (!due || *due > now) return false;
    const std::shared_ptr<Timer::Entry> entry = std::move(entries_.begin()->second);
    entries_.erase(entries_.begin());
    const std::function<void()> action = std::exchange(entry->action, nullptr);
    action();
    return true;
  }

 private:
  std::multimap<Delay, std::shared_ptr<Timer::Entry>> entries_;
};

}  // namespace etlens
