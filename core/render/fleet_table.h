// SPDX-License-Identifier: Apache-2.0
// A fleet, and the trend of its builds, for people and for spreadsheets.
#pragma once

#include <optional>
#include <string>

#include "core/fleet/trend.h"
#include "core/render/table_printer.h"
#include "core/render/tables.h"

namespace etlens {

struct FleetTableOptions {
  PlaceKind by = PlaceKind::Line;
  TableOptions table;
};

// A row for each place, and below it one for each group; the total first.
Table fleet_table(const Fleet& fleet, const FleetTableOptions& options);
// The table for people, what stands out, and the broken dumps.
std::string fleet_text(const Fleet& fleet, const FleetTableOptions& options, TablePrinter& printer);
std::string fleet_markdown(const Fleet& fleet, const FleetTableOptions& options);

Table trend_table(const Fleet& fleet, const Trend& trend, const FleetTableOptions& options);
std::string trend_text(const Fleet& fleet, const Trend& trend, const FleetTableOptions& options,
                       TablePrinter& printer);
std::string trend_markdown(const Fleet& fleet, const Trend& trend,
                           const FleetTableOptions& options);

// What the rows of a place are called: "model.py:12", "layers.0", "aten.add.Tensor".
std::string place_name(const RowPlace& place, TableStyle style);
// Facts of a group in a line: "pixel-9", "pixel-9, 1.2"; "?" for what is not known.
std::string group_name(const std::vector<std::string>& values);
// "612 dumps were left out: …", a line for each reason; "" if there are none.
std::string left_out_text(const Fleet& fleet);
// "1 line left out: line 7 of rows.ndjson is …": of those that are no rows, of which there are some.
std::string lines_left_out_text(const Fleet& fleet);

}  // namespace etlens
