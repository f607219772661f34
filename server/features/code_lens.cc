// SPDX-License-Identifier: Apache-2.0
// textDocument/codeLens: totals above classes and functions. A click leads to the hottest line
// inside.
#include "core/render/diff_text.h"
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
  const std::vector<ScopeLens>& lenses = session.sources.lenses(*view);
  items.reserve(lenses.size());
  extensions::HotLineArguments arguments{view->uri, std::nullopt, {}};
  for (const ScopeLens& lens : lenses) {
    const PythonScope& scope = scopes[lens.scope];
    const lsp::PositionEncoding encoding = session.client.encoding;
    arguments.within =
        lsp::Range{{scope.header_line, 0}, end_of_line(*view->document, scope.last_line, encoding)};
    lsp::CodeLens& item = items.emplace_back();
    item.range = line_range(*view->document, lens.line, encoding);
    std::string title = lens.title;
    if (const Change* change = scope_change(session, *view, lens.line)) {
      const std::string text = short_change_text(change->judged);
      if (!text.empty()) title += " · " + text;
    }
    item.command = lsp::Command{std::move(title), "etlens.nextHotLine", {}};
    item.command->arguments.emplace().push_back({lsp::to_json_text(arguments)});
  }
  return items;
}

}  // namespace etlens
