// SPDX-License-Identifier: Apache-2.0
#include "core/render/fleet_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/format.h"

namespace etlens {
namespace {

constexpr size_t kNamedInText = 3;

std::string_view quantile_name(size_t q) {
  constexpr std::array<std::string_view, kFleetQuantiles.size()> kNames{"p50", "p90", "p95", "p99"};
  return kNames[q];
}

class FleetTable {
 public:
  FleetTable(const Fleet& fleet, const FleetTableOptions& options)
      : fleet_(fleet), options_(options), scale_(*parse_time_scale(fleet.tick)) {}

  Table run() {
    add_columns();
    for (const FleetPlace& place : fleet_.places) {
      const PlaceKind kind = place.place.kind;
      if (kind != PlaceKind::Total && kind != options_.by) continue;
      // Places without any time say nothing to people.
      if (is_human() && kind != PlaceKind::Total && place.all.quantiles.back() <= 0) continue;
      add(place, place.all, "");
      for (size_t g = 0; g < place.groups.size(); ++g) {
        if (place.groups[g].dumps > 0) add(place, place.groups[g], group_name(fleet_.groups[g]));
      }
    }
    return std::move(table_);
  }

 private:
  bool is_human() const { return options_.table.style == TableStyle::Human; }
  bool has_lines() const { return options_.by == PlaceKind::Line; }

  void add_columns() {
    table_.columns.push_back({std::string(name_of(options_.by))});
    if (!fleet_.group_by.empty())
      table_.columns.push_back({.name = join(fleet_.group_by, ", "), .key = "group"});
    table_.columns.push_back({"dumps", Align::Right});
    for (size_t q = 0; q < kFleetQuantiles.size(); ++q) {
      std::string name(quantile_name(q));
      if (!is_human()) name += fmt::format(" ({})", name_of(options_.table.target));
      table_.columns.push_back({std::move(name), Align::Right});
    }
    table_.columns.push_back({"share", Align::Right});
    if (has_lines()) table_.columns.push_back({"hottest", Align::Right});
    table_.columns.push_back({"outliers", Align::Right});
    if (has_lines()) table_.columns.push_back({.name = "text", .is_prose = true});
  }

  std::string time(double ticks) const {
    if (is_human()) return format_time(ticks, {scale_, options_.table.unit});
    return python_float(ticks / scale_factor(scale_, options_.table.target));
  }

  std::string share(double fraction) const {
    return is_human() ? format_share(fraction) : python_float(fraction);
  }

  void add(const FleetPlace& place, const FleetCell& cell, const std::string& group) {
    const bool is_group = !group.empty();
    std::vector<std::string>& row = table_.rows.emplace_back();
    row.push_back(is_group && is_human() && options_.table.is_tree
                      ? ""
                      : place_name(place.place, options_.table.style));
    if (!fleet_.group_by.empty()) row.push_back(group);
    row.push_back(std::to_string(cell.dumps));
    for (const double ticks : cell.quantiles) row.push_back(time(ticks));
    row.push_back(is_group && is_human() ? "" : share(fleet_.share(cell.quantiles[0])));
    if (has_lines()) {
      const bool is_line = place.place.kind == PlaceKind::Line;
      const double hottest = static_cast<double>(cell.hottest) / static_cast<double>(cell.dumps);
      row.push_back(is_line && (cell.hottest > 0 || !is_human()) ? share(hottest) : "");
    }
    row.push_back(cell.outliers > 0 || !is_human() ? std::to_string(cell.outliers) : "");
    if (has_lines()) row.push_back(is_group && is_human() ? "" : place.place.text);
  }

  const Fleet& fleet_;
  const FleetTableOptions& options_;
  TimeScale scale_;
  Table table_;
};

std::string named_text(const std::vector<NamedValue>& named, std::string_view word,
                       const TimeStyle& style) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < std::min(named.size(), kNamedInText); ++i)
    parts.push_back(fmt::format("{} {}", named[i].dump, format_time(named[i].value, style)));
  return parts.empty() ? "" : fmt::format("  {}: {}\n", word, join(parts, ", "));
}

