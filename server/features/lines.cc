// SPDX-License-Identifier: Apache-2.0
// etlens/hotLines and lineCosts: what lines cost, as a ranking and for one document.
#include <algorithm>

#include "core/base/text.h"
#include "core/facts/running_cost.h"
#include "core/render/format.h"
#include "server/features/features.h"

namespace etlens {
namespace {

constexpr uint32_t kDefaultHotLines = 100;

extensions::LineCost line_cost(Session& session, const LineFacts& line, bool edited) {
  const Facts& facts = *session.facts();
  extensions::LineCost item;
  bool is_inclusive = false;
  if (const auto& hint = session.hint_of(line.id, edited)) {
    item.label = hint->words.text;
    is_inclusive = hint->hint.is_inclusive;
  }
  if (const Change* change = session.change_of(line.id, is_inclusive))
    item.change = change_item(session, *change);
  item.self = amount_value(session, facts, line.self.value);
  if (const std::optional<Interval>& interval = session.interval_of(line.id)) {
    item.low = amount_value(session, facts, interval->low);
    item.high = amount_value(session, facts, interval->high);
  }
  item.disturbance = disturbance_of(session, facts, line.self);
  item.inclusive = amount_value(session, facts, line.inclusive.value);
  item.share = line.self.share;
  item.inclusiveShare = line.inclusive.share;
  item.heat = static_cast<uint32_t>(heat_level(line.self.share));
  item.where = join(line.where, "+");
  item.confidence = name_of(line.confidence);
  item.edited = edited;
  item.fallback = facts.fallback_of(line.id) != nullptr;
  for (const ContributionId event : line.own) item.events.push_back(event.value);
  for (const PartitionId partition : line.partitions)
    item.partitions.push_back(facts.code().partitions[partition.value].number);
  return item;
}

}  // namespace

extensions::HotLinesResult list_hot_lines(Session& session,
                                          const extensions::HotLinesParams& params) {
  extensions::HotLinesResult result;
  result.generation = session.generation();
  if (session.study() == nullptr) return result;
  const Facts& facts = *session.facts();
  RunningCost running(facts);
  for (const LineId id : facts.hot_lines()) {
    if (result.lines.size() == params.limit.value_or(kDefaultHotLines)) break;
    const LineFacts line = facts.line(id);
    const SourceView* view = session.sources.view(line.file);
    const bool edited = view != nullptr && view->anchor_of(facts.code(), id).edited;
    extensions::HotLine item;
    item.cost = line_cost(session, line, edited);
    item.cost.source = source_line(session, facts, id);
    item.runningShare = running.add(line.self).share;
    result.lines.push_back(std::move(item));
  }
  return result;
}

Result<extensions::LineCostsResult> list_line_costs(Session& session,
                                                    const lsp::DocumentParams& params) {
  extensions::LineCostsResult result;
  result.generation = session.generation();
  const SourceView* view = session.sources.view(params.textDocument.uri);
  if (view == nullptr) return result;
  const Facts& facts = *session.facts();
  for (const auto& [line, id] : view->by_line) {
    const bool edited = view->anchor_of(facts.code(), id).edited;
    result.lines.push_back(line_cost(session, facts.line(id), edited));
    result.lines.back().line = line;
  }
  const CodeFile& file = facts.code().files[view->file.value];
  for (uint32_t i = 0; i < file.line_count; ++i) {
    const LineId id(file.first_line + i);
    if (view->anchor_of(facts.code(), id).line > 0) continue;
    result.unplaced.push_back(line_cost(session, facts.line(id), false));
    result.unplaced.back().source = source_line(session, facts, id);
  }
  return result;
}

}  // namespace etlens
