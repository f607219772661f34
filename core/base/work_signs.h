// SPDX-License-Identifier: Apache-2.0
// WorkSigns: what another thread sees of work that is held to a budget (core/base/budget.h): that
// it is, and how often the budget was asked. Work that asks no more does not end by itself.
#pragma once

#include <atomic>
#include <cstdint>

namespace etlens {

struct WorkSigns {
  std::atomic<uint64_t> looks{0};
  std::atomic<bool> is_held{false};  // to a budget
};

// The signs of this thread's work from now on, which outlive it; null: nobody sees any.
void show_signs(WorkSigns* signs);

}  // namespace etlens
