// SPDX-License-Identifier: Apache-2.0
// Events gathered by what they have in common: the document of `etlens events --by`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts/event_groups.h"
#include "core/view/place_view.h"
#include "core/view/row_choice.h"

namespace etlens {

struct EventGroupView {
  std::string name;
  Nullable<std::string_view> part;  // of events that have nothing in common
  double self = 0;
  int64_t self_ticks = 0;
  double share = 0;
  uint64_t events = 0;
  double occurrences = 0;          // of its events in one execution
  std::vector<std::string> where;  // labels of the backends, "CPU" last
  std::vector<Nullable<PlaceView>> lines;
};
FIELDS(EventGroupView, name, part, self, self_ticks, share, events, occurrences, where, lines)

struct EventGroupsView {
  Literal<"etlens/event-groups@1"> schema;
  Spread<UngroupedReportView> report;
  std::string_view by;
  Rows<EventGroupView> groups;
};
FIELDS(EventGroupsView, schema, report, by, groups)

// The facts must outlive the view.
EventGroupsView event_groups_view(const Facts& facts, EventGrouping grouping, Scale scale,
                                  ReportView report, const RowChoice& rows);

}  // namespace etlens
