// SPDX-License-Identifier: Apache-2.0
// The executions of both sides at one place, on one axis.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/compare/compare.h"
#include "core/measure/histogram.h"

namespace etlens {

struct BothHistograms {
  struct Side {
    double least = 0;  // in the comparison's scale
    double most = 0;
    std::array<uint32_t, Histogram::kBins> counts{};  // of [min, max]
  };
  double min = 0;
  double max = 0;
  Side before;
  Side after;
};

// Of a line: its own time, or with what it calls. nullopt where a side kept no samples, and for
// lines that are gone or new.
std::optional<BothHistograms> histograms_of(const Comparison& comparison, const LineChange& line,
                                            bool is_inclusive);

}  // namespace etlens
