// SPDX-License-Identifier: Apache-2.0
// The delegate calls of a profile: what each runs, and how much of its time its events explain.
#pragma once

#include <vector>

#include "core/join/operator_placer.h"
#include "core/join/profile.h"

namespace etlens {

// One row per delegate instruction that the block executed or the method's map names, in
// instruction order. Context and operators are null without a record.
std::vector<PartitionRow> build_partitions(const Profile& profile, const MethodContext* context,
                                           const OperatorPlacer* operators);

// The row of an instruction; invalid if there is none.
PartitionId find_partition(const Profile& profile, int32_t instruction);

// Fills events and sums from the finished events.
void sum_partitions(Profile& profile);

// Fills PartitionRow::unreported_nodes from the finished events.
void find_unreported(Profile& profile);

}  // namespace etlens
