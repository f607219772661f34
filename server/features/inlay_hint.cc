// SPDX-License-Identifier: Apache-2.0
// textDocument/inlayHint: what a line costs, at its end; what a module costs, where it is made.
#include "core/render/inlay_hint.h"

#include <algorithm>

#include "protocol/json_text.h"
#include "server/convert.h"
#include "server/features/features.h"

namespace etlens {
namespace {

class HintWriter {
 public:
  HintWriter(Session& session, const SourceView& view) : session_(session), view_(view) {}

  std::optional<lsp::InlayHint> line_hint_at(uint32_t line, LineId id) {
    const std::optional<LineHint>& hint = session_.hint_of(view_, id);
    if (!hint) return std::nullopt;
    lsp::InlayHint item = at_end_of(line);
    item.label = label(*hint, id);
    item.tooltip = lsp::MarkupContent{session_.client.markdown_hover ? "markdown" : "plaintext",
                                      session_.line_hover_text(view_, id)};
    return item;
  }

  lsp::InlayHint attribute_hint(const AttributeHint& hint) {
    lsp::InlayHint item = at_end_of(hint.line);
    item.label = hint.text;
    item.tooltip = session_.markup(modules_hover(*session_.prepared(), "self." + hint.row->name,
                                                 hint.row->inclusive_ticks, hint.row->instances,
                                                 session_.hover_options()));
    return item;
  }

 private:
  lsp::InlayHint at_end_of(uint32_t line) const {
    lsp::InlayHint item;
    item.position = end_of_line(*view_.document, line, session_.client.encoding);
    return item;
  }

  // Parts where they lead somewhere and the client follows; else the plain text, which is the same.
  std::variant<std::string, std::vector<lsp::InlayHintLabelPart>> label(const LineHint& hint,
                                                                        LineId id) {
    const bool has_target = std::any_of(hint.parts.begin(), hint.parts.end(),
                                        [](const HintPart& part) { return part.target.valid(); });
    const LineRow& row = session_.prepared()->profile().lines[id.value];
    const bool reveals = session_.client.reveal_events && !row.events.empty();
    if (!session_.client.label_parts || !(has_target || reveals)) return hint.text;
    std::vector<lsp::InlayHintLabelPart> parts;
    for (const HintPart& part : hint.parts) {
      lsp::InlayHintLabelPart label_part;
      label_part.value = part.text;
      if (part.target.valid()) label_part.location = location_of_target(part.target);
      parts.push_back(std::move(label_part));
    }
    if (reveals) {
      const lsp::JumpToEventArguments event{row.events.front().value, session_.generation()};
      const lsp::JsonText argument{lsp::to_json_text(event)};
      parts.front().command =
          lsp::Command{"Reveal in Events", "etlens.revealInEvents", std::vector{argument}};
    }
    return parts;
  }

  std::optional<lsp::Location> location_of_target(LineId line) {
    const FileId file = session_.prepared()->profile().lines[line.value].file;
    return location_in(session_.sources.quick_view(file), session_, line);
  }

  Session& session_;
  const SourceView& view_;
};

// A client that can be told to look again need not wait for a thorough look.
const SourceView* view_of(Session& session, const lsp::DocumentUri& uri) {
  if (!session.config.show.hints) return nullptr;
  return session.client.hint_refresh ? session.sources.quick_view(uri) : session.sources.view(uri);
}

}  // namespace

std::vector<lsp::InlayHint> inlay_hints(Session& session, const lsp::InlayHintParams& params) {
  std::vector<lsp::InlayHint> hints;
  const SourceView* view = view_of(session, params.textDocument.uri);
  if (view == nullptr) return hints;
  HintWriter writer(session, *view);
  const uint32_t first = params.range.start.line;
  const uint32_t last = params.range.end.line;
  auto line =
      std::lower_bound(view->by_line.begin(), view->by_line.end(), std::pair(first, LineId(0)));
  const auto end =
      std::upper_bound(line, view->by_line.end(), last,
                       [](uint32_t number, const auto& entry) { return number < entry.first; });
  hints.reserve(static_cast<size_t>(end - line));
  uint32_t hinted = kNone;
  for (; line != end; ++line) {
    if (line->first == hinted) continue;  // two recorded lines that are one now: the first speaks
    if (auto hint = writer.line_hint_at(line->first, line->second)) {
      hints.push_back(std::move(*hint));
      hinted = line->first;
    }
  }
  for (const AttributeHint& attribute : view->attributes) {
    if (attribute.line >= first && attribute.line <= last)
      hints.push_back(writer.attribute_hint(attribute));
  }
  return hints;
}

}  // namespace etlens
