// SPDX-License-Identifier: Apache-2.0
// Where error begins. Everything behind a bad layer is bad: what a node's output has of error is
// set against what its inputs had, and the final error is followed back to the nodes that made it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/measure/values/logged_values.h"
#include "core/measure/values/value_gap.h"

namespace etlens {

struct ErrorOrigin {
  NodeOutput value;                  // behind which the error is first seen
  double made = 0;                   // share of the final error that was made here, 0 to 1
  std::optional<double> snr_before;  // dB, of the worst input; nothing if no input is in error
  double snr_after = 0;              // dB
  // What ran between the inputs that were logged and the value: the node itself, and for a delegate
  // call those before it inside the call. The heaviest operator's place first.
  std::vector<NodeId> nodes;
  LineId line;                // of that operator; invalid if nothing says
  std::vector<LineId> lines;  // of all of them, each once
};

// `gaps`: one per value. Ranked by what was made, then in the order of execution; only those that
// made at least a millionth of it. All shares add up to 1, unless nothing is wrong.
//
// A node may pass on a little more error than it got (relative to its output), so it makes only
// what its inputs cannot explain: of error that every operator makes alike, like the rounding of a
// quantized network, most begins at the first.
std::vector<ErrorOrigin> find_error_origins(const Join& join, const ValueGraph& graph,
                                            std::span<const LoggedValue> values,
                                            std::span<const std::optional<Gap>> gaps);

}  // namespace etlens
