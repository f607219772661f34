// SPDX-License-Identifier: Apache-2.0
// Advice: what to look at first. Each finding follows from facts alone, has the time that it is
// about, and says how that time was worked out. Nothing is recommended that nothing measured.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts/headline.h"

namespace etlens {

enum class AdviceKind : uint8_t {
  Fallback,      // operators on the CPU between two calls of one backend
  SmallCall,     // delegate calls that take longer to enter and leave than they work
  DataMovement,  // copies and permutations that compute nothing
  ConstantWork,  // computed anew in every execution from what never changes
  FloatIsland,   // products in floating point in a method that has quantized ones
  Quantizing,    // quantize and dequantize operators that run by themselves
  Loading,       // loading the program takes as long as many executions
  NotDelegated,  // operators that the partitioner left to the CPU
  HelperLines,   // the record has no lines inside functions that `forward` calls
  FewSamples,    // too few executions to say how far numbers repeat
  Disturbed,     // much of what the executions took is disturbance
};
// "fallback", "small-call", …: stable; the section of docs/advice.md.
std::string_view name_of(AdviceKind kind);

inline constexpr size_t kMostAdvice = 7;

struct Advice {
  AdviceKind kind = AdviceKind::Fallback;
  std::string subject;  // what it is about: operators, a backend; "" for the whole
  std::string reason;   // why operators are not delegated; "" where that is not known
  std::string remedy;   // what one can do about it; "" for nothing
  Cost work;            // what the operators or calls themselves take
  Cost overhead;        // of delegate calls that would go with it
  Cost at_most;         // that could be won in one execution; nothing for findings about the record
  uint32_t count = 0;   // of gaps, calls, operators; of samples; of executions as long as loading
  double occurrences = 0;               // of `events`, per execution
  std::vector<ContributionId> events;   // the most costly first
  std::vector<LineId> lines;            // likewise, by what the finding is about
  std::vector<PartitionId> partitions;  // in instruction order
};

// At most seven: first what could be won, the most first, then what limits what can be said. Of an
// export that has not run: why operators are not delegated, the most of them first. Of other facts
// than these and the events of a dump none.
std::vector<Advice> advise(const Facts& facts, const Headline& head);

}  // namespace etlens
