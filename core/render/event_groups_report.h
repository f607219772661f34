// SPDX-License-Identifier: Apache-2.0
// `etlens events --by`: events gathered by what they have in common, as a table.
#pragma once

#include "core/facts/event_groups.h"
#include "core/render/tables.h"

namespace etlens {

// The most costly group first. Events with nothing in common are one row for each part of the time.
Table event_groups_table(const Facts& facts, EventGrouping grouping, const TableOptions& options);

}  // namespace etlens
