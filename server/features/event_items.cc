// SPDX-License-Identifier: Apache-2.0
#include "server/features/event_items.h"

#include "core/render/summary.h"
#include "server/features/features.h"

namespace etlens {

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

}  // namespace etlens
