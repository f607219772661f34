// SPDX-License-Identifier: Apache-2.0
// Statistics over executions, computed as numpy does (percentiles with linear interpolation).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace etlens {

struct PerfData {
  double p10 = 0;
  double p50 = 0;
  double p90 = 0;
  double avg = 0;
  double min = 0;
  double max = 0;
};

// `values` in the order of the executions; the mean is summed pairwise, as numpy sums.
PerfData perf_data(std::span<const double> values);

// The percentile q (0..100) of ascending values.
double percentile(std::span<const double> sorted, double q);

// numpy's pairwise sum: the result depends on the order of additions, and this is its order.
double pairwise_sum(std::span<const double> values);

}  // namespace etlens
