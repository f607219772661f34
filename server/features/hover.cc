// SPDX-License-Identifier: Apache-2.0
// textDocument/hover: what a line costs and why; on classes and `self.name = …`, what all instances
// do.
#include "core/render/hover.h"

#include <algorithm>

#include "core/base/path.h"
#include "core/render/diff_hover.h"
#include "core/render/values_hover.h"
#include "server/convert.h"
#include "server/features/features.h"

namespace etlens {
namespace {

// Of any measure that has the line.
bool has_content(const Session& session, LineId id) {
  const Facts& shown = *session.facts();
  return std::ranges::any_of(session.study()->measures, [&](const OpenMeasure& row) {
    if (&row.facts.code() != &shown.code()) return false;
    if (!row.facts.bodies_of(id).empty() || !row.facts.writes_of(id).empty()) return true;
    const LineFacts line = row.facts.line(id);
    return line.has_cost() || !line.fused_into.empty() || !line.partitions.empty();
  });
}

// What the line's nodes computed, where the dump logged it; values are of time's code.
void append_values(const Session& session, LineId id, std::string& text) {
  const ValuesFacts* values = session.study()->values.get();
  if (values == nullptr || &values->code() != &session.facts()->code()) return;
  HoverOptions options;
  options.pictures = session.client.hover_images;
  for (const HoverInfo& info : values_hover(*values, id, options)) {
    if (!text.empty()) text += text.ends_with('\n') ? "\n" : "\n\n";
    text += session.markup(info).value;
  }
}

std::optional<HoverInfo> scope_hover(Session& session, const SourceView& view, uint32_t line) {
  const Facts& facts = *session.facts();
  if (const AttributeFacts* attribute = view.attribute_at(line)) {
    return modules_hover(facts, "self." + attribute->row->name, attribute->row->inclusive,
                         attribute->row->instances, session.hover_options());
  }
  const std::span<const PythonScope> scopes = view.scopes();
  for (uint32_t s = 0; s < scopes.size(); ++s) {
    if (!scopes[s].is_class || scopes[s].header_line != line) continue;
    const ClassRow* row = view.classes[s];
    if (row == nullptr) return std::nullopt;
    return modules_hover(facts, scopes[s].name, row->inclusive, row->instances,
                         session.hover_options());
  }
  return std::nullopt;
}

// Lines of the base that are gone and stood in a function or class of that name: what the header
// of their function has to say. A function that is gone itself has none; etlens/changes lists it.
std::vector<const LineChange*> gone_lines(const Session& session, const SourceView& view,
                                          uint32_t line) {
  std::vector<const LineChange*> gone;
  const Comparison* comparison = session.shown_comparison();
  if (comparison == nullptr) return gone;
  const std::span<const PythonScope> scopes = view.scopes();
  const auto scope = std::find_if(scopes.begin(), scopes.end(), [&](const PythonScope& row) {
    return !row.is_class && row.header_line == line;
  });
  if (scope == scopes.end()) return gone;
  const bool is_method = scope->parent != kNone && scopes[scope->parent].is_class;
  const std::string owner = is_method ? std::string(scopes[scope->parent].name) : std::string();
  const std::string_view file = base_name(view.uri.path());
  const Code& code = *comparison->before->code;
  for (const LineChange& row : comparison->lines) {
    if (row.change.judged.verdict != Verdict::Gone) continue;
    const CodeLine& recorded = code.lines[row.before.front().value];
    const std::string_view type =
        recorded.owner_types.empty() ? "" : code.text(recorded.owner_types.front());
    const bool is_here = base_name(code.recorded_path(recorded.file)) == file &&
                         code.text(recorded.function) == scope->name &&
                         (!is_method || type.substr(type.rfind('.') + 1) == owner);
    if (is_here) gone.push_back(&row);
  }
  return gone;
}

// Of a class or attribute: what its modules say; of any function: what is gone from it.
void add_scope_change(Session& session, const SourceView& view, uint32_t line, std::string& text) {
  const Comparison* comparison = session.shown_comparison();
  if (comparison == nullptr) return;
  if (const Change* change = scope_change(session, view, line)) {
    const HoverInfo info = change_hover(*comparison, *change, session.hover_options());
    if (!info.time.empty()) session.append(text, info);
  }
  HoverInfo gone;
  for (const LineChange* row : gone_lines(session, view, line))
    gone.notes.push_back(gone_words(*comparison, *row, session.hover_options()));
  if (!gone.notes.empty()) session.append(text, gone);
}

}  // namespace

std::optional<lsp::Hover> hover(Session& session, const lsp::TextDocumentPositionParams& params) {
  const SourceView* view =
      session.config.show.hovers ? session.sources.view(params.textDocument.uri) : nullptr;
  const uint32_t line = params.position.line;
  if (view == nullptr || line >= view->document->line_count()) return std::nullopt;
  const lsp::Range range = line_range(*view->document, line, session.client.encoding);
  std::string text;
  for (const LineId id : view->lines_at(line)) {
    if (!has_content(session, id)) continue;
    if (!text.empty()) text += "\n\n";
    std::string line_text = session.line_hover_text(*view, id);
    if (text.empty()) text = std::move(line_text);
    else text += line_text;
    append_values(session, id, text);
  }
  if (text.empty()) {
    if (const auto info = scope_hover(session, *view, line)) text = session.markup(*info).value;
    add_scope_change(session, *view, line, text);
  }
  if (!text.empty()) {
    return lsp::Hover{{session.client.markdown_hover ? "markdown" : "plaintext", std::move(text)},
                      range};
  }
  const HoverInfo further =
      further_hover(session.further_lines(*view, line, {}), session.hover_options());
  if (!further.notes.empty()) return lsp::Hover{session.markup(further), range};
  return std::nullopt;
}

}  // namespace etlens
