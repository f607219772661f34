// SPDX-License-Identifier: Apache-2.0
#include "server/session.h"

namespace etlens {

void Session::publish(std::shared_ptr<const OpenStudy> study) {
  study_ = std::move(study);
  ++generation_;
  forget_shown();
  edge_program_.reset();
  sources.set_study(study_);
}

void Session::forget_shown() {
  shown_.clear();
  if (study_) shown_.resize(study_->facts.line_count());
}

void Session::set_config(Config new_config) {
  config = std::move(new_config);
  forget_shown();
  edge_program_.reset();
  sources.set_show(config.show);
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
  if (!edge_program_) edge_program_ = etlens::edge_program(study_->facts, config.show.unit);
  return *edge_program_;
}

// Every hint carries its hover, so a viewport asks for dozens at once, and again after every
// keystroke.
Session::ShownLine& Session::shown(LineId line) {
  std::unique_ptr<ShownLine>& shown = shown_[line.value];
  if (!shown || (shown->names_lines && shown->changes != sources.changes())) {
    const LineFacts facts = study_->facts.line(line);
    shown = std::make_unique<ShownLine>();
    shown->names_lines = !facts.fused_into.empty() || !facts.fused_from.empty();
    shown->changes = sources.changes();
  }
  return *shown;
}

std::string Session::line_hover_text(const SourceView& view, LineId line) {
  const Facts& facts = study_->facts;
  std::optional<std::string>& cost = shown(line).cost;
  if (!cost) cost = markup(line_hover(facts, line, hover_options())).value;
  const HoverText source = source_note(facts, line, view.anchor_of(facts.code(), line));
  std::string text = *cost;
  (client.markdown_hover ? append_markdown_note : append_plain_note)(text, source);
  return text;
}

const std::optional<WordedHint>& Session::hint_of(LineId line, bool edited) {
  ShownLine& shown = this->shown(line);
  if (!shown.hint || shown.edited != edited) {
    shown.edited = edited;
    shown.hint.emplace();
    if (std::optional<Hint> hint =
            etlens::hint_of(study_->facts, line, edited, {config.show.threshold})) {
      const HintTextOptions options{config.show.style, config.show.unit,
                                    [this](LineId id) { return sources.current_line(id); }};
      HintText words = hint_text(study_->facts, *hint, options);
      const std::vector<ContributionId> own = study_->facts.line(line).own;
      *shown.hint = WordedHint{std::move(*hint), std::move(words),
                               own.empty() ? ContributionId() : own.front()};
    }
  }
  return *shown.hint;
}

const std::optional<Interval>& Session::interval_of(LineId line) {
  std::optional<std::optional<Interval>>& interval = shown(line).interval;
  if (!interval) interval = study_->facts.interval(study_->facts.line(line).own);
  return *interval;
}

}  // namespace etlens
