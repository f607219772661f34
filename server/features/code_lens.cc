// SPDX-License-Identifier: Apache-2.0
// textDocument/codeLens: totals above classes and functions. A click leads to the hottest line inside.
#include "core/present/scopes.h"
#include "protocol/json_text.h"
#include "server/convert.h"
#include "server/features/features.h"

namespace etlens {

std::vector<lsp::CodeLens> code_lenses(Session& session, const lsp::DocumentParams& params) {
  std::vector<lsp::CodeLens> items;
  const SourceView* view = session.config.show.lenses ? session.sources.view(params.textDocument.uri) : nullptr;
  if (view == nullptr) return items;
  const std::span<const PythonScope> scopes = view->syntax->scopes();
  for (const ScopeLens& lens : session.sources.lenses(*view)) {
    const PythonScope& scope = scopes[lens.scope];
    const lsp::PositionEncoding encoding = session.client.encoding;
    const lsp::Range within{{scope.header_line, 0}, end_of_line(*view->document, scope.last_line, encoding)};
    lsp::JsonText argument{lsp::to_json_text(lsp::HotLineArguments{view->uri, std::nullopt, within})};
    lsp::CodeLens item;
    item.range = line_range(*view->document, lens.line, encoding);
    item.command = lsp::Command{lens.title, "etlens.nextHotLine", std::vector{std::move(argument)}};
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace etlens
