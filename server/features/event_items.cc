// SPDX-License-Identifier: Apache-2.0
#include "server/features/event_items.h"

#include "core/facts/ranking.h"
#include "core/render/summary.h"
#include "server/features/features.h"

namespace etlens {

std::optional<extensions::ChangeItem> line_change(const Session& session, LineId line) {
  const Change* change = line.valid() ? session.change_of(line, false) : nullptr;
  return change == nullptr ? std::nullopt : std::optional(change_item(session, *change));
}

extensions::SumOfEvents sum_of_events(const Session& session, size_t count, const Cost& cost) {
  const Facts& facts = *session.facts();
  return {count, scale_of(facts).of(cost), cost.amount.value,
          value_words(session, facts, cost.value), cost.share};
}

std::vector<double> running_by_event(const Facts& facts) {
  const std::vector<double> running = running_shares(facts);
  std::vector<double> shares(facts.contribution_count());
  for (size_t i = 0; i < running.size(); ++i) shares[facts.ranked()[i].value] = running[i];
  return shares;
}

extensions::EventItem event_item(Session& session, ContributionId id,
                                 const std::vector<double>& running) {
  const Facts& facts = *session.facts();
  const ContributionFacts event = facts.contribution(id);
  const PerfData statistics = facts.statistics({&id, 1});
  const std::optional<Interval> interval = facts.interval({&id, 1});
  extensions::EventItem item;
  item.id = id.value;
  const SourceView* view = nullptr;
  const auto anchor_of = [&](LineId line) -> const Anchor& {
    view = session.sources_of(facts).view(facts.code().lines[line.value].file);
    return anchor_in(view, facts.code(), line);
  };
  item.event = event_view(facts, anchor_of, scale_of(facts), id, statistics, interval);
  item.uri = uri_in(view);
  if (event.line.valid())
    item.line_text = facts.code().text(facts.code().lines[event.line.value].text);
  item.self_text = value_words(session, facts, event.self.value);
  item.p50_text = value_words(session, facts, statistics.p50);
  item.p90_text = value_words(session, facts, statistics.p90);
  item.spread_text = spread_words(session, facts, event.self, interval);
  item.part_text = describe(facts, event.part);
  if (!event.backend.empty()) item.where = event.where;
  if (event.module_path)
    item.module_text = event.module_path->empty() ? "the model itself" : *event.module_path;
  item.running_share = running[id.value];
  item.change = line_change(session, event.line);
  return item;
}

}  // namespace etlens
