// SPDX-License-Identifier: Apache-2.0
// The measure of memory: what is in use when a method's planned memory peaks. A contribution is a
// planned tensor; it lands on the line of the node that makes it. Its amount is the bytes that it
// has in use at the peak, so that all of them add up to the peak. What inputs and state take is a
// part of its own: no line makes them.
#pragma once

#include <memory>

#include "core/code/code.h"
#include "core/join/state_buffers.h"
#include "core/measure/measure.h"
#include "core/measure/memory_plan.h"

namespace etlens {

inline constexpr std::string_view kMemoryId = "memory";

struct MemoryMeasure {
  MemoryPlan plan;
  std::vector<StateBuffer> state;  // empty if the record does not name the program's state
  // One contribution per row of plan.tensors, in both. The one sample is the peak.
  Measure at_peak;
  // The same contributions with all their bytes, whenever they are in use. Views have none.
  Measure made;
};

// `code` is that of the method, or of its delegate calls alone (code_of_program).
MemoryMeasure measure_memory(std::shared_ptr<const Code> code, const ProgramMethod& method);

}  // namespace etlens
