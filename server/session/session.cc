// SPDX-License-Identifier: Apache-2.0
#include "server/session/session.h"

#include <fmt/format.h>

#include "core/base/path.h"
#include "core/base/text.h"

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
  texts_.forget_all(facts_);
}

void Session::view_fleet() {
  fleet_view_.reset();
  if (fleet_ && study_) fleet_view_.emplace(fleet_, study_->study());
}

// A comparison, and a fleet, are of the time and of nothing else.
LineWords Session::line_words() const {
  const bool is_time = facts_ == time_facts();
  return {*facts_, config.show, shown_comparison(), is_time ? fleet() : nullptr};
}

void Session::find_measure() {
  facts_ = study_ ? &study_->choose(measure_).facts : nullptr;
  texts_.forget_all(facts_);
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

void Session::set_config(Config new_config) {
  config = std::move(new_config);
  texts_.forget_all(facts_);
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
  for (size_t m = 0; study_ != nullptr && m < study_->measures.size(); ++m)
    if (&study_->measures[m].facts == facts_) options.headline = &study_->measures[m].headline;
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

void Session::append(std::string& text, const HoverInfo& more) const {
  if (!text.empty()) text += client.markdown_hover && !text.ends_with('\n') ? "\n\n" : "\n";
  text += markup(more).value;
}

std::string Session::line_hover_text(const SourceView& view, LineId line) {
  const Facts& facts = *facts_;
  LineText& kept = texts_.of(line);
  if (!kept.cost) {
    HoverOptions options = hover_options();
    options.current_line = [this, &kept](LineId named) {
      return kept.named.emplace_back(named, sources.current_line(named)).second;
    };
    const uint32_t now = view.anchor_of(facts.code(), line).line;
    const std::vector<MeasuredLine> further = further_lines(view, now == 0 ? kNone : now - 1, line);
    std::string cost;
    for (const HoverInfo& beside : line_words().hovers_beside(line, options)) append(cost, beside);
    append(cost, line_hover(facts, line, options, further));
    kept.cost = std::move(cost);
  }
  const HoverText source = source_note(facts, line, view.anchor_of(facts.code(), line));
  std::string text = *kept.cost;
  (client.markdown_hover ? append_markdown_note : append_plain_note)(text, source);
  return text;
}

const std::optional<WordedHint>& Session::hint_of(LineId line, bool edited) {
  LineText& kept = texts_.of(line);
  if (!kept.hint || kept.edited != edited) {
    kept.edited = edited;
    kept.hint.emplace(line_words().hint(
        line, edited, [this](LineId named) { return sources.current_line(named); }));
  }
  return *kept.hint;
}

const std::optional<Interval>& Session::interval_of(LineId line) {
  std::optional<std::optional<Interval>>& interval = texts_.of(line).interval;
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
