// SPDX-License-Identifier: Apache-2.0
// Two groups of few values: did the second move? Wilcoxon's rank sum test, exact also with ties,
// and what goes with it: the Hodges-Lehmann shift and the interval of all shifts that the test
// would not reject. Nothing is assumed of the values but that without a change the groups could be
// swapped, and one odd value cannot decide anything.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace etlens {

// Two-sided. 1 if a group is empty.
double rank_sum_p(std::span<const double> before, std::span<const double> after);

// The least that rank_sum_p can be for groups of these sizes, whatever the values are.
double least_rank_sum_p(size_t before, size_t after);

// The median of all differences after - before; 0 if a group is empty.
double median_shift(std::span<const double> before, std::span<const double> after);

struct ShiftRange {
  double low = 0;
  double high = 0;
};
// The shifts that the test does not reject at `level`; nullopt if the groups are too small for it
// to reject anything.
std::optional<ShiftRange> shift_range(std::span<const double> before, std::span<const double> after,
                                      double level);

}  // namespace etlens
