// SPDX-License-Identifier: Apache-2.0
// A comparison for a terminal: what changed, the total first.
#pragma once

#include <optional>
#include <string>

#include "core/render/diff_rows.h"

namespace etlens {

struct DiffTableOptions {
  DiffGrouping grouping = DiffGrouping::Line;
  std::optional<TimeScale> unit;  // nullopt: chosen for each value
  bool all = false;               // what did not change as well
  size_t width = 120;             // columns of the terminal
};

std::string diff_table(const Comparison& comparison, const DiffTableOptions& options);

}  // namespace etlens
