// SPDX-License-Identifier: Apache-2.0
// etlens/partitions: delegate calls, and per line and gap what ran on the CPU between them.
#include <algorithm>
#include <span>

#include "core/render/fallback.h"
#include "server/features/features.h"

namespace etlens {
namespace {

// Ids of one measure's contributions are none of another's.
std::vector<uint32_t> ids_of(const Session& session, std::span<const ContributionId> events) {
  std::vector<uint32_t> ids;
  if (session.facts() != session.time_facts()) return ids;
  for (const ContributionId event : events) ids.push_back(event.value);
  return ids;
}

extensions::PartitionItem partition_item(Session& session, PartitionId id) {
  const Facts& facts = *session.time_facts();
  const PartitionFacts row = facts.partition(id);
  extensions::PartitionItem item;
  item.cost = partition_cost_view(facts, scale_of(facts), row);
  if (!row.backend.empty()) item.where = row.label;
  item.total_text = value_words(session, facts, row.total.value);
  item.explained_text = value_words(session, facts, row.explained.value);
  item.opaque_text = value_words(session, facts, row.opaque.value);
  item.overhead_text = value_words(session, facts, row.overhead.value);
  if (row.init) item.init_text = value_words(session, facts, *row.init);
  for (const LineId line : row.lines) item.places.push_back(source_line(session, facts, line));
  item.events = ids_of(session, row.events);
  return item;
}

extensions::FallbackItem fallback_item(Session& session, LineId line, const GapOfLine& gap) {
  const Facts& facts = *session.time_facts();
  const Cost cost = facts.cost(gap.sum.total);
  return {fallback_cost_view(facts, scale_of(facts), gap.before, gap.after, cost),
          value_words(session, facts, cost.value),
          fallback_sentence(facts, gap, session.config.show.unit),
          source_line(session, facts, line), ids_of(session, gap.events)};
}

}  // namespace

extensions::PartitionsResult list_partitions(Session& session) {
  extensions::PartitionsResult result;
  result.head = list_head(session, session.time_facts());
  if (session.study() == nullptr) return result;
  const Facts& facts = *session.time_facts();
  for (size_t p = 0; p < facts.code().partitions.size(); ++p)
    result.partitions.push_back(partition_item(session, PartitionId(p)));
  for (const LineFallback& fallback : facts.line_fallbacks()) {
    for (const GapOfLine& gap : fallback.gaps)
      result.fallbacks.push_back(fallback_item(session, fallback.line, gap));
  }
  std::ranges::stable_sort(result.fallbacks, {},
                           [](const extensions::FallbackItem& item) { return item.cost.before; });
  return result;
}

}  // namespace etlens
