// SPDX-License-Identifier: Apache-2.0
// etlens/events: the ranked events, page by page.
#include <algorithm>

#include "core/facts/ranking.h"
#include "core/facts/symbols.h"
#include "server/features/event_items.h"
#include "server/features/features.h"

namespace etlens {
namespace {

constexpr uint32_t kDefaultEvents = 1000;

bool matches(const ContributionFacts& event, std::string_view query) {
  return name_matches(event.name, query) || name_matches(event.op, query) ||
         (event.module_path && name_matches(*event.module_path, query));
}

// Events in the order of their cost. The running share is of the whole ranking.
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

}  // namespace

extensions::EventsResult list_events(Session& session, const extensions::EventsParams& params) {
  extensions::EventsResult result;
  result.generation = session.generation();
  if (session.study() == nullptr) return result;
  const Facts& facts = *session.facts();
  const Ranking ranking = rank(facts, params.query.value_or(""));
  const Cost cost = facts.cost_of(ranking.events);
  const size_t size = ranking.events.size();
  result.count = size;
  result.self = amount_value(session, facts, cost.value);
  result.share = cost.share;
  const size_t first = std::min<size_t>(params.offset.value_or(0), size);
  const size_t last = first + std::min<size_t>(params.limit.value_or(kDefaultEvents), size - first);
  for (size_t i = first; i < last; ++i) {
    result.events.push_back(event_item(session, ranking.events[i]));
    result.events.back().runningShare = ranking.running[i];
  }
  result.more = size - last;
  return result;
}

}  // namespace etlens
