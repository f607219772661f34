// SPDX-License-Identifier: Apache-2.0
// `etlens events --by`: events gathered by what they have in common, as a table and as JSON.
#pragma once

#include <string>

#include "core/facts/event_groups.h"
#include "core/render/arrange.h"
#include "core/render/tables.h"

namespace etlens {

// The most costly group first. Events with nothing in common are one row for each part of the time.
Table event_groups_table(const Facts& facts, EventGrouping grouping, const TableOptions& options);

// The same rows. `rows`: of the table of data; sums stay those of all rows.
std::string event_groups_json(const Facts& facts, EventGrouping grouping, TimeScale target,
                              const RowChoice& rows = {});

}  // namespace etlens
