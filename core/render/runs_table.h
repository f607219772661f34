// SPDX-License-Identifier: Apache-2.0
// What `etlens runs` prints, and the words about one run that others print.
#pragma once

#include <optional>
#include <string>

#include "core/base/time_scale.h"
#include "core/render/table.h"
#include "core/render/table_printer.h"
#include "core/render/tables.h"
#include "core/runs/run_store.h"

namespace etlens {

// "11.3 ms"; "–" where nothing was timed.
std::string run_total_text(const StoredRun& run, std::optional<TimeScale> unit);
// "−43%", "+1.5%".
std::string run_change_text(double change);
// "−43% since run 11"; "" if no run of the same model is before it.
std::string since_text(const StoredRuns& stored, const StoredRun& run);
// The totals of the newest runs of the model of `run`, oldest first, at most `most`: one bar each, from nothing to the
// largest. "" for fewer than two.
std::string sparkline(const StoredRuns& stored, const StoredRun& run, size_t most = 40);

// The newest first.
Table runs_table(const StoredRuns& stored, const TableOptions& options);
std::string runs_text(const StoredRuns& stored, const TableOptions& options, TablePrinter& printer);

}  // namespace etlens
