// SPDX-License-Identifier: Apache-2.0
#include "server/session.h"

namespace etlens {

void Session::publish(std::shared_ptr<const LoadedProfile> profile) {
  profile_ = std::move(profile);
  ++generation_;
  shown_.clear();
  edge_program_.reset();
  sources.set_profile(profile_);
}

void Session::clear() { publish(nullptr); }

void Session::set_config(Config new_config) {
  config = std::move(new_config);
  shown_.clear();
  edge_program_.reset();
  sources.set_options({config.show.threshold, config.show.unit});
}

HoverOptions Session::hover_options() {
  return {config.show.unit, [this](LineId line) { return sources.current_line(line); }, client.hover_images};
}

lsp::MarkupContent Session::markup(const HoverInfo& hover) const {
  if (client.markdown_hover) return {"markdown", to_markdown(hover)};
  return {"plaintext", to_plain_text(hover)};
}

const EdgeProgram& Session::edge_program() {
  if (!edge_program_) edge_program_ = etlens::edge_program(profile_->prepared, config.show.unit);
  return *edge_program_;
}

// Every hint carries its hover, so a viewport asks for dozens at once, and again after every keystroke.
// The text depends on what is said of the line's own anchor, and where it names other lines on theirs.
Session::ShownLine& Session::shown(const SourceView& view, LineId line) {
  const PreparedProfile& prepared = profile_->prepared;
  const LineRow& row = prepared.profile().lines[line.value];
  Anchor anchor = view.anchor_of(prepared.profile(), line);
  // Only whether the line is where it was recorded is told, not where it is.
  if (anchor.line != row.line && anchor.line > 0) anchor.line = row.line + 1;
  anchor.function_line = 0;
  const bool names_lines = !row.fused_into.empty() || !prepared.fused_from[line.value].empty();
  const uint64_t changes = names_lines ? sources.changes() : 0;
  ShownLine& shown = shown_[line];
  if (shown.anchor != anchor || shown.changes != changes) shown = {anchor, changes, {}, {}};
  return shown;
}

const std::string& Session::line_hover_text(const SourceView& view, LineId line) {
  std::optional<std::string>& text = shown(view, line).hover;
  if (!text) {
    const PreparedProfile& prepared = profile_->prepared;
    const Anchor& anchor = view.anchor_of(prepared.profile(), line);
    text = markup(line_hover(prepared, line, anchor, hover_options())).value;
  }
  return *text;
}

const std::optional<LineHint>& Session::hint_of(const SourceView& view, LineId line) {
  std::optional<std::optional<LineHint>>& hint = shown(view, line).hint;
  if (!hint) {
    const PreparedProfile& prepared = profile_->prepared;
    const bool is_edited = view.anchor_of(prepared.profile(), line).edited;
    hint = line_hint(*prepared.snapshot, line, is_edited, hint_options());
  }
  return *hint;
}

HintOptions Session::hint_options() {
  HintOptions options;
  options.threshold = config.show.threshold;
  options.style = config.show.style;
  options.unit = config.show.unit;
  options.current_line = [this](LineId line) { return sources.current_line(line); };
  options.always = [this](LineId line) { return prepared()->fallback_of(line) != nullptr; };
  return options;
}

}  // namespace etlens
