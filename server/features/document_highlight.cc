// SPDX-License-Identifier: Apache-2.0
// textDocument/documentHighlight: the lines that ran together with this one, in one delegate call
// or one fused event.
#include <set>

#include "server/convert.h"
#include "server/features/features.h"

namespace etlens {
namespace {

void add_related(const PreparedProfile& prepared, LineId id, std::set<LineId>& related) {
  const Profile& profile = prepared.profile();
  const LineRow& row = profile.lines[id.value];
  for (const PartitionId partition : row.partitions) {
    const std::vector<LineId>& lines = profile.partitions[partition.value].lines;
    related.insert(lines.begin(), lines.end());
  }
  const auto add_fused = [&](LineId target) {
    related.insert(target);
    related.insert(prepared.fused_from[target.value].begin(),
                   prepared.fused_from[target.value].end());
  };
  for (const LineId target : row.fused_into) add_fused(target);
  if (!prepared.fused_from[id.value].empty()) add_fused(id);
}

}  // namespace

std::vector<lsp::DocumentHighlight> document_highlights(
    Session& session, const lsp::TextDocumentPositionParams& params) {
  std::vector<lsp::DocumentHighlight> items;
  const SourceView* view =
      session.config.show.highlights ? session.sources.view(params.textDocument.uri) : nullptr;
  if (view == nullptr) return items;
  std::set<LineId> related;
  for (const LineId id : view->lines_at(params.position.line))
    add_related(*session.prepared(), id, related);
  if (related.size() < 2) return items;  // a line alone is no group
  const Profile& profile = session.prepared()->profile();
  for (const LineId id : related) {
    if (profile.lines[id.value].file != view->file) continue;
    const uint32_t line = view->anchor_of(profile, id).line;
    if (line > 0) items.push_back({line_range(*view->document, line - 1, session.client.encoding)});
  }
  return items;
}

}  // namespace etlens
