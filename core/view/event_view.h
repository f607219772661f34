// SPDX-License-Identifier: Apache-2.0
// A runtime event or another contribution, and all of them: the document of `etlens events`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/view/place_view.h"
#include "core/view/row_choice.h"
#include "core/workspace/anchored_source.h"

namespace etlens {

// Of the self time in single executions. Null for values that are not durations.
struct SpreadOfTimesView {
  Nullable<double> p10;
  Nullable<double> p50;
  Nullable<double> p90;
  Nullable<double> min;
  Nullable<double> max;
};
FIELDS(SpreadOfTimesView, p10, p50, p90, min, max)

// Null without a line.
struct LineOfEventView {
  Nullable<std::string_view> recorded_path;
  Nullable<uint32_t> line;
  Nullable<uint32_t> current_line;
};
FIELDS(LineOfEventView, recorded_path, line, current_line)

// What the backend itself logged per execution, in its own unit.
struct ReportedView {
  double value = 0;
  std::string_view unit;
};
FIELDS(ReportedView, value, unit)

struct EventView {
  std::string event;                  // as it was logged; without an event its title
  Nullable<std::string> title;        // what people call it, if that is something else
  std::optional<std::string> remark;  // of contributions that are not events
  Nullable<std::string_view> op;
  Nullable<int32_t> instruction_id;
  int32_t chain_index = -1;
  Nullable<std::string_view> backend;
  Nullable<uint32_t> partition;  // the number of the delegate call
  std::string_view part;
  double self = 0;
  int64_t self_ticks = 0;
  Spread<IntervalView> interval;
  int64_t disturbance_ticks = 0;
  double total = 0;
  int64_t total_ticks = 0;
  double share = 0;
  double occurrences = 0;
  Spread<SpreadOfTimesView> times;
  Nullable<std::string_view> module;
  Spread<LineOfEventView> place;
  std::string_view confidence;
  uint32_t candidates = 1;
  bool rescaled = false;
  Nullable<ReportedView> reported;  // of what is not in ticks
  std::vector<std::pair<std::string, std::string>> metadata;
  std::vector<uint32_t> debug_handles;
  CostsInGroupsView groups;
};
FIELDS(EventView, event, title, remark, op, instruction_id, chain_index, backend, partition, part,
       self, self_ticks, interval, disturbance_ticks, total, total_ticks, share, occurrences, times,
       module, place, confidence, candidates, rescaled, reported, metadata, debug_handles, groups)

struct EventsView {
  Literal<"etlens/events@2"> schema;
  Spread<ReportView> report;
  Rows<EventView> events;
};
FIELDS(EventsView, schema, report, events)

using AnchorOf = std::function<const Anchor&(LineId)>;
// `statistics` and `interval`: the facts' own of this contribution, which callers use as well.
EventView event_view(const Facts& facts, const AnchorOf& anchor_of, const Scale& scale,
                     ContributionId id, const PerfData& statistics,
                     const std::optional<Interval>& interval);
// `sources`: one per file of the code. All that is passed by reference must outlive the view.
EventsView events_view(const Facts& facts, const std::vector<AnchoredSource>& sources, Scale scale,
                       ReportView report, const RowChoice& rows);

}  // namespace etlens
