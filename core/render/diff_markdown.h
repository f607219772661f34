// SPDX-License-Identifier: Apache-2.0
// A comparison for a pull request: one sentence, a table of at most ten rows, the rest folded.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/render/diff_rows.h"
#include "core/render/format.h"
#include "core/render/table.h"

namespace etlens {

// What its tables, and others for people, say of each row.
Table diff_rows_table(std::span<const DiffRow> rows, DiffGrouping grouping, TimeStyle style);

std::string diff_markdown(const Comparison& comparison, DiffGrouping grouping,
                          std::optional<TimeScale> unit);

}  // namespace etlens
