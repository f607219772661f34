// SPDX-License-Identifier: Apache-2.0
// What both ways of filling the Inspector's table share.
#pragma once

#include <string>
#include <vector>

#include "core/inspector/inspector.h"

namespace etlens {

// The operator as the Inspector prints it: the target's Python __name__.
std::string op_type_of(const EtRecord& record, NodeId node);

// Appends a summary of each tensor or number of a logged value; reads the debug buffer if there is
// one.
void append_summaries(const InspectorRequest& request, const DebugValue& value,
                      std::vector<TensorSummary>& summaries);

}  // namespace etlens
