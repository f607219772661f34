// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "core/base/text.h"
#include "core/compare/machine.h"
#include "core/render/fleet_table.h"
#include "core/render/format.h"

namespace etlens {
namespace {

std::string trend_time(const Fleet& fleet, double ticks, const TableOptions& options) {
  const TimeScale scale = *parse_time_scale(fleet.tick);
  if (ticks < 0) return "";
  if (options.style == TableStyle::Human) return format_time(ticks, {scale, options.unit});
  return python_float(ticks / scale_factor(scale, options.target));
}

std::string change_words(double change) {
  return fmt::format("{}{}", change > 0 ? "+" : "", format_share(change));
}

// What all lines did together, which the rows are without.
std::string machine_words(const Trend& trend) {
  const TrendMachine& machine = trend.machine;
  if (machine.lines == 0) {
    return fmt::format(
        "fewer than {} lines went alike, too few to separate a slow machine from a change: a "
        "change of all lines with one build may be the machine\n",
        kLeastLevelPlaces);
  }
  const std::string what = fmt::format(
      "what {} lines did together (the machine, or what they "
      "share) is taken out: ",
      machine.lines);
  if (!machine.first) return what + fmt::format("no change, p {:.2g}\n", machine.p);
  return what + fmt::format("{} with {}, p {:.2g}\n", change_words(machine.change),
                            group_name({trend.builds[*machine.first]}), machine.p);
}

// What the table is of, in lines.
std::string trend_head(const Fleet& fleet, const Trend& trend) {
  std::vector<std::string> dumps;
  for (size_t b = 0; b < trend.builds.size(); ++b)
    dumps.push_back(fmt::format("{} of {}", trend.dumps[b], group_name({trend.builds[b]})));
  std::string text = fmt::format("{}: {}\nmedians of each build; a change is within devices\n",
                                 counted(fleet.dumps, "dump"), join(dumps, ", "));
  if (fleet.kept_one_in > 1)
    text += fmt::format("of a sample of {}: one in {}\n", counted(fleet.kept.size(), "dump"),
                        fleet.kept_one_in);
  return text + machine_words(trend);
}

}  // namespace

Table trend_table(const Fleet& fleet, const Trend& trend, const FleetTableOptions& options) {
  const bool is_human = options.table.style == TableStyle::Human;
  Table table;
  table.columns = {{std::string(name_of(options.by))},
                   {"changed with"},
                   {"change", Align::Right},
                   {"p", Align::Right}};
  for (const std::string& build : trend.builds)
    table.columns.push_back({build.empty() ? "?" : build, Align::Right});
  if (options.by == PlaceKind::Line) table.columns.push_back({.name = "text", .is_prose = true});
  for (const TrendPlace& row : trend.places) {
    const PlaceKind kind = row.place->place.kind;
    if (kind != PlaceKind::Total && kind != options.by) continue;
    std::vector<std::string>& cells = table.rows.emplace_back();
    cells.push_back(place_name(row.place->place, options.table.style));
    cells.push_back(row.first ? group_name({trend.builds[*row.first]}) : "");
    if (!row.first) cells.emplace_back();
    else cells.push_back(is_human ? change_words(row.change) : python_float(row.change));
    cells.push_back(is_human ? fmt::format("{:.2g}", row.p) : python_float(row.p));
    for (const double median : row.medians)
      cells.push_back(trend_time(fleet, median, options.table));
    if (options.by == PlaceKind::Line) cells.push_back(row.place->place.text);
  }
  return table;
}

std::string trend_text(const Fleet& fleet, const Trend& trend, const FleetTableOptions& options,
                       TablePrinter& printer) {
  std::string text =
      trend_head(fleet, trend) + "\n" + printer.ranked(trend_table(fleet, trend, options));
  if (const std::string broken = left_out_text(fleet); !broken.empty()) text += "\n" + broken;
  return text;
}

std::string trend_markdown(const Fleet& fleet, const Trend& trend,
                           const FleetTableOptions& options) {
  std::string text;
  for (const std::string_view line : split_lines(trend_head(fleet, trend)))
    text += "* " + escape_markdown(line) + "\n";
  return text + "\n" + to_markdown(trend_table(fleet, trend, options));
}

}  // namespace etlens
