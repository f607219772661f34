// SPDX-License-Identifier: Apache-2.0
// etlens/eventTable: a page of the table of events. Stateless: what is open, the client says.
#include <algorithm>
#include <set>
#include <span>

#include "core/facts/event_filter.h"
#include "core/facts/event_table.h"
#include "core/facts/running_cost.h"
#include "core/render/summary.h"
#include "server/features/event_items.h"
#include "server/features/features.h"

namespace etlens {
namespace {

constexpr uint32_t kDefaultRows = 1000;

// By group: the share of it and of all that cost more.
std::vector<double> running_by_group(const Facts& facts, const std::vector<EventGroup>& groups) {
  std::vector<size_t> order(groups.size());
  for (size_t g = 0; g < order.size(); ++g) order[g] = g;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return groups[a].cost.amount > groups[b].cost.amount;
  });
  RunningCost running(facts);
  std::vector<double> shares(groups.size());
  for (const size_t g : order) shares[g] = running.add(groups[g].cost).share;
  return shares;
}

// The rows as a person sees them, from the first to the last of a page.
class Page {
 public:
  Page(Session& session, const EventTable& table, const extensions::EventTableParams& params)
      : session_(session),
        facts_(*session.facts()),
        table_(table),
        first_(params.offset.value_or(0)),
        last_(first_ + params.limit.value_or(kDefaultRows)),
        locate_(params.locate),
        running_(running_by_event(facts_)),
        running_groups_(running_by_group(facts_, table.groups)) {
    if (params.open) open_.insert(params.open->begin(), params.open->end());
  }

  void write(extensions::EventTableResult& result) {
    for (const EventEntry& row : table_.rows) {
      if (row.group) add_group(*row.group, result);
      else add_event(row.event, 1, result);
    }
    result.row_count = at_;
  }

 private:
  bool is_on_page(uint64_t row) const { return row >= first_ && row < last_; }

  void add_event(ContributionId id, uint32_t level, extensions::EventTableResult& result) {
    if (level == 1 && locate_ == id.value)
      result.located = {static_cast<uint32_t>(at_), std::nullopt};
    if (is_on_page(at_++)) {
      extensions::EventRow row{level, std::nullopt, event_item(session_, id, running_),
                               std::nullopt};
      const EventView& event = row.event->event;
      row.exclude = excluding(event.title.value.value_or(event.event));
      result.rows.push_back(std::move(row));
    }
  }

  void add_group(size_t index, extensions::EventTableResult& result) {
    const EventGroup& group = table_.groups[index];
    const bool is_open = open_.contains(group.key);
    if (is_on_page(at_++))
      result.rows.push_back({1, group_item(index), std::nullopt, std::nullopt});
    if (locate_) locate_in(group, result);
    if (!is_open) return;
    // Groups before and behind the page are passed in one step.
    if (at_ >= last_ || at_ + group.events.size() <= first_) {
      at_ += group.events.size();
      return;
    }
    for (const ContributionId id : group.events) add_event(id, 2, result);
  }

  void locate_in(const EventGroup& group, extensions::EventTableResult& result) const {
    const auto at = std::find(group.events.begin(), group.events.end(), ContributionId(*locate_));
    if (at == group.events.end()) return;
    result.located = {static_cast<uint32_t>(at_ + (at - group.events.begin())), group.key};
  }

  extensions::EventGroupItem group_item(size_t index) const {
    const EventGroup& group = table_.groups[index];
    extensions::EventGroupItem item;
    item.key = group.key;
    item.name = group.name.empty() ? std::string(describe(facts_, group.part)) : group.name;
    item.exclude = excluding(group.name.empty() ? name_of(group.part) : group.name);
    item.is_open = open_.contains(group.key);
    item.sum = sum_of_events(session_, group.events.size(), group.cost);
    if (table_.rows.size() == table_.groups.size()) item.running_share = running_groups_[index];
    if (group.line.valid()) item.source = source_line(session_, facts_, group.line);
    item.change = line_change(session_, group.line);
    return item;
  }

  Session& session_;
  const Facts& facts_;
  const EventTable& table_;
  std::set<std::string, std::less<>> open_;
  uint64_t first_, last_;
  std::optional<uint32_t> locate_;
  std::vector<double> running_, running_groups_;
  uint64_t at_ = 0;  // the row that comes next
};

Error unknown(std::string_view what, std::string_view known) {
  return {ErrorCode::InvalidParams, std::string(what) + " is one of " + std::string(known)};
}

}  // namespace

Result<extensions::EventTableResult> tabulate_events(Session& session,
                                                     const extensions::EventTableParams& params) {
  extensions::EventTableResult result;
  result.head = list_head(session, session.facts());
  if (session.study() == nullptr) return result;
  std::optional<EventGrouping> grouping;
  if (params.group_by) {
    grouping = parse_event_grouping(*params.group_by);
    if (!grouping) return unknown("group_by", "line, module, operator, delegate, partition");
  }
  const std::optional<EventColumn> column = parse_event_column(params.sort_by.value_or("cost"));
  if (!column) return unknown("sort_by", "cost, line, operator, event, module, where, confidence");
  const Facts& facts = *session.facts();
  const EventTable table = event_table(facts, params.filter.value_or(""), grouping,
                                       {*column, !params.ascending.value_or(false)});
  result.sum = sum_of_events(session, table.events.size(), facts.cost_of(table.events));
  Page(session, table, params).write(result);
  return result;
}

}  // namespace etlens
