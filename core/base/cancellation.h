// SPDX-License-Identifier: Apache-2.0
// CancelToken: a flag that the one who waits sets and the one who works looks at now and then; and
// how often that one did, so that the other sees whether it still can be told.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace etlens {

class CancelToken {
 public:
  CancelToken() : state_(std::make_shared<State>()) {}

  void cancel() const { state_->is_cancelled.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return state_->is_cancelled.load(std::memory_order_relaxed); }

  // By the one who works.
  void note_look() const { state_->looks.fetch_add(1, std::memory_order_relaxed); }
  uint64_t looks() const { return state_->looks.load(std::memory_order_relaxed); }

 private:
  struct State {
    std::atomic<bool> is_cancelled{false};
    std::atomic<uint64_t> looks{0};
  };
  std::shared_ptr<State> state_;  // shared with every copy of the token
};

}  // namespace etlens
