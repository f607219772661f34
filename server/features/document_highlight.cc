// SPDX-License-Identifier: Apache-2.0
// textDocument/documentHighlight: the lines that ran together with this one, in one delegate call
// or one fused event.
#include <set>

#include "server/convert.h"
#include "server/features/features.h"

namespace etlens {
namespace {

void add_related(const Facts& facts, LineId id, std::set<LineId>& related) {
  const LineFacts line = facts.line(id);
  for (const PartitionId partition : line.partitions) {
    const std::vector<LineId>& lines = facts.code().partitions[partition.value].lines;
    related.insert(lines.begin(), lines.end());
  }
  const auto add_fused = [&](LineId target, const std::vector<LineId>& sources) {
    related.insert(target);
    related.insert(sources.begin(), sources.end());
  };
  for (const LineId target : line.fused_into) add_fused(target, facts.line(target).fused_from);
  if (!line.fused_from.empty()) add_fused(id, line.fused_from);
}

}  // namespace

std::vector<lsp::DocumentHighlight> document_highlights(
    Session& session, const lsp::TextDocumentPositionParams& params) {
  std::vector<lsp::DocumentHighlight> items;
  if (!session.config.show.highlights || session.study() == nullptr) return items;
  const Facts& facts = *session.time_facts();
  const SourceView* view = session.sources_of(facts).view(params.textDocument.uri);
  if (view == nullptr) return items;
  std::set<LineId> related;
  for (const LineId id : view->lines_at(params.position.line)) add_related(facts, id, related);
  if (related.size() < 2) return items;  // a line alone is no group
  const Code& code = facts.code();
  for (const LineId id : related) {
    if (code.lines[id.value].file != view->file) continue;
    const uint32_t line = view->anchor_of(code, id).line;
    if (line > 0) items.push_back({line_range(*view->document, line - 1, session.client.encoding)});
  }
  return items;
}

}  // namespace etlens
