// SPDX-License-Identifier: Apache-2.0
// Statistics that a few wild values do not move.
#pragma once

#include <vector>

namespace etlens {

// The value below which a share of `q` lies, from 0 to 1, between neighbours by their distance. 0 of
// none. Linear.
double quantile_of(std::vector<double> values, double q);

// The least value that has a share of `q` of the weights at or below it. 0 of none. The weights are as
// many as the values, positive.
double weighted_quantile_of(const std::vector<double>& values, const std::vector<double>& weights,
                            double q);

}  // namespace etlens
