// SPDX-License-Identifier: Apache-2.0
// Cost: an amount as surfaces show it. Made by Facts alone.
#pragma once

#include "core/measure/amount.h"

namespace etlens {

struct Cost {
  Amount amount;       // of the statistic, summed over the samples used
  Amount disturbance;  // what the samples had beyond
  double value = 0;    // the amount as one number, in the quantity's unit (ticks of an execution)
  double share = 0;    // of everything that was measured, disturbance aside
  double below = 0;    // of what ran and has no amount: it is less than this; else 0
};

// Of a whole that is nothing, 0.
inline double fraction_of(Amount part, Amount whole) {
  return whole.value == 0 ? 0 : static_cast<double>(part.value) / static_cast<double>(whole.value);
}

}  // namespace etlens
