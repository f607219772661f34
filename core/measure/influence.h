// SPDX-License-Identifier: Apache-2.0
// Influence: how much each sample has to do with a statistic. The statistic's error is nearly the
// mean of the influences, so a sum of statistics has the sums of influences, and what is slow
// together stays together. No sample is drawn again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/measure/statistic.h"

namespace etlens {

struct Influences {
  std::vector<double> of_value;  // one per value, in its unit; their mean is nearly 0
  double kept = 0;               // values that the statistic is made of
};

// Of the statistic of `values` (at least one); `slack` as summarize has it. `found` is overwritten:
// a caller that asks often keeps its memory.
//
//   mean      the distance to the mean
//   typical   the distance to the mean of what is kept, 0 beyond the limit; and how much the limit
//             moves with the value, times how many values lie there
//   median    one amount above, the same below: what an interval of order statistics is wide
//   min, max  of the one value that it is, the distance to the next: what is lost without it
void find_influences(std::span<const int64_t> values, Statistic statistic, int64_t slack,
                     Influences& found);

}  // namespace etlens
