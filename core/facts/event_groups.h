// SPDX-License-Identifier: Apache-2.0
// Events gathered by what they have in common: one line, module, operator or backend.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts/facts.h"

namespace etlens {

enum class EventGrouping : uint8_t { Line, Module, Operator, Delegate };

// "line", "module", "operator", "delegate".
std::optional<EventGrouping> parse_event_grouping(std::string_view name);

struct EventGroup {
  std::string name;        // "blocks.py:16", a module path, an operator, "XNNPACK"; "" for `part`
  Part part = Part::Line;  // of events that have none of these
  LineId line;             // of EventGrouping::Line; else invalid
  std::vector<ContributionId> events;  // in the order given
  Cost cost;
};

// Every event is in exactly one group. The most costly group first; ties in the order of their
// first event.
std::vector<EventGroup> group_events(const Facts& facts, std::span<const ContributionId> events,
                                     EventGrouping grouping);

}  // namespace etlens
