// SPDX-License-Identifier: Apache-2.0
// textDocument/codeLens: totals above classes and functions. A click leads to the hottest line
// inside.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/diff_text.h"
#include "core/render/display_width.h"
#include "core/render/summary.h"
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

// The path of the source of the study that has the same name and the same text; "" if there is
// none.
std::string original_of(Session& session, const OpenDocument& document) {
  const Facts& facts = *session.facts();
  for (size_t f = 0; f < facts.sources().size(); ++f) {
    const SourceLocation& source = facts.sources()[f];
    const bool is_open_question = source.path.empty() && !source.candidates.empty();
    const std::string& path = is_open_question ? source.candidates.front() : source.path;
    if (base_name(path) != base_name(document.uri.path())) continue;
    const SourceView* view = session.sources.view(FileId(f));
    if (view != nullptr && view->document->text() == document.text->text()) return view->uri.path();
  }
  return "";
}

// One per model that was measured in the file, which a click shows.
std::vector<lsp::CodeLens> measured_elsewhere(const Session& session, const OpenDocument& document,
                                              const lsp::Range& range) {
  constexpr size_t kMaxNamed = 4;
  std::vector<lsp::CodeLens> items;
  for (const Session::ModelBeside& model : session.models_beside) {
    if (items.size() == kMaxNamed) break;
    if (!model.sources.has(document.uri.path(), *document.text)) continue;
    lsp::CodeLens& item = items.emplace_back();
    item.range = range;
    item.command = lsp::Command{
        fmt::format("measured in {}", printable(short_path(session.roots, model.etdump))),
        "etlens.selectProfile",
        {}};
    const extensions::SelectProfileArguments chosen{model.etdump, {}, {}};
    item.command->arguments.emplace().push_back({lsp::to_json_text(chosen)});
  }
  return items;
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
  if (const std::string original = original_of(session, *document); !original.empty()) {
    item.command = lsp::Command{fmt::format("no numbers: they are in {}, which this is a copy of",
                                            printable(short_path(session.roots, original))),
                                "",
                                {}};
  } else if (auto items = measured_elsewhere(session, *document, item.range); !items.empty()) {
    return items;
  } else if (others.empty()) {
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

// Above the first module of a file, where executions did different work: which of them are shown.
std::optional<lsp::CodeLens> groups_lens(const Session& session, const lsp::Range& range) {
  const OpenMeasure& time = session.study()->time();
  if (time.headline.groups.empty()) return std::nullopt;
  lsp::CodeLens item;
  item.range = range;
  item.command = lsp::Command{
      groups_text(time.headline, time.facts, session.config.show.unit), "etlens.selectGroup", {}};
  return item;
}

}  // namespace

std::vector<lsp::CodeLens> code_lenses(Session& session, const lsp::DocumentParams& params) {
  if (!session.config.show.lenses) return {};
  std::vector<lsp::CodeLens> items = profile_lenses(session, params);
  const SourceView* view = session.sources.view(params.textDocument.uri);
  if (view == nullptr) {
    std::ranges::move(why_no_numbers(session, params.textDocument.uri), std::back_inserter(items));
    return items;
  }
  items.reserve(items.size() + view->lenses.size());
  extensions::HotLineArguments arguments{view->uri, std::nullopt, {}};
  for (const ScopeLens& lens : view->lenses) {
    const lsp::PositionEncoding encoding = session.client.encoding;
    arguments.within =
        lsp::Range{{lens.line, 0}, end_of_line(*view->document, lens.last_line, encoding)};
    lsp::CodeLens& item = items.emplace_back();
    item.range = line_range(*view->document, lens.line, encoding);
    std::string title = lens.title;
    const Change* change = lens.tells_total ? scope_change(session, *view, lens.line) : nullptr;
    if (change != nullptr) {
      const std::string text = short_change_text(change->judged);
      if (!text.empty()) title += " · " + text;
    }
    item.command = lsp::Command{std::move(title), "etlens.nextHotLine", {}};
    item.command->arguments.emplace().push_back({lsp::to_json_text(arguments)});
  }
  if (items.empty()) return items;
  if (std::optional<lsp::CodeLens> groups = groups_lens(session, items.front().range))
    items.push_back(*std::move(groups));
  return items;
}

}  // namespace etlens
