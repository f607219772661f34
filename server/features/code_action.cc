// SPDX-License-Identifier: Apache-2.0
// textDocument/codeAction, for clients that have no lists of etlens (Neovim, Helix): of a line, the other lines of its delegate
// call, why operators of it run on the CPU, and what changed since the last run. Each is a command, whose answer is a message or a
// place.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/path.h"
#include "core/facts/reasons.h"
#include "core/render/display_width.h"
#include "protocol/json_text.h"
#include "server/convert.h"
#include "server/features/code_action.h"
#include "server/features/features.h"

namespace etlens {
namespace {

lsp::TextDocumentPositionParams position_of(const LinePlace& arguments) {
  return {{arguments.uri}, arguments.position};
}

template <typename Arguments>
lsp::CodeAction action(std::string title, const char* command, const Arguments& arguments) {
  lsp::CodeAction item{title, lsp::Command{title, command, {}}};
  item.command->arguments.emplace().push_back({lsp::to_json_text(arguments)});
  return item;
}

std::vector<OperatorReason> reasons_at(Session& session, const lsp::DocumentUri& uri,
                                       uint32_t line) {
  std::vector<OperatorReason> found;
  if (session.study() == nullptr) return found;
  const Facts& facts = *session.time_facts();
  const SourceView* view = session.sources_of(facts).view(uri);
  if (view == nullptr) return found;
  for (const LineId id : view->lines_at(line)) {
    for (OperatorReason& row : reasons_of(facts, facts.line(id).own)) {
      const bool is_told = std::ranges::any_of(found, [&](const OperatorReason& told) {
        return told.op == row.op && told.reason == row.reason;
      });
      if (!is_told) found.push_back(std::move(row));
    }
  }
  return found;
}

// "layers.py:41, 42, model.py:7"
std::string places_words(const std::vector<extensions::SourceLine>& lines) {
  std::string text, last;
  for (const extensions::SourceLine& line : lines) {
    const std::string file(base_name(line.recorded_path));
    if (!text.empty()) text += ", ";
    if (file != last) text += printable(file) + ":";
    text += std::to_string(line.current_line.value.value_or(line.line));
    last = file;
  }
  return text;
}

}  // namespace

std::vector<lsp::CodeAction> code_actions(Session& session, const lsp::CodeActionParams& params) {
  std::vector<lsp::CodeAction> items;
  // Who asks for some kind, as to put imports in order when saving, does not ask for these.
  if (!session.client.code_actions || params.context.only.has_value()) return items;
  const LinePlace place{params.textDocument.uri, params.range.start};
  if (const auto group = list_delegate_lines(session, position_of(place));
      group && group->lines.size() > 1) {
    const std::string calls =
        group->partitions.size() == 1 ? "this delegate call" : "these delegate calls";
    const std::string name = group->partitions.empty() ? "this fused operation" : calls;
    items.push_back(action("Show the lines of " + name, kActionCommands[0], place));
    // It would do nothing in a client that shows no documents for a server.
    if (session.client.show_document)
      items.push_back(action("Go to the next line of " + name, kActionCommands[2], place));
  }
  if (!reasons_at(session, place.uri, place.position.line).empty())
    items.push_back(action("Why is this not delegated?", kActionCommands[1], place));
  if (session.last_run && session.sources.has(place.uri)) {
    items.push_back(action("Compare with the last run", "etlens.selectBaseline",
                           last_run_item(session)->selection));
  }
  return items;
}

Result<std::string> delegate_lines_words(Session& session, const LinePlace& arguments) {
  const auto group = list_delegate_lines(session, position_of(arguments));
  if (!group) return group.error();
  if (group->lines.size() < 2) return group->message;
  return fmt::format("{}: {}", group->message, places_words(group->lines));
}

Result<std::string> not_delegated_words(Session& session, const LinePlace& arguments) {
  const std::vector<OperatorReason> rows =
      reasons_at(session, arguments.uri, arguments.position.line);
  if (rows.empty()) {
    return Error{ErrorCode::NotFound,
                 fmt::format("line {} has no operator on the CPU whose reason is known",
                             uint64_t{arguments.position.line} + 1)};
  }
  std::string text;
  for (const OperatorReason& row : rows) {
    if (!text.empty()) text += ' ';
    text += fmt::format("{}: {}", printable(row.op), printable(sentences_of(*row.reason)));
  }
  return text;
}

Result<HotLineTarget> delegate_line(Session& session, const LinePlace& arguments, int step) {
  const auto group = list_delegate_lines(session, position_of(arguments));
  if (!group) return group.error();
  std::vector<const extensions::SourceLine*> here;
  for (const extensions::SourceLine& line : group->lines)
    if (line.uri && line.current_line.value) here.push_back(&line);
  const auto at = std::ranges::find_if(here, [&](const extensions::SourceLine* line) {
    return *line->uri == arguments.uri && *line->current_line.value == arguments.position.line + 1;
  });
  if (at == here.end()) return Error{ErrorCode::NotFound, "the lines are not here any more"};
  const auto count = static_cast<ptrdiff_t>(here.size());
  const auto next = static_cast<size_t>((at - here.begin() + step + count) % count);
  const uint32_t line = *here[next]->current_line.value - 1;
  lsp::Location location{*here[next]->uri, {{line, 0}, {line, 0}}};
  if (const SourceView* view = session.sources.view(location.uri))
    location.range = line_range(*view->document, line, session.client.encoding);
  return HotLineTarget{std::move(location), next, here.size(), group->lines.size() - here.size()};
}

}  // namespace etlens
