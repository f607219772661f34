// SPDX-License-Identifier: Apache-2.0
// Builds in order, and where what a place takes changed between two of them: the dumps before a
// point are held against those after it by ranks, within strata (van Elteren's test: Wilcoxon's
// rank sum, device against the same device).
#pragma once

#include <cstddef>
#include <vector>

namespace etlens {

inline constexpr size_t kTrendDumps = 10;  // on either side, for a point to be looked at

// Values of one place in the dumps of one stratum, by build: logarithms.
struct Stratum {
  std::vector<std::vector<double>> builds;
};

struct Split {
  size_t at = 0;  // the first build after it
  double p = 1;   // times the number of points
};

// The likeliest point between builds of [first, end).
Split best_split(const std::vector<Stratum>& strata, size_t first, size_t end);

// How far the medians after the point are from those before it, a fraction; strata with more dumps
// count more.
double change_at(const std::vector<Stratum>& strata, size_t first, size_t split, size_t end);

}  // namespace etlens
