// SPDX-License-Identifier: Apache-2.0
// etlens/partitions: delegate calls, and per line and gap what ran on the CPU between them.
#include <algorithm>
#include <functional>
#include <span>

#include "core/facts/partition_groups.h"
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

extensions::PartitionGroupItem group_item(const Session& session, const PartitionGroup& group) {
  const Facts& facts = *session.time_facts();
  const auto time = [&](const Cost& cost) { return amount_value(session, facts, cost.value); };
  extensions::PartitionGroupItem item;
  for (const PartitionId call : group.calls) item.partitions.push_back(call.value);
  item.module = group.module;
  item.total = time(group.total);
  item.explained = time(group.explained);
  item.opaque = time(group.opaque);
  item.overhead = time(group.overhead);
  item.share = group.total.share;
  return item;
}

// Rows of the result's fallbacks by their line.
void list_fallbacks(Session& session, extensions::PartitionsResult& result) {
  const Facts& facts = *session.time_facts();
  struct Row {
    size_t line;  // of line_fallbacks
    extensions::FallbackItem item;
  };
  std::vector<Row> rows;
  const std::vector<LineFallback>& lines = facts.line_fallbacks();
  for (size_t n = 0; n < lines.size(); ++n) {
    for (const GapOfLine& gap : lines[n].gaps)
      rows.push_back({n, fallback_item(session, lines[n].line, gap)});
  }
  std::ranges::stable_sort(rows, {}, [](const Row& row) { return row.item.cost.before; });
  std::vector<std::vector<uint32_t>> of_line(lines.size());
  for (Row& row : rows) {
    of_line[row.line].push_back(static_cast<uint32_t>(result.fallbacks.size()));
    result.fallbacks.push_back(std::move(row.item));
  }
  for (size_t n = 0; n < lines.size(); ++n) {
    const Cost cost = facts.cost(lines[n].sum.total);
    result.fallback_lines.push_back({std::move(of_line[n]),
                                     amount_value(session, facts, cost.value), cost.share,
                                     source_line(session, facts, lines[n].line)});
  }
  std::ranges::stable_sort(result.fallback_lines, std::greater(),
                           &extensions::FallbackLineItem::share);
}

}  // namespace

extensions::PartitionsResult list_partitions(Session& session) {
  extensions::PartitionsResult result;
  result.head = list_head(session, session.time_facts());
  if (session.study() == nullptr) return result;
  const Facts& facts = *session.time_facts();
  for (size_t p = 0; p < facts.code().partitions.size(); ++p)
    result.partitions.push_back(partition_item(session, PartitionId(p)));
  for (const PartitionGroup& group : partition_groups(facts))
    result.groups.push_back(group_item(session, group));
  list_fallbacks(session, result);
  result.delegated_share = facts.measure().share(facts.measure().delegated);
  result.fallback_share = cost_of_fallbacks(facts).share;
  return result;
}

}  // namespace etlens
