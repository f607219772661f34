// SPDX-License-Identifier: Apache-2.0
#include "core/base/perf_data.h"

#include <algorithm>
#include <cmath>

namespace etlens {
namespace {

constexpr size_t kBlock = 128;  // numpy's PW_BLOCKSIZE

}  // namespace

double pairwise_sum(std::span<const double> values) {
  const size_t n = values.size();
  if (n < 8) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
  }
  if (n <= kBlock) {
    double r[8];
    for (size_t i = 0; i < 8; ++i) r[i] = values[i];
    size_t i = 8;
    for (; i < n - n % 8; i += 8) {
      for (size_t k = 0; k < 8; ++k) r[k] += values[i + k];
    }
    double sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (; i < n; ++i) sum += values[i];
    return sum;
  }
  size_t half = n / 2;
  half -= half % 8;
  return pairwise_sum(values.first(half)) + pairwise_sum(values.subspan(half));
}

double percentile(std::span<const double> sorted, double q) {
  const double k = static_cast<double>(sorted.size() - 1) * q / 100;
  const auto below = static_cast<size_t>(std::floor(k));
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (k - std::floor(k)) * (sorted[above] - sorted[below]);
}

PerfData perf_data(std::span<const double> values) {
  if (values.empty()) return {};
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return {percentile(sorted, 10), percentile(sorted, 50),
          percentile(sorted, 90), pairwise_sum(values) / static_cast<double>(values.size()),
          sorted.front(),         sorted.back()};
}

}  // namespace etlens
