// SPDX-License-Identifier: Apache-2.0
// The tables of `etlens lines`, `modules`, `events` and `partitions`.
#pragma once

#include <vector>

#include "core/workspace/anchored_source.h"
#include "core/render/table.h"
#include "core/workspace/snapshot.h"

namespace etlens {

enum class TableStyle {
  Human,  // times with units, shares in percent, module names indented
  Data,   // plain numbers in the target unit, full paths
};

Table lines_table(const ProfileSnapshot& snapshot, const std::vector<AnchoredSource>& sources,
                  TableStyle style, TimeScale target);
// `root`: a module path; only it and what is below it.
Table modules_table(const ProfileSnapshot& snapshot, std::string_view root, TableStyle style,
                    TimeScale target);
Table events_table(const ProfileSnapshot& snapshot, const std::vector<AnchoredSource>& sources,
                   TableStyle style, TimeScale target);

// Delegate calls in instruction order.
Table partitions_table(const ProfileSnapshot& snapshot, TableStyle style, TimeScale target);
// What ran on the CPU between two calls of one backend, in the order of execution; may be empty.
Table fallbacks_table(const ProfileSnapshot& snapshot, TableStyle style, TimeScale target);

}  // namespace etlens
