// SPDX-License-Identifier: Apache-2.0
// SourceWorker: looks at sources for all of a session's Sources. In place what is done in a moment,
// the rest in the background, one after the other, so that many files that cost much cost one
// processor and the memory of one.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>

#include "rpc/timer_queue.h"
#include "server/session/source_job.h"

namespace etlens {

class SourceWorker {
 public:
  // Runs `work` on another thread, then `done` on the loop thread.
  using Background = std::function<void(std::function<void()> work, std::function<void()> done)>;
  struct Options {
    Background background;
    // Calls `action` later; without a delay when the loop is done with what it does now.
    std::function<Timer(Delay delay, std::function<void()> action)> after;
    int64_t at_once_ns = 0;  // of processor time, for all that the loop does in one go
    // A source was looked at in the background; `differs`: what was shown of it may not be right.
    std::function<void(const lsp::DocumentUri&, bool differs)> looked_at;
  };

  explicit SourceWorker(const FileSystem& files) : files_(files) {}
  ~SourceWorker() { shut(); }
  SourceWorker(const SourceWorker&) = delete;
  SourceWorker& operator=(const SourceWorker&) = delete;

  // Until then everything is done in place, however long it takes.
  void start(Options options);
  // True if it is done.
  bool run_at_once(SourceJob& job);
  // Takes what may be large, and nobody looks at any more: to free it may take long, too.
  void release(std::shared_ptr<const void> old);
  // `done` comes later, once; never after shut().
  void add(std::shared_ptr<SourceJob> job, std::function<void()> done);
  void tell(const lsp::DocumentUri& uri, bool differs) const {
    if (options_.looked_at) options_.looked_at(uri, differs);
  }
  // Calls `action` later, unless the timer is gone by then.
  [[nodiscard]] Timer after(Delay delay, std::function<void()> action) const {
    return options_.after ? options_.after(delay, std::move(action)) : Timer();
  }
  // Nothing is looked at any more.
  void shut();
  bool is_busy() const { return running_ != nullptr; }

 private:
  struct Waiting {
    std::shared_ptr<SourceJob> job;
    std::function<void()> done;
  };
  void next();

  const FileSystem& files_;
  Options options_;
  int64_t left_ns_ = 0;  // of the time for what is done in place
  Timer refill_;
  std::shared_ptr<SourceJob> running_;
  std::deque<Waiting> waiting_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace etlens
