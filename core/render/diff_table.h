// SPDX-License-Identifier: Apache-2.0
// A comparison for a terminal: what changed, the total first.
#pragma once

#include <optional>
#include <string>

#include "core/render/diff_rows.h"
#include "core/render/table_printer.h"

namespace etlens {

struct DiffTableOptions {
  DiffGrouping grouping = DiffGrouping::Line;
  std::optional<TimeScale> unit;  // nullopt: chosen for each value
  bool all = false;               // what did not change as well
};

std::string diff_table(const Comparison& comparison, const DiffTableOptions& options,
                       TablePrinter& printer);

}  // namespace etlens
