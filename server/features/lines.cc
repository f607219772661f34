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

// `view`: of its file, or null.
extensions::LineCost line_cost(Session& session, const SourceView* view, LineId id) {
  const Facts& facts = *session.facts();
  const Scale scale = scale_of(facts);
  const LineFacts line = facts.line(id);
  const Anchor& anchor = anchor_in(view, facts.code(), id);
  extensions::LineCost item;
  item.recorded_path = line.recorded_path;
  item.uri = uri_in(view);
  item.own = own_line_view(scale, line, anchor, session.interval_of(id));
  item.cost = line_cost_view(facts, scale, line);
  item.partitions = call_numbers(facts, line.partitions);
  bool is_inclusive = false;
  if (const auto& hint = session.hint_of(id, anchor.edited)) {
    item.label = hint->words.text;
    is_inclusive = hint->hint.is_inclusive;
  }
  if (const Change* change = session.change_of(id, is_inclusive))
    item.change = change_item(session, *change);
  item.self_text = value_words(session, facts, line.self.value);
  item.inclusive_text = value_words(session, facts, line.inclusive.value);
  item.heat = static_cast<uint32_t>(heat_of(facts, line.self));
  item.where = join(line.where, "+");
  item.fallback = facts.fallback_of(id) != nullptr;
  for (const ContributionId event : line.own) item.events.push_back(event.value);
  return item;
}

}  // namespace

extensions::HotLinesResult list_hot_lines(Session& session,
                                          const extensions::HotLinesParams& params) {
  extensions::HotLinesResult result;
  result.head = list_head(session, session.facts());
  if (session.study() == nullptr) return result;
  const Facts& facts = *session.facts();
  RunningCost running(facts);
  for (const LineId id : facts.hot_lines()) {
    if (result.lines.size() == params.limit.value_or(kDefaultHotLines)) break;
    const SourceView* view = session.sources.view(facts.code().lines[id.value].file);
    result.lines.push_back(line_cost(session, view, id));
    result.lines.back().running_share = running.add(facts.line(id).self).share;
  }
  return result;
}

Result<extensions::LineCostsResult> list_line_costs(Session& session,
                                                    const lsp::DocumentParams& params) {
  extensions::LineCostsResult result;
  result.head = list_head(session, session.facts());
  const SourceView* view = session.sources.view(params.textDocument.uri);
  if (view == nullptr) return result;
  const Facts& facts = *session.facts();
  for (const auto& [line, id] : view->by_line) result.lines.push_back(line_cost(session, view, id));
  const CodeFile& file = facts.code().files[view->file.value];
  for (uint32_t i = 0; i < file.line_count; ++i) {
    const LineId id(file.first_line + i);
    if (view->anchor_of(facts.code(), id).line == 0)
      result.unplaced.push_back(line_cost(session, view, id));
  }
  result.hints = hint_texts(session, *view);
  return result;
}

}  // namespace etlens
