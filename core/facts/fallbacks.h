// SPDX-License-Identifier: Apache-2.0
// Operators that ran on the CPU between two calls of one backend, so that the data left the
// accelerator and came back.
#pragma once

#include <vector>

#include "core/measure/measure.h"
#include "core/workspace/study.h"

namespace etlens {

struct FallbackGap {
  PartitionId before;  // the delegate calls around
  PartitionId after;
  std::vector<ContributionId> events;  // in the order of execution
  Sum sum;
};
// In the order of execution. An event that runs in several gaps is in the first one.
std::vector<FallbackGap> find_fallback_gaps(const Join& join, const Measure& measure);

// What one line has of one gap.
struct GapOfLine {
  PartitionId before;
  PartitionId after;
  std::vector<ContributionId> events;  // the most costly first
  Sum sum;
};

struct LineFallback {
  LineId line;
  std::vector<GapOfLine> gaps;  // in the order of execution; never empty
  Sum sum;                      // of all gaps
};
// Ascending by line.
std::vector<LineFallback> fallbacks_of_lines(const std::vector<FallbackGap>& gaps,
                                             const Measure& measure);

}  // namespace etlens
