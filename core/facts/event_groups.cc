// SPDX-License-Identifier: Apache-2.0
#include "core/facts/event_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/base/path.h"

namespace etlens {
namespace {

// Of an event without a node, by its name alone: "expand_copy.out" of a kernel, "Softmax (NC, F32)"
// of the first of several in a delegate call. "" if its name names no operator.
std::string logged_operator(const ContributionFacts& event) {
  if (event.part != Part::Unattributed && event.part != Part::OpaquePartition) return {};
  constexpr std::string_view kKernel = "native_call_";
  std::string_view name = event.name;
  if (name == "OPERATOR_CALL" || name == "DELEGATE_CALL") return {};
  if (name.starts_with(kKernel)) name.remove_prefix(kKernel.size());
  const size_t number = name.rfind(" #");
  const bool is_numbered = number != std::string_view::npos && number + 2 < name.size() &&
                           name.find_first_not_of("0123456789", number + 2) == name.npos;
  return std::string(is_numbered ? name.substr(0, number) : name);
}

// "" if the event has nothing of the kind in common with others.
std::string own_name(const Facts& facts, const ContributionFacts& event, EventGrouping grouping) {
  switch (grouping) {
    case EventGrouping::Line: {
      if (!event.line.valid()) return {};
      const CodeLine& line = facts.code().lines[event.line.value];
      return fmt::format("{}:{}", base_name(facts.code().recorded_path(line.file)), line.number);
    }
    case EventGrouping::Module:
      if (!event.module_path) return {};
      return event.module_path->empty() ? "the model itself" : std::string(*event.module_path);
    case EventGrouping::Operator:
      return event.op.empty() ? logged_operator(event) : std::string(event.op);
    case EventGrouping::Delegate:
      if (event.part == Part::Framework || event.part == Part::Dispatch) return {};
      return event.backend.empty() ? "CPU" : event.where;
    case EventGrouping::Partition:
      if (!event.partition.valid()) return {};
      return fmt::format("#{} {}", facts.code().partitions[event.partition.value].number,
                         event.where);
  }
  return {};
}

std::string part_key(Part part) { return fmt::format("part {}", name_of(part)); }

// Two files may have one name: lines are told apart by their whole path.
std::string key_of(const Facts& facts, const ContributionFacts& event, const std::string& name,
                   EventGrouping grouping) {
  if (name.empty()) return part_key(event.part);
  if (grouping != EventGrouping::Line) return "name " + name;
  const CodeLine& line = facts.code().lines[event.line.value];
  return fmt::format("line {}:{}", facts.code().recorded_path(line.file), line.number);
}

}  // namespace

std::optional<EventGrouping> parse_event_grouping(std::string_view name) {
  if (name == "line") return EventGrouping::Line;
  if (name == "module") return EventGrouping::Module;
  if (name == "operator") return EventGrouping::Operator;
  if (name == "delegate") return EventGrouping::Delegate;
  if (name == "partition") return EventGrouping::Partition;
  return std::nullopt;
}

std::string_view name_of(EventGrouping grouping) {
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

std::string group_name(const Facts& facts, const ContributionFacts& event, EventGrouping grouping) {
  std::string name = own_name(facts, event, grouping);
  return name.empty() ? std::string(name_of(event.part)) : name;
}

std::vector<EventGroup> group_events(const Facts& facts, std::span<const ContributionId> events,
                                     EventGrouping grouping) {
  std::vector<EventGroup> groups;
  std::unordered_map<std::string, size_t> index;
  for (const ContributionId id : events) {
    const ContributionFacts event = facts.contribution(id);
    std::string name = own_name(facts, event, grouping);
    std::string key = key_of(facts, event, name, grouping);
    const auto [at, is_new] = index.try_emplace(key, groups.size());
    const LineId line = grouping == EventGrouping::Line ? event.line : LineId();
    if (is_new) groups.push_back({std::move(key), std::move(name), event.part, line, {}, {}});
    groups[at->second].events.push_back(id);
  }
  for (EventGroup& group : groups) group.cost = facts.cost_of(group.events);
  std::stable_sort(groups.begin(), groups.end(), [](const EventGroup& a, const EventGroup& b) {
    return a.cost.amount > b.cost.amount;
  });
  return groups;
}

EventGroupDetail detail_of(const Facts& facts, const EventGroup& group) {
  EventGroupDetail detail;
  std::set<LineId> lines;
  for (const ContributionId id : group.events) {
    const ContributionFacts event = facts.contribution(id);
    detail.occurrences += event.occurrences;
    if (event.line.valid()) lines.insert(event.line);
  }
  detail.lines.assign(lines.begin(), lines.end());
  detail.where = facts.where_ran(group.events);
  return detail;
}

EventGroup part_group(const Facts& facts, Part part, std::vector<ContributionId> events) {
  EventGroup group{part_key(part), "", part, {}, std::move(events), {}};
  group.cost = facts.cost_of(group.events);
  return group;
}

}  // namespace etlens
