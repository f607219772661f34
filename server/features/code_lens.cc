// SPDX-License-Identifier: Apache-2.0
// textDocument/codeLens: totals above classes and functions. A click leads to the hottest line
// inside.
#include "core/render/scope_text.h"
#include "protocol/json_text.h"
#include "server/convert.h"
#include "server/features/features.h"

namespace etlens {

std::vector<lsp::CodeLens> code_lenses(Session& session, const lsp::DocumentParams& params) {
  std::vector<lsp::CodeLens> items;
  const SourceView* view =
      session.config.show.lenses ? session.sources.view(params.textDocument.uri) : nullptr;
  if (view == nullptr) return items;
  const std::span<const PythonScope> scopes = view->syntax->scopes();
  const std::vector<ScopeFacts>& rows = session.sources.scopes(*view);
  items.reserve(rows.size());
  extensions::HotLineArguments arguments{view->uri, std::nullopt, {}};
  for (const ScopeFacts& row : rows) {
    const PythonScope& scope = scopes[row.scope];
    const lsp::PositionEncoding encoding = session.client.encoding;
    arguments.within =
        lsp::Range{{scope.header_line, 0}, end_of_line(*view->document, scope.last_line, encoding)};
    lsp::CodeLens& item = items.emplace_back();
    item.range = line_range(*view->document, row.line, encoding);
    std::string title = scope_title(*session.facts(), row, session.config.show.unit);
    item.command = lsp::Command{std::move(title), "etlens.nextHotLine", {}};
    item.command->arguments.emplace().push_back({lsp::to_json_text(arguments)});
  }
  return items;
}

}  // namespace etlens
