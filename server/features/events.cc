// SPDX-License-Identifier: Apache-2.0
// etlens/events: the ranked events, or groups of them, page by page.
#include <algorithm>
#include <span>

#include "core/facts/event_groups.h"
#include "core/facts/ranking.h"
#include "core/facts/running_cost.h"
#include "core/render/summary.h"
#include "server/features/features.h"

namespace etlens {
namespace {

constexpr uint32_t kDefaultEvents = 1000;

bool matches(const ContributionFacts& event, std::string_view query) {
  return name_matches(event.name, query) || name_matches(event.op, query) ||
         (event.module_path && name_matches(*event.module_path, query));
}

// Of its own time, whatever part of it the event is.
std::optional<extensions::ChangeItem> line_change(const Session& session, LineId line) {
  const Change* change = line.valid() ? session.change_of(line, false) : nullptr;
  return change == nullptr ? std::nullopt : std::optional(change_item(session, *change));
}

extensions::EventItem event_item(Session& session, ContributionId id) {
  const Facts& facts = *session.facts();
  const ContributionFacts event = facts.contribution(id);
  const PerfData statistics = facts.statistics({&id, 1});
  extensions::EventItem item;
  item.id = id.value;
  item.name = event.name;
  if (!event.op.empty()) item.operatorName = event.op;
  item.part = name_of(event.part);
  item.partText = describe(facts, event.part);
  if (!event.backend.empty()) item.backend = event.where;
  if (facts.has_events()) {
    const std::optional<Instruction> instruction = facts.event(id).instruction;
    if (instruction) item.instruction = instruction->value;
  }
  if (!event.remark.empty()) item.remark = event.remark;
  if (event.partition.valid())
    item.partition = facts.code().partitions[event.partition.value].number;
  item.module = event.module_path;
  item.self = amount_value(session, facts, event.self.value);
  item.p50 = amount_value(session, facts, statistics.p50);
  item.p90 = amount_value(session, facts, statistics.p90);
  if (const std::optional<Interval> interval = facts.interval({&id, 1})) {
    item.low = amount_value(session, facts, interval->low);
    item.high = amount_value(session, facts, interval->high);
  }
  item.disturbance = disturbance_of(session, facts, event.self);
  item.share = event.self.share;
  item.occurrences = event.occurrences;
  if (event.has_place()) item.confidence = name_of(event.confidence);
  if (event.line.valid()) item.source = source_line(session, facts, event.line);
  item.change = line_change(session, event.line);
  return item;
}

// Events in the order of their cost. The running share is of the whole ranking, or of one group.
struct Ranking {
  std::vector<ContributionId> events;
  std::vector<double> running;  // of the event and all before it
};

Ranking rank(const Facts& facts, const std::string& query) {
  std::vector<double> running = running_shares(facts);
  if (query.empty()) return {facts.ranked(), std::move(running)};
  Ranking ranking;
  for (size_t i = 0; i < running.size(); ++i) {
    const ContributionId id = facts.ranked()[i];
    if (!matches(facts.contribution(id), query)) continue;
    ranking.events.push_back(id);
    ranking.running.push_back(running[i]);
  }
  return ranking;
}

std::optional<uint32_t> index_of(std::span<const ContributionId> events, uint32_t id) {
  const auto at = std::find(events.begin(), events.end(), ContributionId(id));
  if (at == events.end()) return std::nullopt;
  return static_cast<uint32_t>(at - events.begin());
}

Ranking of_group(const Facts& facts, const EventGroup& group) {
  Ranking ranking{group.events, {}};
  RunningCost running(facts);
  for (const ContributionId id : group.events)
    ranking.running.push_back(running.add(facts.cost_of({&id, 1})).share);
  return ranking;
}

void add_page(Session& session, const extensions::EventsParams& params, const Ranking& ranking,
              extensions::EventsResult& result) {
  const size_t size = ranking.events.size();
  const size_t first = std::min<size_t>(params.offset.value_or(0), size);
  const size_t last = first + std::min<size_t>(params.limit.value_or(kDefaultEvents), size - first);
  for (size_t i = first; i < last; ++i) {
    result.events.push_back(event_item(session, ranking.events[i]));
    result.events.back().runningShare = ranking.running[i];
  }
  result.more = size - last;
}

void add_groups(Session& session, const std::vector<EventGroup>& groups,
                extensions::EventsResult& result) {
  const Facts& facts = *session.facts();
  RunningCost running(facts);
  for (const EventGroup& group : groups) {
    extensions::EventGroupItem item;
    item.name = group.name.empty() ? std::string(describe(facts, group.part)) : group.name;
    item.count = group.events.size();
    item.self = amount_value(session, facts, group.cost.value);
    item.share = group.cost.share;
    item.runningShare = running.add(group.cost).share;
    if (group.line.valid()) item.source = source_line(session, facts, group.line);
    item.change = line_change(session, group.line);
    result.groups.push_back(std::move(item));
  }
}

Result<extensions::EventsResult> list_grouped(Session& session,
                                              const extensions::EventsParams& params,
                                              std::span<const ContributionId> events,
                                              extensions::EventsResult result) {
  const std::optional<EventGrouping> grouping = parse_event_grouping(*params.groupBy);
  if (!grouping)
    return Error{ErrorCode::InvalidParams, "groupBy is one of line, module, operator, delegate"};
  const Facts& facts = *session.facts();
  const std::vector<EventGroup> groups = group_events(facts, events, *grouping);
  if (params.locate) {
    for (size_t g = 0; g < groups.size() && !result.located; ++g) {
      const std::optional<uint32_t> at = index_of(groups[g].events, *params.locate);
      if (at) result.located = extensions::LocatedEvent{static_cast<uint32_t>(g), *at};
    }
  }
  if (!params.group) add_groups(session, groups, result);
  else if (*params.group < groups.size())
    add_page(session, params, of_group(facts, groups[*params.group]), result);
  return result;
}

}  // namespace

Result<extensions::EventsResult> list_events(Session& session,
                                             const extensions::EventsParams& params) {
  extensions::EventsResult result;
  result.generation = session.generation();
  if (session.study() == nullptr) return result;
  const Facts& facts = *session.facts();
  const Ranking ranking = rank(facts, params.query.value_or(""));
  const Cost cost = facts.cost_of(ranking.events);
  result.count = ranking.events.size();
  result.self = amount_value(session, facts, cost.value);
  result.share = cost.share;
  if (params.groupBy) return list_grouped(session, params, ranking.events, std::move(result));
  add_page(session, params, ranking, result);
  if (params.locate) {
    const std::optional<uint32_t> at = index_of(ranking.events, *params.locate);
    if (at) result.located = extensions::LocatedEvent{std::nullopt, *at};
  }
  return result;
}

}  // namespace etlens
