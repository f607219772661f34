// SPDX-License-Identifier: Apache-2.0
// What many dumps of one program say of each place, and which build it changed with: the documents
// of `etlens fleet` and `etlens fleet --trend`. Times are of one execution, in the unit asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/fields.h"
#include "core/base/time_scale.h"
#include "core/fleet/trend.h"

namespace etlens {

struct FleetHeadView {
  std::string_view time_unit;
  std::string_view program;
  std::string_view statistic;
  uint64_t dumps = 0;
  uint64_t repeated = 0;  // that were there before and count once
  std::vector<std::string> group_by;
};
FIELDS(FleetHeadView, time_unit, program, statistic, dumps, repeated, group_by)

struct FleetPlaceView {
  std::string_view kind;
  std::string_view place;
  // Of lines alone.
  std::optional<std::string_view> recorded_path;
  std::optional<uint32_t> line;
  std::optional<std::string_view> function;
  std::optional<std::string_view> text;
};
FIELDS(FleetPlaceView, kind, place, recorded_path, line, function, text)

struct DumpValueView {
  std::string_view dump;
  double value = 0;
};
FIELDS(DumpValueView, dump, value)

// A place in all dumps, or in those of one group.
struct FleetCellView {
  uint64_t dumps = 0;
  double p50 = 0;
  double p90 = 0;
  double p95 = 0;
  double p99 = 0;
  uint64_t hottest = 0;  // dumps in which it is the hottest line
  uint64_t outliers = 0;
  std::vector<DumpValueView> slow;  // of these, the farthest first
  std::vector<DumpValueView> fast;
};
FIELDS(FleetCellView, dumps, p50, p90, p95, p99, hottest, outliers, slow, fast)

struct GroupOfPlaceView {
  std::vector<std::string> group;  // values of `group_by`; "" is not known
  Spread<FleetCellView> cell;
};
FIELDS(GroupOfPlaceView, group, cell)

struct PlaceInFleetView {
  Spread<FleetPlaceView> place;
  Spread<FleetCellView> all;
  double share = 0;
  std::vector<GroupOfPlaceView> groups;
};
FIELDS(PlaceInFleetView, place, all, share, groups)

struct NamedBrokenView {
  std::string_view dump;
  std::string_view message;
};
FIELDS(NamedBrokenView, dump, message)

struct BrokenDumpsView {
  std::string_view reason;
  uint64_t count = 0;
  std::vector<NamedBrokenView> named;
};
FIELDS(BrokenDumpsView, reason, count, named)

struct LeftOutRecordsView {
  uint64_t count = 0;
  std::vector<std::string_view> named;  // a sentence each
};
FIELDS(LeftOutRecordsView, count, named)

// Lines of a file of rows that are none.
struct LeftOutLinesView {
  uint64_t count = 0;
  Nullable<std::string_view> first;  // a sentence
};
FIELDS(LeftOutLinesView, count, first)

struct LeftOutView {
  std::vector<BrokenDumpsView> broken;
  LeftOutRecordsView records_left_out;
  LeftOutLinesView lines_left_out;
};
FIELDS(LeftOutView, broken, records_left_out, lines_left_out)

struct FleetReportView {
  Literal<"etlens/fleet@1"> schema;
  Spread<FleetHeadView> head;
  std::vector<double> quantiles;
  Nullable<double> quantile_error;  // null where an engine estimated them
  Rows<PlaceInFleetView> places;
  Spread<LeftOutView> left_out;
};
FIELDS(FleetReportView, schema, head, quantiles, quantile_error, places, left_out)

// The fleet must outlive the view.
FleetReportView fleet_report_view(const Fleet& fleet, TimeScale target);

struct BuildView {
  std::string_view build;
  uint64_t dumps = 0;
};
FIELDS(BuildView, build, dumps)

// What a place changed with first; null: it did not.
struct TrendChangeView {
  Nullable<std::string_view> changed_with;
  Nullable<double> change;
  double p = 1;
};
FIELDS(TrendChangeView, changed_with, change, p)

struct TrendMachineView {
  uint64_t lines = 0;  // that tell
  Spread<TrendChangeView> change;
  std::vector<Nullable<double>> levels;  // one per build
};
FIELDS(TrendMachineView, lines, change, levels)

struct TrendPlaceView {
  Spread<FleetPlaceView> place;
  Spread<TrendChangeView> change;
  std::vector<Nullable<double>> medians;  // one per build; null without dumps
};
FIELDS(TrendPlaceView, place, change, medians)

struct TrendView {
  Literal<"etlens/fleet-trend@1"> schema;
  Spread<FleetHeadView> head;
  std::vector<BuildView> builds;
  double level = kTrendLevel;
  uint64_t tested = 0;         // places
  uint64_t sampled_dumps = 0;  // that were looked at
  Nullable<TrendMachineView> machine;
  Rows<TrendPlaceView> places;
  Spread<LeftOutView> left_out;
};
FIELDS(TrendView, schema, head, builds, level, tested, sampled_dumps, machine, places, left_out)

// Fleet and trend must outlive the view.
TrendView trend_view(const Fleet& fleet, const Trend& trend, TimeScale target);

}  // namespace etlens
