// SPDX-License-Identifier: Apache-2.0
#include "core/facts/event_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/base/path.h"

namespace etlens {
namespace {

// What an event has in common with others; an empty name if nothing.
struct GroupKey {
  std::string name;
  LineId line;
};

GroupKey key_of(const Facts& facts, ContributionId id, EventGrouping grouping) {
  const ContributionFacts event = facts.contribution(id);
  switch (grouping) {
    case EventGrouping::Line: {
      if (!event.line.valid()) return {};
      const CodeLine& line = facts.code().lines[event.line.value];
      return {fmt::format("{}:{}", base_name(facts.code().recorded_path(line.file)), line.number),
              event.line};
    }
    case EventGrouping::Module:
      if (!event.module_path) return {};
      return {event.module_path->empty() ? "the model itself" : std::string(*event.module_path),
              {}};
    case EventGrouping::Operator:
      return {std::string(event.op), {}};
    case EventGrouping::Delegate:
      if (event.part == Part::Framework || event.part == Part::Dispatch) return {};
      return {event.backend.empty() ? "CPU" : event.where, {}};
  }
  return {};
}

}  // namespace

std::optional<EventGrouping> parse_event_grouping(std::string_view name) {
  if (name == "line") return EventGrouping::Line;
  if (name == "module") return EventGrouping::Module;
  if (name == "operator") return EventGrouping::Operator;
  if (name == "delegate") return EventGrouping::Delegate;
  return std::nullopt;
}

std::vector<EventGroup> group_events(const Facts& facts, std::span<const ContributionId> events,
                                     EventGrouping grouping) {
  std::vector<EventGroup> groups;
  std::unordered_map<std::string, size_t> index;
  for (const ContributionId id : events) {
    GroupKey key = key_of(facts, id, grouping);
    const Part part = (*facts.measure().landings)[id].part;
    // Two files may have one name: lines are told apart by what they are.
    const std::string text = key.line.valid()   ? fmt::format("line {}", key.line.value)
                             : key.name.empty() ? fmt::format("part {}", name_of(part))
                                                : "name " + key.name;
    const auto [at, is_new] = index.try_emplace(text, groups.size());
    if (is_new) groups.push_back({std::move(key.name), part, key.line, {}, {}});
    groups[at->second].events.push_back(id);
  }
  for (EventGroup& group : groups) group.cost = facts.cost_of(group.events);
  std::stable_sort(groups.begin(), groups.end(), [](const EventGroup& a, const EventGroup& b) {
    return a.cost.amount > b.cost.amount;
  });
  return groups;
}

}  // namespace etlens
