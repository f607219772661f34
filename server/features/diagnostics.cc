// SPDX-License-Identifier: Apache-2.0
// textDocument/publishDiagnostics: hints where time is lost because an operator is not delegated
// while its neighbours are. Off unless the user asks for it.
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/render/fallback.h"
#include "server/convert.h"
#include "server/features/features.h"

namespace etlens {

std::vector<lsp::Diagnostic> diagnostics(Session& session, const lsp::DocumentUri& uri) {
  std::vector<lsp::Diagnostic> items;
  const SourceView* view =
      session.config.show.fallback_diagnostics ? session.sources.view(uri) : nullptr;
  if (view == nullptr) return items;
  const PreparedProfile& prepared = *session.prepared();
  for (const auto& [line, id] : view->by_line) {
    const FallbackRow* row = prepared.fallback_of(id);
    if (row == nullptr) continue;
    lsp::Diagnostic item;
    item.range = line_range(*view->document, line, session.client.encoding);
    item.code = "fallback";
    item.source = "etlens";
    item.message = fallback_sentence(prepared, *row, session.config.show.unit);
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace etlens
