// SPDX-License-Identifier: Apache-2.0
// Events gathered by what they have in common: one line, module, operator, backend or delegate
// call.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts/facts.h"

namespace etlens {

enum class EventGrouping : uint8_t { Line, Module, Operator, Delegate, Partition };

// "line", "module", "operator", "delegate", "partition".
std::optional<EventGrouping> parse_event_grouping(std::string_view name);
// What people call that which is in common: "backend", "delegate call".
std::string_view name_of(EventGrouping grouping);

struct EventGroup {
  std::string key;                     // the same for the next dump of the same program
  std::string name;                    // as group_name has it; "" for `part`
  Part part = Part::Line;              // of events that have none of these
  LineId line;                         // of EventGrouping::Line; else invalid
  std::vector<ContributionId> events;  // in the order given
  Cost cost;
};

// What the group of an event is called: "blocks.py:16", a module path, an operator, "XNNPACK",
// "#2 XNNPACK". Of an event that has none of these what it is part of: "delegate_overhead".
std::string group_name(const Facts& facts, const ContributionFacts& event, EventGrouping grouping);

// Every event is in exactly one group. The most costly group first; ties in the order of their
// first event.
std::vector<EventGroup> group_events(const Facts& facts, std::span<const ContributionId> events,
                                     EventGrouping grouping);

// What the events of a group have beside their cost.
struct EventGroupDetail {
  std::vector<std::string> where;  // labels of the backends, "CPU" last
  std::vector<LineId> lines;       // ascending
  double occurrences = 0;          // of its events in one execution
};
EventGroupDetail detail_of(const Facts& facts, const EventGroup& group);

// Of events of one part that have no name in common.
EventGroup part_group(const Facts& facts, Part part, std::vector<ContributionId> events);

}  // namespace etlens
