// SPDX-License-Identifier: Apache-2.0
// etlens/events: the ranked events, or groups of them, page by page.
#include <algorithm>
#include <span>

#include "core/facts/event_groups.h"
#include "core/render/format.h"
#include "core/facts/hotspots.h"
#include "core/facts/locate.h"
#include "core/render/summary.h"
#include "server/features/features.h"

namespace etlens {
namespace {

constexpr uint32_t kDefaultEvents = 1000;

std::optional<std::string> operator_of(const Profile& profile, const EventRow& row) {
  if (!row.node.valid()) return std::nullopt;
  return std::string(profile.record->text(profile.record->nodes[row.node.value].target));
}

bool matches(const Profile& profile, EventId id, std::string_view query) {
  const EventRow& row = profile.events[id.value];
  return query.empty() || name_matches(profile.readable_name(row), query) ||
         name_matches(operator_of(profile, row).value_or(""), query) ||
         (row.module.valid() && name_matches(profile.modules[row.module.value].path, query));
}

lsp::EventItem event_item(Session& session, EventId id) {
  const PreparedProfile& prepared = *session.prepared();
  const Profile& profile = prepared.profile();
  const EventRow& row = profile.events[id.value];
  const PerfData& statistics = prepared.statistics[id.value];
  lsp::EventItem item;
  item.id = id.value;
  item.name = profile.readable_name(row);
  item.operatorName = operator_of(profile, row);
  item.part = name_of(row.part);
  item.partText = describe(row.part);
  if (const std::string_view backend = profile.backend_of(row); !backend.empty())
    item.backend = profile.backends.label(backend);
  if (row.key.in_instruction()) item.instruction = row.key.instruction;
  if (row.partition.valid()) item.partition = profile.partitions[row.partition.value].number;
  if (row.module.valid()) item.module = profile.modules[row.module.value].path;
  item.self = time_value(session, prepared.snapshot->average(row.self_ticks));
  item.p50 = time_value(session, statistics.p50);
  item.p90 = time_value(session, statistics.p90);
  item.share = profile.share(row.self_ticks);
  item.occurrences = prepared.snapshot->average(row.occurrences);
  const bool has_place = row.part == TimePart::Line || row.part == TimePart::OpaquePartition;
  if (has_place) item.confidence = name_of(row.confidence);
  if (row.line.valid()) item.source = source_line(session, row.line);
  return item;
}

// Events in the order of their cost. The running sum is of the whole ranking, or of one group.
struct Ranking {
  std::vector<EventId> events;
  std::vector<uint64_t> running;  // ticks of the event and all before it
};

Ranking rank(const Profile& profile, std::string_view query) {
  Ranking ranking;
  uint64_t running = 0;
  for (const EventId id : ranked_events(profile)) {
    running += profile.events[id.value].self_ticks;
    if (!matches(profile, id, query)) continue;
    ranking.events.push_back(id);
    ranking.running.push_back(running);
  }
  return ranking;
}

std::optional<uint32_t> index_of(std::span<const EventId> events, uint32_t id) {
  const auto at = std::find(events.begin(), events.end(), EventId(id));
  if (at == events.end()) return std::nullopt;
  return static_cast<uint32_t>(at - events.begin());
}

Ranking of_group(const Profile& profile, const EventGroup& group) {
  Ranking ranking{group.events, {}};
  uint64_t running = 0;
  for (const EventId id : group.events)
    ranking.running.push_back(running += profile.events[id.value].self_ticks);
  return ranking;
}

void add_page(Session& session, const lsp::EventsParams& params, const Ranking& ranking,
              lsp::EventsResult& result) {
  const size_t size = ranking.events.size();
  const size_t first = std::min<size_t>(params.offset.value_or(0), size);
  const size_t last = first + std::min<size_t>(params.limit.value_or(kDefaultEvents), size - first);
  for (size_t i = first; i < last; ++i) {
    result.events.push_back(event_item(session, ranking.events[i]));
    result.events.back().runningShare = session.prepared()->profile().share(ranking.running[i]);
  }
  result.more = size - last;
}

void add_groups(Session& session, const std::vector<EventGroup>& groups,
                lsp::EventsResult& result) {
  const PreparedProfile& prepared = *session.prepared();
  uint64_t running = 0;
  for (const EventGroup& group : groups) {
    running += group.sum.self_ticks;
    lsp::EventGroupItem item;
    item.name = group.name;
    item.count = group.events.size();
    item.self = time_value(session, prepared.snapshot->average(group.sum.self_ticks));
    item.share = prepared.profile().share(group.sum.self_ticks);
    item.runningShare = prepared.profile().share(running);
    if (group.line.valid()) item.source = source_line(session, group.line);
    result.groups.push_back(std::move(item));
  }
}

Result<lsp::EventsResult> list_grouped(Session& session, const lsp::EventsParams& params,
                                       std::span<const EventId> events, lsp::EventsResult result) {
  const std::optional<EventGrouping> grouping = parse_event_grouping(*params.groupBy);
  if (!grouping)
    return Error{ErrorCode::InvalidParams, "groupBy is one of line, module, operator, delegate"};
  const std::vector<EventGroup> groups =
      group_events(session.prepared()->profile(), events, *grouping);
  if (params.locate) {
    for (size_t g = 0; g < groups.size() && !result.located; ++g) {
      const std::optional<uint32_t> at = index_of(groups[g].events, *params.locate);
      if (at) result.located = lsp::LocatedEvent{static_cast<uint32_t>(g), *at};
    }
  }
  if (!params.group) add_groups(session, groups, result);
  else if (*params.group < groups.size())
    add_page(session, params, of_group(session.prepared()->profile(), groups[*params.group]),
             result);
  return result;
}

}  // namespace

Result<lsp::EventsResult> list_events(Session& session, const lsp::EventsParams& params) {
  lsp::EventsResult result;
  result.generation = session.generation();
  if (session.prepared() == nullptr) return result;
  const PreparedProfile& prepared = *session.prepared();
  const Profile& profile = prepared.profile();
  const Ranking ranking = rank(profile, params.query.value_or(""));
  const Rollup sum = roll_up(profile, ranking.events);
  result.count = ranking.events.size();
  result.self = time_value(session, prepared.snapshot->average(sum.self_ticks));
  result.share = profile.share(sum.self_ticks);
  if (params.groupBy) return list_grouped(session, params, ranking.events, std::move(result));
  add_page(session, params, ranking, result);
  if (params.locate) {
    const std::optional<uint32_t> at = index_of(ranking.events, *params.locate);
    if (at) result.located = lsp::LocatedEvent{std::nullopt, *at};
  }
  return result;
}

}  // namespace etlens
