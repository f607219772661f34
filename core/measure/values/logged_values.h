// SPDX-License-Identifier: Apache-2.0
// The values that the executions of a block logged, each with what made it: its event, the node,
// the line. Bytes are read later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/debug_buffer/debug_buffer.h"
#include "core/formats/etrecord/output_counts.h"
#include "core/join/join.h"
#include "core/measure/values/value_graph.h"

namespace etlens {

enum class ValueRole : uint8_t {
  Output,   // of a kernel or a delegate call
  Input,    // of a delegate call, which logs all its arguments; something else made it
  Program,  // what the method returned
};
// "output", "input", "program".
std::string_view name_of(ValueRole role);

struct LoggedValue {
  uint32_t execution = 0;  // index among the block's
  ContributionId event;    // that logged it; invalid for what the method returned, and where only
                           // values were logged
  std::optional<Instruction> instruction;
  std::string delegate_id;           // by which a delegate logged it without an event; else ""
  std::vector<DebugHandle> handles;  // that the delegate map has for `delegate_id`
  uint32_t output = 0;               // which of the values that the event logged, lists taken apart
  ValueRole role = ValueRole::Output;
  NodeOutput made_by;  // invalid where nothing tells
  LineId line;         // of that node
  Confidence confidence = Confidence::Exact;
  int scalar_type = 0;
  std::vector<int64_t> sizes;
  bool is_number = false;              // a number of its own, no tensor
  std::optional<StoredTensor> tensor;  // nothing if it cannot be read
  std::string problem;                 // why not, a sentence without its subject
};

struct LoggedValuesRequest {
  const Join& join;
  const ValueGraph& graph;              // of the join's code
  const DebugBuffer* buffer = nullptr;  // null: types and shapes only
  OutputCounts output_counts;           // of delegate calls
};

// In the order in which they were logged, execution after execution.
std::vector<LoggedValue> logged_values(const LoggedValuesRequest& request);

// The debug handles that the record's maps have for what logged the value: a delegate's id, else
// the instruction.
std::vector<DebugHandle> handles_of(const Join& join, const LoggedValue& value);

}  // namespace etlens
