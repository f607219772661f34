// SPDX-License-Identifier: Apache-2.0
// CancelToken: a flag that the one who waits sets and the one who works looks at now and then.
#pragma once

#include <atomic>
#include <memory>

namespace etlens {

class CancelToken {
 public:
  CancelToken() : flag_(std::make_shared<std::atomic<bool>>(false)) {}

  void cancel() const { flag_->store(true, std::memory_order_relaxed); }
  bool cancelled() const { return flag_->load(std::memory_order_relaxed); }

 private:
  std::shared_ptr<std::atomic<bool>> flag_;  // shared with every copy of the token
};

}  // namespace etlens
