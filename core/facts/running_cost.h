// SPDX-License-Identifier: Apache-2.0
// The running sum of a ranking: what its first rows amount to together.
#pragma once

#include "core/facts/facts.h"

namespace etlens {

class RunningCost {
 public:
  explicit RunningCost(const Facts& facts) : facts_(facts) {}

  // `next`: of something that shares no contribution with what was added before.
  Cost add(const Cost& next) {
    total_ += {next.amount, next.disturbance};
    return facts_.cost(total_);
  }

 private:
  const Facts& facts_;
  Total total_;
};

}  // namespace etlens
