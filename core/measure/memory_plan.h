// SPDX-License-Identifier: Apache-2.0
// MemoryPlan: how much of the memory that the exporter planned for a method is in use at every
// instruction, and by what. All from the program alone.
//
// Bytes in use are the union of what lives: views share their base's bytes, and tensors that a
// damaged plan puts over each other count once. They are never more than the buffer has.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/load_report.h"
#include "core/formats/pte/program.h"
#include "core/measure/lifetimes.h"

namespace etlens {

struct PlannedTensor {
  uint32_t tensor = 0;   // into ProgramMethod::tensors
  Lifetime life;         // view_of: into ProgramMethod::tensors
  uint64_t at_peak = 0;  // its bytes in use at the plan's peak; 0 for those of another tensor
};

struct PlannedBuffer {
  uint32_t id = 0;                // memory id
  uint64_t size = 0;              // what the runtime has to provide
  std::vector<uint64_t> live;     // bytes in use, by instruction
  uint64_t peak = 0;              // the most of them
  uint32_t peak_instruction = 0;  // the first with that many
  uint64_t highest_end = 0;       // of all its tensors
  uint64_t without_reuse = 0;     // what they would take if each had bytes of its own
};

struct MemoryPlan {
  std::vector<PlannedTensor> tensors;  // in the order of values
  std::vector<PlannedBuffer> buffers;  // by memory id, without the placeholder
  std::vector<uint32_t> unplanned;     // values of tensors that are neither planned nor constant
  uint64_t peak = 0;                   // of all buffers together
  uint32_t peak_instruction = 0;
  LoadReport report;  // tensors outside their buffers or over each other
};

MemoryPlan plan_memory(const ProgramMethod& method);

}  // namespace etlens
