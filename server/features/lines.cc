// SPDX-License-Identifier: Apache-2.0
// etlens/hotLines, lineCosts, modules, partitions: the tables behind the views of clients.
#include <algorithm>

#include "core/render/fallback.h"
#include "core/render/format.h"
#include "server/convert.h"
#include "server/features/features.h"

namespace etlens {
namespace {

constexpr uint32_t kDefaultHotLines = 100;

class ListWriter {
 public:
  explicit ListWriter(Session& session)
      : session_(session),
        prepared_(*session.prepared()),
        snapshot_(*prepared_.snapshot),
        profile_(snapshot_.profile),
        options_(session.hint_options()) {}

  lsp::Time time(uint64_t ticks) const { return time_value(session_, snapshot_.average(ticks)); }

  lsp::LineCost line(LineId id, bool edited) const {
    const LineRow& row = profile_.lines[id.value];
    lsp::LineCost cost;
    if (const auto hint = line_hint(snapshot_, id, edited, options_)) cost.label = hint->text;
    cost.self = time(row.self_ticks);
    cost.inclusive = time(row.inclusive_ticks);
    cost.share = profile_.share(row.self_ticks);
    cost.inclusiveShare = profile_.share(row.inclusive_ticks);
    cost.heat = static_cast<uint32_t>(heat_level(cost.share));
    cost.where = where_line_ran(profile_, row);
    cost.confidence = name_of(row.confidence);
    cost.edited = edited;
    cost.fallback = prepared_.fallback_of(id) != nullptr;
    for (const EventId event : row.events) cost.events.push_back(event.value);
    for (const PartitionId partition : row.partitions) {
      cost.partitions.push_back(profile_.partitions[partition.value].number);
    }
    return cost;
  }

  lsp::ModuleItem module(ModuleId id) const {
    const ModuleRow& row = profile_.modules[id.value];
    lsp::ModuleItem item;
    item.path = row.path;
    if (row.type.valid()) item.type = profile_.record->text(row.type);
    if (row.parent.valid()) item.parent = row.parent.value;
    item.depth = row.depth;
    item.calls = row.calls;
    item.self = time(row.self_ticks);
    item.inclusive = time(row.inclusive_ticks);
    item.share = profile_.share(row.inclusive_ticks);
    if (prepared_.line_of_module[id.value].valid())
      item.source = source_line(session_, prepared_.line_of_module[id.value]);
    return item;
  }

  lsp::PartitionItem partition(const PartitionRow& row) const {
    lsp::PartitionItem item;
    item.number = row.number;
    item.instruction = row.instruction;
    if (row.backend.valid())
      item.backend = profile_.backends.label(profile_.record->text(row.backend));
    if (row.module.valid()) item.module = profile_.modules[row.module.value].path;
    item.total = time(row.total_ticks);
    item.explained = time(row.explained_ticks);
    item.opaque = time(row.opaque_ticks);
    item.overhead = time(row.overhead_ticks);
    item.share = profile_.share(row.total_ticks);
    item.occurrences = snapshot_.average(row.occurrences);
    for (const LineId line : row.lines) item.lines.push_back(source_line(session_, line));
    for (const EventId event : row.events) item.events.push_back(event.value);
    return item;
  }

  lsp::FallbackItem fallback(const FallbackRow& row) const {
    lsp::FallbackItem item;
    item.before = profile_.partitions[row.before.value].number;
    item.after = profile_.partitions[row.after.value].number;
    item.sentence = fallback_sentence(prepared_, row, session_.config.show.unit);
    item.self = time(row.sum.self_ticks);
    item.share = profile_.share(row.sum.self_ticks);
    item.source = source_line(session_, row.line);
    for (const EventId event : row.events) item.events.push_back(event.value);
    return item;
  }

 private:
  Session& session_;
  const PreparedProfile& prepared_;
  const ProfileSnapshot& snapshot_;
  const Profile& profile_;
  HintOptions options_;
};

}  // namespace

lsp::HotLinesResult list_hot_lines(Session& session, const lsp::HotLinesParams& params) {
  lsp::HotLinesResult result;
  result.generation = session.generation();
  if (session.prepared() == nullptr) return result;
  const PreparedProfile& prepared = *session.prepared();
  const ListWriter writer(session);
  uint64_t running = 0;
  for (const LineId id : prepared.hot_lines) {
    if (result.lines.size() == params.limit.value_or(kDefaultHotLines)) break;
    const LineRow& row = prepared.profile().lines[id.value];
    running += row.self_ticks;
    const SourceView* view = session.sources.view(row.file);
    lsp::HotLine item;
    item.cost = writer.line(id, view != nullptr && view->anchor_of(prepared.profile(), id).edited);
    item.cost.source = source_line(session, id);
    item.runningShare = prepared.profile().share(running);
    result.lines.push_back(std::move(item));
  }
  return result;
}

Result<lsp::LineCostsResult> list_line_costs(Session& session, const lsp::DocumentParams& params) {
  lsp::LineCostsResult result;
  result.generation = session.generation();
  const SourceView* view = session.sources.view(params.textDocument.uri);
  if (view == nullptr) return result;
  const Profile& profile = session.prepared()->profile();
  const ListWriter writer(session);
  for (const auto& [line, id] : view->by_line) {
    lsp::LineCost cost = writer.line(id, view->anchor_of(profile, id).edited);
    cost.line = line;
    result.lines.push_back(std::move(cost));
  }
  const FileRow& file = profile.files[view->file.value];
  for (uint32_t i = 0; i < file.line_count; ++i) {
    const LineId id(file.first_line + i);
    if (view->anchor_of(profile, id).line > 0) continue;
    lsp::LineCost cost = writer.line(id, false);
    cost.source = source_line(session, id);
    result.unplaced.push_back(std::move(cost));
  }
  return result;
}

lsp::ModulesResult list_modules(Session& session) {
  lsp::ModulesResult result;
  result.generation = session.generation();
  if (session.prepared() == nullptr) return result;
  const ListWriter writer(session);
  for (size_t m = 0; m < session.prepared()->profile().modules.size(); ++m) {
    result.modules.push_back(writer.module(ModuleId(m)));
  }
  return result;
}

lsp::PartitionsResult list_partitions(Session& session) {
  lsp::PartitionsResult result;
  result.generation = session.generation();
  if (session.prepared() == nullptr) return result;
  const ListWriter writer(session);
  for (const PartitionRow& row : session.prepared()->profile().partitions) {
    result.partitions.push_back(writer.partition(row));
  }
  for (const FallbackRow& row : session.prepared()->fallbacks)
    result.fallbacks.push_back(writer.fallback(row));
  std::stable_sort(
      result.fallbacks.begin(), result.fallbacks.end(),
      [](const lsp::FallbackItem& a, const lsp::FallbackItem& b) { return a.before < b.before; });
  return result;
}

}  // namespace etlens
