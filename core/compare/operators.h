// SPDX-License-Identifier: Apache-2.0
// Changes of operators within lines, and of delegate calls.
#pragma once

#include <vector>

#include "core/compare/comparer.h"

namespace etlens {

// Of `comparison` the match and the lines are read.
std::vector<OperatorChange> operator_changes(const Comparer& comparer,
                                             const Comparison& comparison);

// Calls correspond where most of their nodes do; of the same export, by instruction.
std::vector<PartitionChange> partition_changes(const Comparer& comparer,
                                               const Comparison& comparison);

}  // namespace etlens
