// SPDX-License-Identifier: Apache-2.0
// etlens/partitions: delegate calls, and per line and gap what ran on the CPU between them.
#include <algorithm>

#include "core/render/fallback.h"
#include "server/features/features.h"

namespace etlens {
namespace {

extensions::PartitionItem partition_item(Session& session, PartitionId id) {
  const Facts& facts = *session.time_facts();
  const PartitionFacts partition = facts.partition(id);
  extensions::PartitionItem item;
  item.number = partition.number;
  item.instruction = partition.instruction.value;
  if (!partition.backend.empty()) item.backend = partition.label;
  item.module = partition.module_path;
  item.total = amount_value(session, facts, partition.total.value);
  item.explained = amount_value(session, facts, partition.explained.value);
  item.opaque = amount_value(session, facts, partition.opaque.value);
  item.overhead = amount_value(session, facts, partition.overhead.value);
  item.share = partition.total.share;
  item.occurrences = partition.occurrences;
  if (partition.init) item.init = amount_value(session, facts, *partition.init);
  for (const LineId line : partition.lines) item.lines.push_back(source_line(session, facts, line));
  if (&facts == session.facts()) {
    for (const ContributionId event : partition.events) item.events.push_back(event.value);
  }
  return item;
}

extensions::FallbackItem fallback_item(Session& session, LineId line, const GapOfLine& gap) {
  const Facts& facts = *session.time_facts();
  const Cost cost = facts.cost(gap.sum.total);
  extensions::FallbackItem item;
  item.before = facts.code().partitions[gap.before.value].number;
  item.after = facts.code().partitions[gap.after.value].number;
  item.sentence = fallback_sentence(facts, gap, session.config.show.unit);
  item.self = amount_value(session, facts, cost.value);
  item.share = cost.share;
  item.source = source_line(session, facts, line);
  if (&facts == session.facts()) {
    for (const ContributionId event : gap.events) item.events.push_back(event.value);
  }
  return item;
}

}  // namespace

extensions::PartitionsResult list_partitions(Session& session) {
  extensions::PartitionsResult result;
  result.generation = session.generation();
  if (session.study() == nullptr) return result;
  const Facts& facts = *session.time_facts();
  for (size_t p = 0; p < facts.code().partitions.size(); ++p)
    result.partitions.push_back(partition_item(session, PartitionId(p)));
  for (const LineFallback& fallback : facts.line_fallbacks()) {
    for (const GapOfLine& gap : fallback.gaps)
      result.fallbacks.push_back(fallback_item(session, fallback.line, gap));
  }
  std::stable_sort(result.fallbacks.begin(), result.fallbacks.end(),
                   [](const extensions::FallbackItem& a, const extensions::FallbackItem& b) {
                     return a.before < b.before;
                   });
  return result;
}

}  // namespace etlens
