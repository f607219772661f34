// SPDX-License-Identifier: Apache-2.0
// Groups of executions side by side: columns of tables, and the table of what is on no line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts/in_groups.h"
#include "core/render/tables.h"

namespace etlens {

// "decode ×30".
std::string group_heading(std::string_view name, size_t executions);

// Adds to each row, before the column `before`, what it costs in each group. The columns that have
// the same of the shown group alone become extra ones. `rows`: one per row of the table; nothing
// happens if they are empty. `ranked`: which of the costs people see first.
void add_group_columns(Table& table, std::string_view before, const Facts& facts,
                       const TableOptions& options, const std::vector<CostsInGroups>& rows,
                       Cost CostInGroup::*ranked = &CostInGroup::self);

// The parts of the time of one execution, with a column for each group; at the end the
// noise and the mean, which is what all rows add up to. Empty without groups.
Table parts_by_group_table(const Facts& facts, const TableOptions& options);

}  // namespace etlens
