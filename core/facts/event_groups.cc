// SPDX-License-Identifier: Apache-2.0
#include "core/facts/event_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/base/path.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

struct Place {
  std::string name;  // "" if the event has none
  LineId line;
};

Place place_of(const Profile& profile, const EventRow& event, EventGrouping grouping) {
  switch (grouping) {
    case EventGrouping::Line: {
      if (!event.line.valid()) return {};
      const LineRow& line = profile.lines[event.line.value];
      const std::string_view path =
          profile.record->text(profile.files[line.file.value].recorded_path);
      return {fmt::format("{}:{}", base_name(path), line.line), event.line};
    }
    case EventGrouping::Module:
      if (!event.module.valid()) return {};
      return {profile.modules[event.module.value].path, {}};
    case EventGrouping::Operator:
      if (!event.node.valid()) return {};
      return {std::string(profile.record->text(profile.record->nodes[event.node.value].target)),
              {}};
    case EventGrouping::Delegate: {
      if (event.part == TimePart::Framework || event.part == TimePart::Dispatch) return {};
      const std::string_view backend = profile.backend_of(event);
      return {backend.empty() ? "CPU" : profile.backends.label(backend), {}};
    }
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

std::vector<EventGroup> group_events(const Profile& profile, std::span<const EventId> events,
                                     EventGrouping grouping) {
  std::vector<EventGroup> groups;
  std::unordered_map<std::string, size_t> index;
  for (const EventId id : events) {
    const EventRow& event = profile.events[id.value];
    Place place = place_of(profile, event, grouping);
    // Two files may have one name: lines are told apart by what they are.
    std::string key =
        place.line.valid() ? fmt::format("line {}", place.line.value) : "name " + place.name;
    if (place.name.empty() && !(grouping == EventGrouping::Module && event.module.valid())) {
      place.name = describe(event.part);
      key = "part " + place.name;
    } else if (place.name.empty()) {
      place.name = "the model itself";
    }
    const auto [at, is_new] = index.try_emplace(std::move(key), groups.size());
    if (is_new) groups.push_back({std::move(place.name), place.line, {}, {}});
    groups[at->second].events.push_back(id);
  }
  for (EventGroup& group : groups) group.sum = roll_up(profile, group.events);
  std::stable_sort(groups.begin(), groups.end(), [](const EventGroup& a, const EventGroup& b) {
    return a.sum.self_ticks > b.sum.self_ticks;
  });
  return groups;
}

}  // namespace etlens
