// SPDX-License-Identifier: Apache-2.0
// textDocument/inlayHint: what a line costs, at its end; what a module costs, where it is made.
#include <algorithm>
#include <limits>
#include <utility>

#include "core/render/diff_text.h"
#include "core/render/scope_text.h"
#include "protocol/json_text.h"
#include "server/convert.h"
#include "server/features/features.h"

namespace etlens {
namespace {

std::string attribute_label(Session& session, const SourceView& view,
                            const AttributeFacts& attribute) {
  std::string label = attribute_text(*session.facts(), attribute, session.config.show.unit);
  if (const Change* change = scope_change(session, view, attribute.line)) {
    const std::string text = short_change_text(change->judged);
    if (!text.empty()) label += " " + text;
  }
  return label;
}

class HintWriter {
 public:
  HintWriter(Session& session, const SourceView& view) : session_(session), view_(view) {}

  lsp::InlayHint line_hint(uint32_t line, const WordedHint& hint) {
    lsp::InlayHint item = at_end_of(line);
    item.label = label(hint);
    item.tooltip = lsp::MarkupContent{session_.client.markdown_hover ? "markdown" : "plaintext",
                                      session_.line_hover_text(view_, hint.hint.line)};
    return item;
  }

  lsp::InlayHint attribute_hint(const AttributeFacts& attribute) {
    const Facts& facts = *session_.facts();
    lsp::InlayHint item = at_end_of(attribute.line);
    item.label = attribute_label(session_, view_, attribute);
    item.tooltip = session_.markup(modules_hover(facts, "self." + attribute.row->name,
                                                 attribute.row->inclusive, attribute.row->instances,
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
  std::variant<std::string, std::vector<lsp::InlayHintLabelPart>> label(const WordedHint& hint) {
    const std::vector<HintPart>& words = hint.words.parts;
    const bool has_target = std::any_of(words.begin(), words.end(),
                                        [](const HintPart& part) { return part.target.valid(); });
    const bool reveals = session_.client.reveal_events && hint.event.valid();
    if (!session_.client.label_parts || !(has_target || reveals)) return hint.words.text;
    std::vector<lsp::InlayHintLabelPart> parts;
    for (const HintPart& part : words) {
      lsp::InlayHintLabelPart label_part;
      label_part.value = part.text;
      if (part.target.valid()) label_part.location = location_of_target(part.target);
      parts.push_back(std::move(label_part));
    }
    if (reveals) {
      const extensions::JumpToEventArguments event{hint.event.value, session_.generation()};
      const lsp::JsonText argument{lsp::to_json_text(event)};
      parts.front().command =
          lsp::Command{"Reveal in Events", "etlens.revealInEvents", std::vector{argument}};
    }
    return parts;
  }

  std::optional<lsp::Location> location_of_target(LineId line) {
    const FileId file = session_.facts()->code().lines[line.value].file;
    return location_in(session_.sources.quick_view(file), session_, *session_.facts(), line);
  }

  Session& session_;
  const SourceView& view_;
};

// A client that can be told to look again need not wait for a thorough look.
const SourceView* view_of(Session& session, const lsp::DocumentUri& uri) {
  if (!session.config.show.hints) return nullptr;
  return session.client.hint_refresh ? session.sources.quick_view(uri) : session.sources.view(uri);
}

// The hints of the lines `first` to `last` (0-based): on_line(number, WordedHint), then on_attribute(AttributeFacts).
template <typename OnLine, typename OnAttribute>
void each_hint(Session& session, const SourceView& view, std::pair<uint32_t, uint32_t> range,
               OnLine on_line, OnAttribute on_attribute) {
  const auto [first, last] = range;
  auto line =
      std::lower_bound(view.by_line.begin(), view.by_line.end(), std::pair(first, LineId(0)));
  while (line != view.by_line.end() && line->first <= last) {
    const uint32_t number = line->first;
    const WordedHint* speaker = nullptr;
    for (; line != view.by_line.end() && line->first == number; ++line) {
      const bool edited = view.anchor_of(session.facts()->code(), line->second).edited;
      const std::optional<WordedHint>& hint = session.hint_of(line->second, edited);
      if (hint && (speaker == nullptr || speaks_instead(hint->hint, speaker->hint)))
        speaker = &*hint;
    }
    if (speaker != nullptr) on_line(number, *speaker);
  }
  for (const AttributeFacts& attribute : view.attributes) {
    const bool is_hot = attribute.total.share >= session.config.show.threshold;
    if (is_hot && attribute.line >= first && attribute.line <= last) on_attribute(attribute);
  }
}

}  // namespace

std::vector<lsp::InlayHint> inlay_hints(Session& session, const lsp::InlayHintParams& params) {
  std::vector<lsp::InlayHint> hints;
  const SourceView* view = view_of(session, params.textDocument.uri);
  if (view == nullptr) return hints;
  HintWriter writer(session, *view);
  each_hint(
      session, *view, {params.range.start.line, params.range.end.line},
      [&](uint32_t line, const WordedHint& hint) { hints.push_back(writer.line_hint(line, hint)); },
      [&](const AttributeFacts& attribute) { hints.push_back(writer.attribute_hint(attribute)); });
  return hints;
}

std::vector<extensions::LineHint> hint_texts(Session& session, const SourceView& view) {
  std::vector<extensions::LineHint> texts;
  each_hint(
      session, view, {0, std::numeric_limits<uint32_t>::max()},
      [&](uint32_t line, const WordedHint& hint) {
        texts.push_back({line + 1, hint.words.text});
      },
      [&](const AttributeFacts& attribute) {
        texts.push_back({attribute.line + 1, attribute_label(session, view, attribute)});
      });
  std::ranges::stable_sort(texts, {}, &extensions::LineHint::line);
  return texts;
}

}  // namespace etlens
