// SPDX-License-Identifier: Apache-2.0
// Events as the rows of a table: those that fit a filter, in groups or not, in the order of a
// column.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/facts/event_groups.h"

namespace etlens {

enum class EventColumn : uint8_t { Cost, Line, Operator, Event, Module, Where, Confidence };

// "cost", "line", "operator", "event", "module", "where", "confidence".
std::optional<EventColumn> parse_event_column(std::string_view name);

struct EventOrder {
  EventColumn column = EventColumn::Cost;
  bool is_descending = true;
};

// A row of the table, without those below it.
struct EventEntry {
  std::optional<size_t> group;  // into EventTable::groups; without one an event
  ContributionId event;         // else
};

struct EventTable {
  std::vector<ContributionId> events;  // all that fit, the most costly first
  std::vector<EventGroup> groups;      // each with its events in the order asked for
  std::vector<EventEntry> rows;        // in the order asked for
};

// Groups are in the order of their names where the column is what they are of, else in that of
// their cost. Without a grouping delegate calls whose own time is overhead are one group among the
// events. What has no value in the column comes last, both ways. Work grows with the number of
// events.
EventTable event_table(const Facts& facts, std::string_view filter,
                       std::optional<EventGrouping> grouping, EventOrder order);

}  // namespace etlens
