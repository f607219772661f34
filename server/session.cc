// SPDX-License-Identifier: Apache-2.0
#include "server/session.h"

namespace etlens {

void Session::publish(std::shared_ptr<const LoadedProfile> profile) {
  profile_ = std::move(profile);
  ++generation_;
  forget_shown();
  edge_program_.reset();
  sources.set_profile(profile_);
}

void Session::forget_shown() {
  shown_.clear();
  if (profile_) shown_.resize(profile_->prepared.profile().lines.size());
}

void Session::clear() { publish(nullptr); }

void Session::set_config(Config new_config) {
  config = std::move(new_config);
  forget_shown();
  edge_program_.reset();
  sources.set_options({config.show.threshold, config.show.unit});
}

HoverOptions Session::hover_options() {
  return {config.show.unit, [this](LineId line) { return sources.current_line(line); },
          client.hover_images};
}

lsp::MarkupContent Session::markup(const HoverInfo& hover) const {
  if (client.markdown_hover) return {"markdown", to_markdown(hover)};
  return {"plaintext", to_plain_text(hover)};
}

const EdgeProgram& Session::edge_program() {
  if (!edge_program_) edge_program_ = etlens::edge_program(profile_->prepared, config.show.unit);
  return *edge_program_;
}

// Every hint carries its hover, so a viewport asks for dozens at once, and again after every
// keystroke.
Session::ShownLine& Session::shown(LineId line) {
  std::unique_ptr<ShownLine>& shown = shown_[line.value];
  if (!shown || (shown->names_lines && shown->changes != sources.changes())) {
    const LineRow& row = prepared()->profile().lines[line.value];
    shown = std::make_unique<ShownLine>();
    shown->names_lines = !row.fused_into.empty() || !prepared()->fused_from[line.value].empty();
    shown->changes = sources.changes();
  }
  return *shown;
}

std::string Session::line_hover_text(const SourceView& view, LineId line) {
  const Profile& profile = prepared()->profile();
  std::optional<std::string>& cost = shown(line).cost;
  if (!cost) cost = markup(line_hover(*prepared(), line, hover_options())).value;
  const HoverText source = source_note(profile, line, view.anchor_of(profile, line));
  std::string text = *cost;
  (client.markdown_hover ? append_markdown_note : append_plain_note)(text, source);
  return text;
}

const std::optional<LineHint>& Session::hint_of(const SourceView& view, LineId line) {
  const bool edited = view.anchor_of(prepared()->profile(), line).edited;
  ShownLine& shown = this->shown(line);
  if (!shown.hint || shown.edited != edited) {
    shown.edited = edited;
    shown.hint = line_hint(*prepared()->snapshot, line, edited, hint_options());
  }
  return *shown.hint;
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
