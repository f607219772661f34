// SPDX-License-Identifier: Apache-2.0
#include "core/render/event_groups_report.h"

#include "core/render/cells.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

std::string name_of_group(const Facts& facts, const EventGroup& group, bool is_human) {
  if (!group.name.empty()) return group.name;
  return std::string(is_human ? describe(facts, group.part) : name_of(group.part));
}

}  // namespace

Table event_groups_table(const Facts& facts, EventGrouping grouping, const TableOptions& options) {
  const Cells cells(facts, options);
  Table table;
  table.columns = {{std::string(name_of(grouping))},
                   {cells.header("self"), Align::Right},
                   {"share", Align::Right},
                   {"sum", Align::Right},
                   {"events", Align::Right},
                   {.name = "n", .align = Align::Right, .key = "occurrences"},
                   {"where"},
                   {"lines"}};
  double sum = 0;
  for (const EventGroup& group : group_events(facts, facts.ranked(), grouping)) {
    const EventGroupDetail row = detail_of(facts, group);
    sum += group.cost.share;
    table.rows.push_back({name_of_group(facts, group, cells.is_human()), cells.cost(group.cost),
                          cells.share(group.cost.share), cells.share(sum),
                          std::to_string(group.events.size()), cells.count(row.occurrences),
                          cells.list(row.where), cells.lines(row.lines)});
  }
  return table;
}

}  // namespace etlens
