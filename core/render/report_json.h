// SPDX-License-Identifier: Apache-2.0
// The JSON of `etlens lines`, `modules`, `events`, `partitions`, `advise` and `check`. Stable: the
// `schema` field names the version; fields may be added. Times are of one execution, of the
// statistic, in the target unit, unrounded; ticks are integers, summed over the executions used.
// What these took beyond the statistic is their disturbance.
//
// `rows`: of the command's table of data; everything that is a sum stays one of all rows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts/event_groups.h"
#include "core/view/check_view.h"
#include "core/view/row_choice.h"
#include "core/workspace/anchored_source.h"

namespace etlens {

// `sources`: one per file of the code.
std::string lines_json(const Facts& facts, const std::vector<AnchoredSource>& sources,
                       TimeScale target, const RowChoice& rows = {});
// `root`: a module path; only it and what is below it.
std::string modules_json(const Facts& facts, std::string_view root, TimeScale target,
                         const RowChoice& rows = {});
std::string events_json(const Facts& facts, const std::vector<AnchoredSource>& sources,
                        TimeScale target, const RowChoice& rows = {});
// Delegate calls with their nodes, and what fell back to the CPU between them.
std::string partitions_json(const Facts& facts, TimeScale target, const RowChoice& rows = {});
std::string event_groups_json(const Facts& facts, EventGrouping grouping, TimeScale target,
                              const RowChoice& rows = {});
std::string advice_json(const Facts& facts, TimeScale target, const RowChoice& rows = {});
std::string check_json(const CheckResult& check, TimeScale target);

}  // namespace etlens
