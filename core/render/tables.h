// SPDX-License-Identifier: Apache-2.0
// The tables of `etlens lines`, `modules`, `events` and `partitions`.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/base/time_scale.h"
#include "core/facts/facts.h"
#include "core/render/table.h"
#include "core/workspace/anchored_source.h"

namespace etlens {

enum class TableStyle {
  Human,  // times with units, shares in percent, module names indented
  Data,   // plain numbers in the target unit, full paths, nothing left out
};

struct TableOptions {
  TableStyle style = TableStyle::Human;
  TimeScale target = TimeScale::Milliseconds;  // of Data
  std::optional<TimeScale> unit;               // of Human; nullopt: chosen for each value
  bool is_tree = true;                         // modules of Human stand below their parents
  bool by_group = false;  // a column for each group of executions; not of delegate calls
};

// The most costly first. Lines that nothing tells apart share a range of ranks. `sources`: one per
// file of the code.
Table lines_table(const Facts& facts, const std::vector<AnchoredSource>& sources,
                  const TableOptions& options);
// `root`: a module path; only it and what is below it.
Table modules_table(const Facts& facts, std::string_view root, const TableOptions& options);
// The most costly first; p50 and p90 are of the self time.
Table events_table(const Facts& facts, const std::vector<AnchoredSource>& sources,
                   const TableOptions& options);

// Delegate calls in instruction order.
Table partitions_table(const Facts& facts, const TableOptions& options);
// What ran on the CPU between two calls of one backend, in the order of execution; may be empty.
Table fallbacks_table(const Facts& facts, const TableOptions& options);

}  // namespace etlens
