// SPDX-License-Identifier: Apache-2.0
// Mean and variance of a handful of numbers.
#pragma once

#include <numeric>
#include <span>

namespace etlens {

// Zero for none.
inline double mean(std::span<const double> values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Of the population that they are drawn from; zero for fewer than two.
inline double variance(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double centre = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return sum / static_cast<double>(values.size() - 1);
}

}  // namespace etlens
