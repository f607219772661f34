// SPDX-License-Identifier: Apache-2.0
// textDocument/codeLens: totals above classes and functions. A click leads to the hottest line
// inside.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/diff_text.h"
#include "core/source/python/python_outline.h"
#include "protocol/json_text.h"
#include "server/convert.h"
#include "server/features/features.h"

namespace etlens {
namespace {

// The header of the first class that is a module by its bases; nullopt if the text defines none.
std::optional<uint32_t> first_module_class(const Document& document) {
  for (const PythonScope& scope : outline_by_indentation(document).scopes) {
    if (scope.is_class && scope.bases.find("Module") != std::string_view::npos)
      return scope.header_line;
  }
  return std::nullopt;
}

// A file of models without a number says why, in one line above its first module.
std::vector<lsp::CodeLens> why_no_numbers(Session& session, const lsp::DocumentUri& uri) {
  constexpr size_t kMaxBytes = 256 << 10;  // more is no source that somebody wrote
  const OpenDocument* document = session.documents.find(uri);
  if (document == nullptr || session.study() == nullptr || !uri.is_file()) return {};
  if (session.sources.has(uri) || document->text->text().size() > kMaxBytes) return {};
  const bool is_ours = std::ranges::any_of(
      session.roots, [&](const std::string& root) { return is_below(root, uri.path()); });
  if (!is_ours) return {};
  const Facts& facts = *session.facts();
  if (!facts.has_events() || facts.study().etrecord_path.empty()) return {};
  const std::optional<uint32_t> line = first_module_class(*document->text);
  if (!line) return {};
  const std::vector<std::string> others = session.study()->others.in_file(uri.path());
  lsp::CodeLens item;
  item.range = line_range(*document->text, *line, session.client.encoding);
  if (others.empty()) {
    item.command = lsp::Command{fmt::format("no numbers: {} has no line of this file",
                                            base_name(facts.study().etrecord_path)),
                                "",
                                {}};
  } else {
    item.command = lsp::Command{fmt::format("no numbers: {} is shown, this file is run by {}",
                                            facts.code().method_name(), join(others, ", ")),
                                "etlens.selectMethod",
                                {}};
  }
  return {item};
}

}  // namespace

std::vector<lsp::CodeLens> code_lenses(Session& session, const lsp::DocumentParams& params) {
  std::vector<lsp::CodeLens> items;
  if (!session.config.show.lenses) return items;
  const SourceView* view = session.sources.view(params.textDocument.uri);
  if (view == nullptr) return why_no_numbers(session, params.textDocument.uri);
  items.reserve(view->lenses.size());
  extensions::HotLineArguments arguments{view->uri, std::nullopt, {}};
  for (const ScopeLens& lens : view->lenses) {
    const lsp::PositionEncoding encoding = session.client.encoding;
    arguments.within =
        lsp::Range{{lens.line, 0}, end_of_line(*view->document, lens.last_line, encoding)};
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