// Dumps that are far from the others in their total.
std::string outliers_text(const Fleet& fleet, const FleetTableOptions& options) {
  const FleetPlace* total = fleet.total();
  if (total == nullptr || total->all.outliers == 0) return "";
  const TimeStyle style(*parse_time_scale(fleet.tick), options.table.unit);
  return fmt::format("{} far from the others in total\n",
                     total->all.outliers == 1
                         ? "1 dump is"
                         : std::to_string(total->all.outliers) + " dumps are") +
         named_text(total->all.slow, "slow", style) + named_text(total->all.fast, "fast", style);
}

std::string head_text(const Fleet& fleet) {
  std::string text =
      fmt::format("{} of {}, each by its {} execution", counted(fleet.dumps, "dump"),
                  fleet.program.empty() ? "no program" : fleet.program, fleet.statistic);
  if (fleet.quantile_error > 0)
    text += fmt::format("; quantiles are within {}", format_share(fleet.quantile_error));
  if (fleet.quantile_error < 0) text += "; quantiles are the engine's estimates";
  if (fleet.repeated > 0)
    text += fmt::format("; {} that were there before count once", fleet.repeated);
  return text + "\n";
}

}  // namespace

std::string place_name(const RowPlace& place, TableStyle style) {
  if (place.kind == PlaceKind::Total) return "total";
  if (place.kind == PlaceKind::Module && place.key.empty()) return "(model)";
  if (place.kind != PlaceKind::Line) return place.key;
  const std::string_view file =
      style == TableStyle::Human ? base_name(place.file) : std::string_view(place.file);
  return fmt::format("{}:{}", file, place.line);
}

std::string group_name(const std::vector<std::string>& values) {
  std::vector<std::string> shown;
  for (const std::string& value : values) shown.push_back(value.empty() ? "?" : value);
  return join(shown, ", ");
}

namespace {

std::string records_text(const LeftOutRecords& records) {
  if (records.count == 0) return "";
  std::string text = fmt::format("{} left out\n", counted(records.count, "record"));
  size_t shown = 0;
  for (const std::string& sentence : records.named) {
    if (shown == kNamedInText) break;
    text += fmt::format("  {}\n", sentence);
    ++shown;
  }
  if (shown < records.count) text += "  …\n";
  return text;
}

}  // namespace

std::string left_out_text(const Fleet& fleet) {
  std::string text;
  if (fleet.broken_count() > 0)
    text = fmt::format("{} left out\n", counted(fleet.broken_count(), "file"));
  for (size_t r = 0; r < kBrokenReasons; ++r) {
    const BrokenDumps& broken = fleet.broken[r];
    if (broken.count == 0) continue;
    std::vector<std::string> names;
    for (size_t i = 0; i < std::min(broken.named.size(), kNamedInText); ++i)
      names.push_back(broken.named[i].name);
    if (broken.count > names.size()) names.emplace_back("…");
    std::string reason(name_of(static_cast<BrokenReason>(r)));
    std::replace(reason.begin(), reason.end(), '_', ' ');
    text += fmt::format("  {} {}: {}\n", broken.count, reason, join(names, ", "));
    text += fmt::format("    {}\n", broken.named.front().sentence);
  }
  return text + records_text(fleet.records_left_out);
}

std::string lines_left_out_text(const Fleet& fleet) {
  const LeftOutLines& lines = fleet.lines_left_out;
  return fmt::format("{} left out: {}", counted(lines.count, "line"), lines.first);
}

Table fleet_table(const Fleet& fleet, const FleetTableOptions& options) {
  return FleetTable(fleet, options).run();
}

std::string fleet_text(const Fleet& fleet, const FleetTableOptions& options,
                       TablePrinter& printer) {
  std::string text = head_text(fleet) + "\n" + printer.ranked(fleet_table(fleet, options));
  if (const std::string outliers = outliers_text(fleet, options); !outliers.empty())
    text += "\n" + outliers;
  if (const std::string broken = left_out_text(fleet); !broken.empty()) text += "\n" + broken;
  return text;
}

std::string fleet_markdown(const Fleet& fleet, const FleetTableOptions& options) {
  std::string text =
      escape_markdown(trim(head_text(fleet))) + "\n\n" + to_markdown(fleet_table(fleet, options));
  for (const std::string& part : {outliers_text(fleet, options), left_out_text(fleet)}) {
    if (!part.empty()) text += "\n";
    for (const std::string_view line : split_lines(part))
      text += (line.starts_with(' ') ? "* " : "") + escape_markdown(trim(line)) + "\n";
  }
  return text;
}

}  // namespace etlens
