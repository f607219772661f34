// SPDX-License-Identifier: Apache-2.0
#include "core/facts/event_table.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>

#include "core/base/text.h"
#include "core/facts/event_filter.h"

namespace etlens {
namespace {

// What one row has in a column; text first, then number. Amounts have no key: rows come in their
// order.
struct SortKey {
  std::string text;
  uint32_t number = 0;
  bool is_missing = false;
};

SortKey key_of(const Facts& facts, ContributionId id, EventColumn column) {
  const ContributionFacts event = facts.contribution(id);
  switch (column) {
    case EventColumn::Line: {
      if (!event.line.valid()) return {"", 0, true};
      const CodeLine& line = facts.code().lines[event.line.value];
      return {std::string(facts.code().recorded_path(line.file)), line.number, false};
    }
    case EventColumn::Operator:
      return {std::string(event.op), 0, event.op.empty()};
    case EventColumn::Event:
      return {event.name, 0, false};
    case EventColumn::Module:
      return {std::string(event.module_path.value_or("")), 0, !event.module_path};
    case EventColumn::Where:
      return {event.where, 0, !event.has_place() && event.where.empty()};
    case EventColumn::Confidence:
      return {"", static_cast<uint32_t>(event.confidence), !event.has_place()};
    case EventColumn::Cost:
      break;
  }
  return {};
}

// By key, the place of its text among all texts: these are few beside the rows.
std::vector<uint32_t> text_ranks(const std::vector<SortKey>& keys) {
  std::unordered_map<std::string_view, uint32_t> ranks;
  for (const SortKey& key : keys) ranks.try_emplace(key.text, 0);
  std::vector<std::string_view> texts;
  texts.reserve(ranks.size());
  for (const auto& [text, rank] : ranks) texts.push_back(text);
  std::sort(texts.begin(), texts.end(), [](std::string_view a, std::string_view b) {
    // Names that only differ in zeros of their numbers have an order, too.
    return natural_less(a, b) || (!natural_less(b, a) && a < b);
  });
  for (uint32_t i = 0; i < texts.size(); ++i) ranks[texts[i]] = i;
  std::vector<uint32_t> found;
  found.reserve(keys.size());
  for (const SortKey& key : keys) found.push_back(ranks[key.text]);
  return found;
}

// The rows in the order of their keys, as they were among equals.
std::vector<size_t> sorted(const std::vector<SortKey>& keys, bool is_descending) {
  const std::vector<uint32_t> ranks = text_ranks(keys);
  std::vector<size_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (keys[a].is_missing || keys[b].is_missing) return keys[b].is_missing > keys[a].is_missing;
    if (is_descending) std::swap(a, b);
    return std::pair(ranks[a], keys[a].number) < std::pair(ranks[b], keys[b].number);
  });
  return order;
}

// `events`: the most costly first; stays so among equals.
void sort_events(const Facts& facts, std::vector<ContributionId>& events, EventOrder order) {
  if (order.column == EventColumn::Cost) {
    if (!order.is_descending) std::reverse(events.begin(), events.end());
    return;
  }
  std::vector<SortKey> keys;
  keys.reserve(events.size());
  for (const ContributionId id : events) keys.push_back(key_of(facts, id, order.column));
  std::vector<ContributionId> moved;
  moved.reserve(events.size());
  for (const size_t row : sorted(keys, order.is_descending)) moved.push_back(events[row]);
  events = std::move(moved);
}

std::optional<EventGrouping> grouping_of(EventColumn column) {
  switch (column) {
    case EventColumn::Line:
      return EventGrouping::Line;
    case EventColumn::Operator:
      return EventGrouping::Operator;
    case EventColumn::Module:
      return EventGrouping::Module;
    case EventColumn::Where:
      return EventGrouping::Delegate;
    case EventColumn::Cost:
    case EventColumn::Event:
    case EventColumn::Confidence:
      break;
  }
  return std::nullopt;
}

// `groups`: the most costly first.
void sort_groups(std::vector<EventGroup>& groups, EventGrouping grouping, EventOrder order) {
  if (order.column == EventColumn::Cost) {
    if (!order.is_descending) std::reverse(groups.begin(), groups.end());
    return;
  }
  if (grouping_of(order.column) != grouping) return;
  std::vector<SortKey> keys;
  keys.reserve(groups.size());
  for (const EventGroup& group : groups) keys.push_back({group.key, 0, group.name.empty()});
  std::vector<EventGroup> moved;
  for (const size_t row : sorted(keys, order.is_descending))
    moved.push_back(std::move(groups[row]));
  groups = std::move(moved);
}

// Delegate calls are many, and what each took beyond its operators is little: one row of all.
void fold_overhead(const Facts& facts, EventTable& table, EventOrder order) {
  const auto is_overhead = [&](ContributionId id) {
    return (*facts.measure().landings)[id].part == Part::DelegateOverhead;
  };
  std::vector<ContributionId> folded;
  std::copy_if(table.events.begin(), table.events.end(), std::back_inserter(folded), is_overhead);
  std::vector<ContributionId> shown;
  std::remove_copy_if(table.events.begin(), table.events.end(), std::back_inserter(shown),
                      is_overhead);
  if (folded.size() > 1) {
    sort_events(facts, folded, order);
    table.groups.push_back(part_group(facts, Part::DelegateOverhead, std::move(folded)));
  } else {
    shown = table.events;
  }
  sort_events(facts, shown, order);
  for (const ContributionId id : shown) table.rows.push_back({std::nullopt, id});
  if (table.groups.empty()) return;
  auto at = table.rows.end();
  if (order.column == EventColumn::Cost) {
    const Amount amount = table.groups[0].cost.amount;
    at = std::find_if(table.rows.begin(), table.rows.end(), [&](const EventEntry& row) {
      const Amount other = facts.measure().self[row.event.value].amount;
      return order.is_descending ? other < amount : amount < other;
    });
  }
  table.rows.insert(at, {0, ContributionId()});
}

}  // namespace

std::optional<EventColumn> parse_event_column(std::string_view name) {
  static const std::unordered_map<std::string_view, EventColumn> kColumns = {
      {"cost", EventColumn::Cost},
      {"line", EventColumn::Line},
      {"operator", EventColumn::Operator},
      {"event", EventColumn::Event},
      {"module", EventColumn::Module},
      {"where", EventColumn::Where},
      {"confidence", EventColumn::Confidence}};
  const auto at = kColumns.find(name);
  return at == kColumns.end() ? std::nullopt : std::optional(at->second);
}

EventTable event_table(const Facts& facts, std::string_view filter,
                       std::optional<EventGrouping> grouping, EventOrder order) {
  EventTable table;
  const EventFilter wanted(filter);
  for (const ContributionId id : facts.ranked()) {
    if (wanted.matches(facts, id)) table.events.push_back(id);
  }
  if (!grouping) {
    fold_overhead(facts, table, order);
    return table;
  }
  table.groups = group_events(facts, table.events, *grouping);
  sort_groups(table.groups, *grouping, order);
  for (size_t g = 0; g < table.groups.size(); ++g) {
    sort_events(facts, table.groups[g].events, order);
    table.rows.push_back({g, ContributionId()});
  }
  return table;
}

}  // namespace etlens
