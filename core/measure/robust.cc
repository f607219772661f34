// SPDX-License-Identifier: Apache-2.0
#include "core/measure/robust.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace etlens {

double quantile_of(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(place);
  const auto at = values.begin() + static_cast<ptrdiff_t>(below);
  std::nth_element(values.begin(), at, values.end());
  if (below + 1 == values.size()) return *at;
  const double next = *std::min_element(at + 1, values.end());
  return *at + (next - *at) * (place - static_cast<double>(below));
}

double weighted_quantile_of(const std::vector<double>& values, const std::vector<double>& weights,
                            double q) {
  std::vector<uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return values[a] < values[b]; });
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  double below = 0;
  for (const uint32_t i : order) {
    if ((below += weights[i]) >= q * sum) return values[i];
  }
  return order.empty() ? 0 : values[order.back()];
}

}  // namespace etlens
