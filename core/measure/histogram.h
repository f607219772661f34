// SPDX-License-Identifier: Apache-2.0
// How the executions of a block spread: counts over equal steps from the quickest to the slowest.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace etlens {

struct Histogram {
  static constexpr size_t kBins = 24;

  double min = 0;  // in ticks
  double max = 0;
  std::array<uint32_t, kBins>
      counts{};  // of values in [min, max]; all in the first if they are equal
};

// All zero for no values.
Histogram histogram(std::span<const double> values);

}  // namespace etlens
