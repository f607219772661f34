// SPDX-License-Identifier: Apache-2.0
#include "core/view/fleet_view.h"

namespace etlens {
namespace {

double factor_of(const Fleet& fleet, TimeScale target) {
  return scale_factor(*parse_time_scale(fleet.tick), target);
}

FleetHeadView fleet_head_view(const Fleet& fleet, TimeScale target) {
  return {name_of(target), fleet.program,  fleet.statistic,
          fleet.dumps,     fleet.repeated, fleet.group_by};
}

FleetPlaceView fleet_place_view(const RowPlace& place) {
  FleetPlaceView view;
  view.kind = name_of(place.kind);
  view.place = place.key;
  if (place.kind != PlaceKind::Line) return view;
  view.recorded_path = place.file;
  view.line = place.line;
  view.function = place.function;
  view.text = place.text;
  return view;
}

std::vector<DumpValueView> dump_values_view(const std::vector<NamedValue>& values, double factor) {
  std::vector<DumpValueView> views;
  for (const NamedValue& value : values) views.push_back({value.dump, value.value / factor});
  return views;
}

FleetCellView fleet_cell_view(const FleetCell& cell, double factor) {
  const auto& [p50, p90, p95, p99] = cell.quantiles;
  return {cell.dumps,
          p50 / factor,
          p90 / factor,
          p95 / factor,
          p99 / factor,
          cell.hottest,
          cell.outliers,
          dump_values_view(cell.slow, factor),
          dump_values_view(cell.fast, factor)};
}

PlaceInFleetView place_in_fleet_view(const Fleet& fleet, const FleetPlace& row, double factor) {
  PlaceInFleetView view{fleet_place_view(row.place),
                        fleet_cell_view(row.all, factor),
                        fleet.share(row.all.quantiles[0]),
                        {}};
  for (size_t g = 0; g < row.groups.size(); ++g) {
    if (row.groups[g].dumps > 0)
      view.groups.push_back({fleet.groups[g], fleet_cell_view(row.groups[g], factor)});
  }
  return view;
}

LeftOutView left_out_view(const Fleet& fleet) {
  LeftOutView view;
  for (size_t r = 0; r < kBrokenReasons; ++r) {
    const BrokenDumps& broken = fleet.broken[r];
    if (broken.count == 0) continue;
    BrokenDumpsView& row = view.broken.emplace_back();
    row.reason = name_of(static_cast<BrokenReason>(r));
    row.count = broken.count;
    for (const BrokenDump& dump : broken.named) row.named.push_back({dump.name, dump.sentence});
  }
  const LeftOutRecords& records = fleet.records_left_out;
  view.records_left_out = {records.count, {records.named.begin(), records.named.end()}};
  const LeftOutLines& lines = fleet.lines_left_out;
  view.lines_left_out.count = lines.count;
  if (lines.count > 0) view.lines_left_out.first = std::string_view(lines.first);
  return view;
}

TrendChangeView trend_change_view(const Trend& trend, const TrendChange& row) {
  if (!row.first) return {std::nullopt, std::nullopt, row.p};
  return {std::string_view(trend.builds[*row.first]), row.change, row.p};
}

}  // namespace

FleetReportView fleet_report_view(const Fleet& fleet, TimeScale target) {
  FleetReportView view;
  view.head = fleet_head_view(fleet, target);
  view.quantiles.assign(kFleetQuantiles.begin(), kFleetQuantiles.end());
  if (fleet.quantile_error >= 0) view.quantile_error = fleet.quantile_error;
  view.places = Rows<PlaceInFleetView>([&fleet, target](const auto& take) {
    const double factor = factor_of(fleet, target);
    for (const FleetPlace& row : fleet.places) take(place_in_fleet_view(fleet, row, factor));
  });
  view.left_out = left_out_view(fleet);
  return view;
}

TrendView trend_view(const Fleet& fleet, const Trend& trend, TimeScale target) {
  TrendView view;
  view.head = fleet_head_view(fleet, target);
  for (size_t b = 0; b < trend.builds.size(); ++b)
    view.builds.push_back({trend.builds[b], trend.dumps[b]});
  view.tested = trend.tested;
  view.sampled_dumps = fleet.kept.size();
  if (trend.machine.lines > 0) {
    TrendMachineView machine{trend.machine.lines, trend_change_view(trend, trend.machine), {}};
    for (const double level : trend.machine.medians)
      machine.levels.push_back(level > 0 ? Nullable<double>(level) : std::nullopt);
    view.machine = std::move(machine);
  }
  view.places = Rows<TrendPlaceView>([&fleet, &trend, target](const auto& take) {
    const double factor = factor_of(fleet, target);
    for (const TrendPlace& row : trend.places) {
      TrendPlaceView place{fleet_place_view(row.place->place), trend_change_view(trend, row), {}};
      for (const double median : row.medians)
        place.medians.push_back(median < 0 ? std::nullopt : Nullable<double>(median / factor));
      take(place);
    }
  });
  view.left_out = left_out_view(fleet);
  return view;
}

}  // namespace etlens
