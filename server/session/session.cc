// SPDX-License-Identifier: Apache-2.0
#include "server/session/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/diff_hover.h"
#include "core/render/diff_text.h"
#include "core/render/fleet_hover.h"

namespace etlens {
namespace {

// As editors open it: a fragment is a line there.
std::string address_in_file(std::string_view path, uint32_t line) {
  return fmt::format("{}#L{}", lsp::DocumentUri::from_path(path).string(), line);
}

}  // namespace

std::shared_ptr<const OpenStudy> Session::publish(std::shared_ptr<const OpenStudy> study) {
  study_.swap(study);
  ++generation_;
  edge_program_.reset();
  view_fleet();
  find_measure();
  return study;
}

void Session::set_fleet(std::shared_ptr<const Fleet> fleet) {
  fleet_ = std::move(fleet);
  view_fleet();
  forget_shown();
}

void Session::view_fleet() {
  fleet_view_.reset();
  if (fleet_ && study_) fleet_view_.emplace(fleet_, study_->study());
}

const FleetPlace* Session::fleet_place(LineId line) const {
  const bool is_shown = fleet_view_ && facts_ == time_facts();
  return is_shown ? fleet_view_->of_line(line) : nullptr;
}

void Session::find_measure() {
  facts_ = study_ ? &study_->choose(measure_).facts : nullptr;
  forget_shown();
  sources.set_study(study_, facts_);
  more_sources_.clear();
}

bool Session::choose_measure(std::string id) {
  const Facts* before = facts_;
  measure_ = std::move(id);
  if (!study_ || before == &study_->choose(measure_).facts) return false;
  ++generation_;
  find_measure();
  return true;
}

std::string Session::measure_note() const {
  if (!study_ || measure_.empty() || study_->find(measure_) != nullptr) return "";
  std::vector<std::string> there;
  for (const OpenMeasure& row : study_->measures) there.emplace_back(row.facts.quantity().id);
  return fmt::format("there is no measure {} here, so time is shown (there is: {})", measure_,
                     join(there, ", "));
}

Sources& Session::sources_of(const Facts& facts) {
  if (&facts.code() == &facts_->code()) return sources;
  std::unique_ptr<Sources>& more = more_sources_[&facts.code()];
  if (!more) {
    more = std::make_unique<Sources>(files, documents, source_worker);
    more->set_show(config.show);
    more->set_study(study_, &facts);
  }
  return *more;
}

std::vector<MeasuredLine> Session::further_lines(const SourceView& view, uint32_t line, LineId id) {
  std::vector<MeasuredLine> rows;
  for (const OpenMeasure& measure : study_->measures) {
    const Facts& facts = measure.facts;
    if (&facts == facts_) continue;
    if (&facts.code() == &facts_->code()) {
      if (id.valid()) rows.push_back({&facts, id});
    } else if (const SourceView* other = sources_of(facts).view(view.uri)) {
      for (const LineId there : other->lines_at(line)) rows.push_back({&facts, there});
    }
  }
  return rows;
}

void Session::forget(const lsp::DocumentUri& uri) {
  sources.forget(uri);
  for (const auto& [code, more] : more_sources_) more->forget(uri);
}

void Session::forget_shown() {
  shown_.clear();
  if (facts_ != nullptr) shown_.resize(facts_->line_count());
}

void Session::set_config(Config new_config) {
  config = std::move(new_config);
  forget_shown();
  edge_program_.reset();
  sources.set_show(config.show);
  more_sources_.clear();
}

HoverOptions Session::hover_options() {
  HoverOptions options;
  options.unit = config.show.unit;
  options.current_line = [this](LineId line) { return sources.current_line(line); };
  if (client.hover_links) options.address = address_in_file;
  options.pictures = client.hover_images;
  if (study_ != nullptr && facts_ == time_facts()) options.advice = study_->advice;
  return options;
}

lsp::MarkupContent Session::markup(const HoverInfo& hover) const {
  if (client.markdown_hover) return {"markdown", to_markdown(hover)};
  return {"plaintext", to_plain_text(hover)};
}

const EdgeProgram& Session::edge_program() {
  if (!edge_program_) edge_program_ = etlens::edge_program(*time_facts(), config.show.unit);
  return *edge_program_;
}

// Every hint carries its hover, so a viewport asks for dozens at once, and again after every
// keystroke.
Session::ShownLine& Session::shown(LineId line) {
  std::unique_ptr<ShownLine>& shown = shown_[line.value];
  if (!shown || !is_current(*shown)) {
    const LineFacts facts = facts_->line(line);
    shown = std::make_unique<ShownLine>();
    // Another code's lines are found by where they are now.
    shown->names_lines =
        !facts.fused_into.empty() || !facts.fused_from.empty() || !study_->more_sources.empty();
    shown->changes = sources.changes();
  }
  return *shown;
}

bool Session::is_current(ShownLine& shown) {
  if (shown.changes == sources.changes()) return true;
  const bool is_there =
      !shown.names_lines && std::ranges::all_of(shown.named, [&](const auto& row) {
        return sources.current_line(row.first) == row.second;
      });
  if (is_there) shown.changes = sources.changes();
  return is_there;
}

// The hint shows the time with what the line calls, where that is the greater part.
const Change* Session::change_of(LineId line, bool is_inclusive) const {
  const Comparison* comparison = shown_comparison();
  const LineChange* row = comparison == nullptr ? nullptr : comparison->of_line(line);
  if (row == nullptr) return nullptr;
  return is_inclusive ? &row->inclusive : &row->change;
}

void Session::add_change(LineId line, const HoverOptions& options, std::string& text) {
  const Comparison* comparison = shown_comparison();
  const LineChange* row = comparison == nullptr ? nullptr : comparison->of_line(line);
  if (row == nullptr) return;
  const std::optional<Hint> hint = etlens::hint_of(*facts_, line, false, {0});
  const HoverInfo change =
      line_change_hover(*comparison, *row, hint && hint->is_inclusive, options);
  if (!change.time.empty()) append(text, change);
}

void Session::add_fleet(LineId line, const HoverOptions& options, std::string& text) {
  if (const FleetPlace* place = fleet_place(line))
    append(text, fleet_hover(fleet_view_->fleet(), *place, options));
}

void Session::append(std::string& text, const HoverInfo& more) const {
  if (!text.empty()) text += client.markdown_hover && !text.ends_with('\n') ? "\n\n" : "\n";
  text += markup(more).value;
}

std::string Session::line_hover_text(const SourceView& view, LineId line) {
  const Facts& facts = *facts_;
  ShownLine& shown = this->shown(line);
  std::optional<std::string>& cost = shown.cost;
  if (!cost) {
    HoverOptions options = hover_options();
    options.current_line = [this, &shown](LineId named) {
      return shown.named.emplace_back(named, sources.current_line(named)).second;
    };
    const uint32_t now = view.anchor_of(facts.code(), line).line;
    const std::vector<MeasuredLine> further = further_lines(view, now == 0 ? kNone : now - 1, line);
    // Whoever chose a fleet or a baseline wants to know that first.
    add_fleet(line, options, cost.emplace());
    add_change(line, options, *cost);
    append(*cost, line_hover(facts, line, options, further));
  }
  const HoverText source = source_note(facts, line, view.anchor_of(facts.code(), line));
  std::string text = *cost;
  (client.markdown_hover ? append_markdown_note : append_plain_note)(text, source);
  return text;
}

std::string Session::fleet_words(LineId line) const {
  const FleetPlace* place = fleet_place(line);
  if (place == nullptr) return "";
  return fleet_hint(fleet_view_->fleet(), *place, config.show.style, config.show.unit);
}

const std::optional<WordedHint>& Session::hint_of(LineId line, bool edited) {
  ShownLine& shown = this->shown(line);
  if (!shown.hint || shown.edited != edited) {
    shown.edited = edited;
    shown.hint.emplace();
    if (std::optional<Hint> hint =
            etlens::hint_of(*facts_, line, edited, {config.show.threshold})) {
      const Comparison* comparison = shown_comparison();
      const LineChange* change = comparison == nullptr ? nullptr : comparison->of_line(line);
      const HintTextOptions options{
          config.show.style, config.show.unit,
          change == nullptr ? "" : short_change_text(*change, hint->is_inclusive),
          hint->is_inclusive ? "" : fleet_words(line),
          [this](LineId id) { return sources.current_line(id); }};
      HintText words = hint_text(*facts_, *hint, options);
      const std::vector<ContributionId> own = facts_->line(line).own;
      *shown.hint = WordedHint{std::move(*hint), std::move(words),
                               own.empty() ? ContributionId() : own.front()};
    }
  }
  return *shown.hint;
}

const std::optional<Interval>& Session::interval_of(LineId line) {
  std::optional<std::optional<Interval>>& interval = shown(line).interval;
  if (!interval) interval = facts_->interval(facts_->line(line).own);
  return *interval;
}

std::string short_path(const std::vector<std::string>& roots, const std::string& path) {
  for (const std::string& root : roots) {
    if (is_below(root, path)) return std::string(relative_path(root, path));
  }
  return path;
}

}  // namespace etlens
