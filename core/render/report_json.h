// SPDX-License-Identifier: Apache-2.0
// The JSON of `etlens lines`, `modules`, `events`, `partitions` and `check`. Stable: the `schema`
// field names the version; fields may be added. Times are averages per execution in the target
// unit, unrounded; ticks are integers, summed over the executions.
#pragma once

#include <string>
#include <vector>

#include "core/workspace/anchored_source.h"
#include "core/workspace/load.h"
#include "core/workspace/snapshot.h"

namespace etlens {

std::string lines_json(const ProfileSnapshot& snapshot, const std::vector<AnchoredSource>& sources,
                       TimeScale target);
// `root`: a module path; only it and what is below it.
std::string modules_json(const ProfileSnapshot& snapshot, std::string_view root, TimeScale target);
std::string events_json(const ProfileSnapshot& snapshot, const std::vector<AnchoredSource>& sources,
                        TimeScale target);

// Delegate calls with their nodes, and what fell back to the CPU between them.
std::string partitions_json(const ProfileSnapshot& snapshot, TimeScale target);

// What `check` found; the snapshot is null where the pair gave none.
struct CheckResult {
  std::string etdump;
  std::string etrecord;
  const ProfileSnapshot* snapshot = nullptr;
  std::optional<MethodFit> fit;
  std::string error;  // why there is no snapshot
  LoadReport report;
};
std::string check_json(const CheckResult& check);

}  // namespace etlens
