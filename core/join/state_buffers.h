// SPDX-License-Identifier: Apache-2.0
// The state of a program by the model's buffers: which planned tensor is `layers.0.kv_cache.k_cache`,
// and which line computes its new value. A .pte names no buffer. It has the tensors of state in the
// order in which the record's graph has the buffers that it changes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/code/code.h"
#include "core/formats/etrecord/etrecord.h"
#include "core/formats/pte/program.h"

namespace etlens {

struct StateBuffer {
  uint32_t tensor = kNone;  // into ProgramMethod::tensors
  StringId input;           // what the graph calls the buffer's value
  StringId path;            // dotted path in the model
  StringId value;           // what the graph calls its new value
};

// In the order of tensors. Empty where the number of buffers, a shape or a data type
// differs: then no buffer is known.
std::vector<StateBuffer> state_buffers(const EtRecord& record, const Graph& graph,
                                       const ProgramMethod& program);
// Of the code's method; empty without a record.
std::vector<StateBuffer> state_buffers(const Code& code, const ProgramMethod& program);

// Null if the tensor is not one of them.
const StateBuffer* find_buffer(const std::vector<StateBuffer>& buffers, uint32_t tensor);

// One per buffer: the line of the node that computes its new value. Invalid where a delegate
// computes it, or a node without a line. `buffers`: of the code's method.
std::vector<LineId> lines_of_new_values(const Code& code, const std::vector<StateBuffer>& buffers);

// A line that computes the new value of a buffer.
struct StateWrite {
  LineId line;
  std::string_view buffer;  // dotted path in the model; of the code's record
  uint64_t bytes = 0;       // of the whole buffer
};

// Those with a line, by line.
std::vector<StateWrite> state_writes(const Code& code, const ProgramMethod& program);

}  // namespace etlens
