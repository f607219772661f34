// SPDX-License-Identifier: Apache-2.0
#include "core/compare/both_histograms.h"

#include <algorithm>
#include <vector>

#include "core/compare/comparer.h"

namespace etlens {
namespace {

// What each sample of the side took at the operations.
std::vector<double> sums_of(const Side& side, const Operations& operations, TimeScale scale) {
  const double factor = scale_factor(side.clock, scale);
  std::vector<double> sums;
  for (const std::vector<float>& sample : side.samples) {
    double sum = 0;
    for (const uint32_t i : operations) {
      if (i < sample.size()) sum += static_cast<double>(sample[i]);
    }
    sums.push_back(sum / factor);
  }
  return sums;
}

Operations operations_of(const std::vector<Operations>& of_line, const std::vector<LineId>& lines) {
  std::vector<const Operations*> parts;
  for (const LineId line : lines) parts.push_back(&of_line[line.value]);
  return merged(parts);
}

void count(const std::vector<double>& values, double min, double max, BothHistograms::Side& side) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  side.least = *least;
  side.most = *most;
  const double width = (max - min) / static_cast<double>(Histogram::kBins);
  for (const double value : values) {
    const size_t bin = width > 0 ? static_cast<size_t>((value - min) / width) : 0;
    ++side.counts[std::min(bin, Histogram::kBins - 1)];
  }
}

}  // namespace

std::optional<BothHistograms> histograms_of(const Comparison& comparison, const LineChange& line,
                                            bool is_inclusive) {
  if (line.before.empty() || line.after.empty()) return std::nullopt;
  const OperationIndex& index_before = comparison.index_before;
  const OperationIndex& index_after = comparison.index_after;
  const std::vector<double> before = sums_of(
      *comparison.before,
      operations_of(is_inclusive ? index_before.through_line : index_before.of_line, line.before),
      comparison.scale);
  const std::vector<double> after = sums_of(
      *comparison.after,
      operations_of(is_inclusive ? index_after.through_line : index_after.of_line, line.after),
      comparison.scale);
  if (before.empty() || after.empty()) return std::nullopt;
  BothHistograms both;
  both.min = std::min(*std::min_element(before.begin(), before.end()),
                      *std::min_element(after.begin(), after.end()));
  both.max = std::max(*std::max_element(before.begin(), before.end()),
                      *std::max_element(after.begin(), after.end()));
  count(before, both.min, both.max, both.before);
  count(after, both.min, both.max, both.after);
  return both;
}

}  // namespace etlens
