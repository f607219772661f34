// SPDX-License-Identifier: Apache-2.0
// The machine is not the change: when a phone is hot or a neighbour is busy, everything takes
// longer at once. Places that do the same work on both sides tell how much: each dump has a level,
// a trimmed mean over these places of the logarithm of what they took, against what they usually
// take.
//
// What all places agree on is the machine, what some do alone is a change: so it is lines that
// vote, not time, and a line that most of the time is on has no more to say than another.
#pragma once

#include <cstdint>
#include <vector>

#include "core/compare/shift.h"

namespace etlens {

// A place that does the same work on both sides.
struct EqualWork {
  PerDump values;      // logarithms
  double share = 0;    // of the time of the side that has less
  uint32_t voter = 0;  // places with one voter share its vote: those of one line
};

struct Machine {
  bool is_known = false;  // enough places do the same work
  PerDump level;          // of each dump, a logarithm; zeros if it is not known
  PerDump total_level;    // likewise of everything, calls into the runtime too
  double factor = 1;      // the new side's level over the base's: 1.4 is slower
  double low = 1;         // 95 %: had other places been seen
  double high = 1;
  size_t places = 0;  // that tell
};

// The level of each dump, with places that did not move as the others left out by who asks. The
// median is right as long as most voters are; the mean is without the extremes, and says more where
// clocks are so coarse that most places do not move at all.
enum class LevelCentre : uint8_t { Median, TrimmedMean };
PerDump levels_of(const std::vector<EqualWork>& places, size_t before, size_t after,
                  LevelCentre centre);
inline constexpr size_t kLeastLevelPlaces = 5;  // fewer do not tell the machine from a change

// `share`: of all time, the least that operators which do the same work are of either side.
// `calls`: into the runtime, of the same program; `calls_share`: of all time.
struct MachineQuestion {
  std::vector<EqualWork> work;  // calls are among them
  double share = 0;
  std::vector<EqualWork> calls;
  double calls_share = 0;
  size_t dumps_before = 0;
  size_t dumps_after = 0;
};
Machine find_machine(const MachineQuestion& question);

}  // namespace etlens
