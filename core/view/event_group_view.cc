// SPDX-License-Identifier: Apache-2.0
#include "core/view/event_group_view.h"

namespace etlens {
namespace {

EventGroupView event_group_view(const Facts& facts, const Scale& scale, const EventGroup& group) {
  EventGroupDetail detail = detail_of(facts, group);
  EventGroupView view;
  view.name = group.name;
  if (group.name.empty()) {
    view.name = name_of(group.part);
    view.part = name_of(group.part);
  }
  view.self = scale.of(group.cost);
  view.self_ticks = group.cost.amount.value;
  view.share = group.cost.share;
  view.events = group.events.size();
  view.occurrences = detail.occurrences;
  view.where = std::move(detail.where);
  view.lines = places_view(facts.code(), detail.lines);
  return view;
}

}  // namespace

EventGroupsView event_groups_view(const Facts& facts, EventGrouping grouping, Scale scale,
                                  ReportView report, const RowChoice& rows) {
  EventGroupsView view;
  view.report =
      UngroupedReportView{UngroupedHeadView(std::move(report.head)), report.reconciliation};
  view.by = name_of(grouping);
  view.groups = Rows<EventGroupView>([&facts, grouping, scale, rows](const auto& take) {
    const std::vector<EventGroup> groups = group_events(facts, facts.ranked(), grouping);
    for (const size_t row : chosen_rows(rows, groups.size()))
      take(event_group_view(facts, scale, groups[row]));
  });
  return view;
}

}  // namespace etlens
