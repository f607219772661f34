// SPDX-License-Identifier: Apache-2.0
#include "core/measure/histogram.h"

#include <algorithm>

namespace etlens {

Histogram histogram(std::span<const double> values) {
  Histogram result;
  if (values.empty()) return result;
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  result.min = *min;
  result.max = *max;
  const double width = result.max - result.min;
  for (const double value : values) {
    const double at = width > 0 ? (value - result.min) / width * Histogram::kBins : 0;
    ++result.counts[std::min(static_cast<size_t>(at), Histogram::kBins - 1)];
  }
  return result;
}

}  // namespace etlens
