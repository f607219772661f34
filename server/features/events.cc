// SPDX-License-Identifier: Apache-2.0
// etlens/events: the ranked events, page by page.
#include <algorithm>

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

}  // namespace

extensions::EventsResult list_events(Session& session, const extensions::EventsParams& params) {
  extensions::EventsResult result;
  result.head = list_head(session, session.facts());
  if (session.study() == nullptr) return result;
  const Facts& facts = *session.facts();
  std::vector<ContributionId> events = facts.ranked();
  if (params.query && !params.query->empty()) {
    std::erase_if(
        events, [&](ContributionId id) { return !matches(facts.contribution(id), *params.query); });
  }
  const size_t size = events.size();
  result.sum = sum_of_events(session, size, facts.cost_of(events));
  const size_t first = std::min<size_t>(params.offset.value_or(0), size);
  const size_t last = first + std::min<size_t>(params.limit.value_or(kDefaultEvents), size - first);
  const std::vector<double> running = running_by_event(facts);
  for (size_t i = first; i < last; ++i)
    result.events.push_back(event_item(session, events[i], running));
  result.more = size - last;
  return result;
}

}  // namespace etlens
