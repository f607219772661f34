// SPDX-License-Identifier: Apache-2.0
#include "core/render/event_groups_report.h"

#include <set>

#include "core/render/cells.h"
#include "core/render/report_writer.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

// What the events of a group have beside their cost.
struct GroupRow {
  std::vector<std::string> where;  // labels of the backends, "CPU" last
  std::vector<LineId> lines;       // ascending
  double runs = 0;                 // of its events in one execution
};

GroupRow row_of(const Facts& facts, const EventGroup& group) {
  GroupRow row;
  std::set<LineId> lines;
  for (const ContributionId id : group.events) {
    const ContributionFacts event = facts.contribution(id);
    row.runs += event.occurrences;
    if (event.line.valid()) lines.insert(event.line);
  }
  row.lines.assign(lines.begin(), lines.end());
  row.where = facts.where_ran(group.events);
  return row;
}

std::string name_of_group(const Facts& facts, const EventGroup& group, bool is_human) {
  if (!group.name.empty()) return group.name;
  return std::string(is_human ? describe(facts, group.part) : name_of(group.part));
}

std::string_view title_of(EventGrouping grouping) {
  switch (grouping) {
    case EventGrouping::Line:
      return "line";
    case EventGrouping::Module:
      return "module";
    case EventGrouping::Operator:
      return "operator";
    case EventGrouping::Delegate:
      return "backend";
    case EventGrouping::Partition:
      break;
  }
  return "delegate call";
}

}  // namespace

Table event_groups_table(const Facts& facts, EventGrouping grouping, const TableOptions& options) {
  const Cells cells(facts, options);
  Table table;
  table.columns = {{std::string(title_of(grouping))},
                   {cells.header("self"), Align::Right},
                   {"share", Align::Right},
                   {"sum", Align::Right},
                   {"events", Align::Right},
                   {.name = "n", .align = Align::Right, .key = "occurrences"},
                   {"where"},
                   {"lines"}};
  double sum = 0;
  for (const EventGroup& group : group_events(facts, facts.ranked(), grouping)) {
    const GroupRow row = row_of(facts, group);
    sum += group.cost.share;
    table.rows.push_back({name_of_group(facts, group, cells.is_human()), cells.cost(group.cost),
                          cells.share(group.cost.share), cells.share(sum),
                          std::to_string(group.events.size()), cells.count(row.runs),
                          cells.list(row.where), cells.lines(row.lines)});
  }
  return table;
}

std::string event_groups_json(const Facts& facts, EventGrouping grouping, TimeScale target,
                              const RowChoice& rows) {
  ReportWriter out(facts, target);
  JsonWriter& json = out.json();
  out.head("etlens/event-groups@1");
  out.reconciliation();
  json.field("by", title_of(grouping)).key("groups").begin_array();
  const std::vector<EventGroup> groups = group_events(facts, facts.ranked(), grouping);
  for (const size_t at : chosen_rows(rows, groups.size())) {
    const EventGroup& group = groups[at];
    const GroupRow row = row_of(facts, group);
    json.begin_object().field("name", std::string_view(name_of_group(facts, group, false)));
    json.key("part");
    if (group.name.empty()) json.value(name_of(group.part));
    else json.null();
    out.cost("self", group.cost);
    json.field("share", group.cost.share).field("events", group.events.size());
    json.field("occurrences", row.runs).key("where").begin_array();
    for (const std::string& where : row.where) json.value(std::string_view(where));
    json.end_array().key("lines").begin_array();
    for (const LineId line : row.lines) out.place(line);
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace etlens
