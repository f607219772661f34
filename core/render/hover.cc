// SPDX-License-Identifier: Apache-2.0
#include "core/render/hover.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/facts/headline.h"
#include "core/render/export_text.h"
#include "core/render/format.h"
#include "core/render/group_columns.h"
#include "core/render/histogram_picture.h"
#include "core/render/hover_delegates.h"
#include "core/render/hover_notes.h"
#include "core/render/hover_tables.h"
#include "core/render/hover_words.h"

namespace etlens {
namespace {

constexpr size_t kMinForPicture = 5;      // executions: fewer say more as numbers
constexpr size_t kMaxForInterval = 1000;  // events: the interval of more keeps a reader waiting
constexpr double kLeastDisturbedShare = 0.05;  // of what is shown and disturbance together

void further_row(const MeasuredLine& row, const HoverOptions& options, HoverInfo& info) {
  const std::string words = line_summary(*row.facts, row.line, options.unit);
  if (words.empty()) return;
  HoverWords told(fmt::format("{}: ", row.facts->quantity().label));
  add_note(info, std::move(told.say(words)));
}

class HoverBuilder {
 public:
  HoverBuilder(const Facts& facts, const HoverOptions& options)
      : facts_(facts),
        options_(options),
        own_head_(options.headline == nullptr ? headline(facts) : Headline()),
        head_(options.headline == nullptr ? own_head_ : *options.headline) {}

  HoverInfo line(LineId id, std::span<const MeasuredLine> further) {
    const LineFacts line = facts_.line(id);
    if (line.has_cost()) {
      cost(line);
      add_advice(facts_, head_, id, options_, info_);
      operators(line);
      add_calls(facts_, line, options_, info_);
      callees(line);
    }
    for (const MeasuredLine& row : further) further_row(row, options_, info_);
    if (facts_.code().lines[id.value].is_recovered)
      add_note(
          info_,
          HoverWords("recovered: the export lost this line, the source and the record lead to it"));
    add_control(facts_, id, info_);
    if (line.has_cost()) add_metadata(facts_, line, info_);
    add_delegate_notes(facts_, line, options_, info_);
    add_reasons(facts_, line, options_, info_);
    add_shape_and_handles(facts_, line, info_);
    add_executions(facts_, head_, line.file, options_, info_);
    return std::move(info_);
  }

  HoverInfo instances(std::string_view name, const Total& inclusive,
                      const std::vector<ModuleId>& modules) {
    const Cost total = facts_.cost(inclusive);
    info_.time = text(total);
    HoverWords in("in ");
    fact(in.name(name));
    if (!facts_.has_operators()) share_fact(total);
    if (modules.size() > 1) fact(HoverWords(counted(modules.size(), "instance")));
    if (facts_.quantity().is_sampled()) {
      if (head_.used.size() < 2) spread("a single sample");
      disturbance(total);
    }
    add_instances(facts_, modules, options_, info_);
    add_executions(facts_, head_, {}, options_, info_);
    return std::move(info_);
  }

 private:
  void fact(HoverWords words) { info_.facts.push_back(words.take()); }
  void spread(std::string words) { info_.spread.push_back(HoverWords(std::move(words)).take()); }

  std::string text(double value) const { return format_value(facts_, value, options_.unit); }
  std::string measured(double value, const std::vector<ContributionId>& events) const {
    return format_measured(facts_, value, events, options_.unit);
  }
  std::string text(const Cost& cost) const { return cost_text(facts_, cost, options_); }

  void share_fact(const Cost& cost) {
    const Quantity& quantity = facts_.quantity();
    if (quantity.is_share()) return fact(HoverWords("of " + std::string(quantity.whole)));
    HoverWords words(format_share(cost.share) + " of ");
    if (quantity.whole.empty()) words.name(whole_of(facts_));
    else words.say(std::string(quantity.whole));
    fact(words.say(fmt::format(" ({})", text(head_.total))));
  }

  // It has not run yet: how many of its operators a delegate will run.
  void count(const LineFacts& line) {
    const bool is_inclusive = line.own.empty();
    info_.time =
        operators_text(operators_of(facts_, line, is_inclusive), lowering_of(facts_.study()));
    if (is_inclusive) fact(HoverWords("in what it calls"));
    const std::string where = join(line.where, "+");
    if (!where.empty() && where != "CPU") fact(backend_words(where));
    if (const auto bytes = file_bytes_of(facts_, line.id, is_inclusive))
      fact(HoverWords(format_bytes(*bytes) + " of constants"));
    confidence(line);
  }

  void cost(const LineFacts& line) {
    if (facts_.has_operators()) return count(line);
    const bool is_inclusive = line.self.amount == Amount() && line.inclusive.amount > Amount();
    const Cost& shown = is_inclusive ? line.inclusive : line.self;
    info_.time = text(shown);
    fact(HoverWords(is_inclusive ? "in what it calls" : "self"));
    share_fact(shown);
    groups(in_groups(facts_, line.id), is_inclusive);
    if (!is_inclusive && line.inclusive.amount > line.self.amount)
      fact(HoverWords(text(line.inclusive) + " with what it calls"));
    if (!is_inclusive && line.level) fact(HoverWords(format_level(*line.level) + " after it"));
    const std::string where = join(line.where, "+");
    if (where == "CPU") fact(HoverWords("CPU, not delegated"));
    else if (!where.empty()) fact(backend_words(where));
    confidence(line);
    if (!facts_.quantity().is_sampled()) return;
    if (line.runs > 1) fact(HoverWords(fmt::format("×{}", line.runs)));
    variation(shown, is_inclusive ? line.through : line.own);
  }

  // Which group the number is of, and what it is in the others.
  void groups(const CostsInGroups& costs, bool is_inclusive) {
    for (const GroupFacts& group : head_.groups)
      if (group.is_shown) fact(HoverWords(group_heading(group.name, group.samples.size())));
    add_groups(facts_, costs, is_inclusive, options_, info_);
  }

  void confidence(const LineFacts& line) {
    if (facts_.has_calls() || line.own.empty()) return;
    uint32_t candidates = 1;
    for (const ContributionId id : line.own)
      candidates = std::max(candidates, facts_.contribution(id).candidates);
    fact(HoverWords("line " + confidence_words(line.confidence, candidates)));
  }

  // How sure the number is that stands in the headline, and how it spreads. `events`: what it is
  // the sum of.
  void variation(const Cost& shown, const std::vector<ContributionId>& events) {
    if (head_.used.size() < 2) return spread("a single sample");
    interval(events);
    disturbance(shown);
    const PerfData statistics = facts_.statistics(events);
    if (statistics.max <= 0) return;
    // Executions have their noise, which the number in the headline is without.
    const std::string_view noise = head_.statistic == Statistic::Typical ? "with noise " : "";
    spread(fmt::format("{}p50 {}", noise, measured(statistics.p50, events)));
    spread("p90 " + measured(statistics.p90, events));
    if (!options_.pictures || head_.used.size() < kMinForPicture) return;
    const Histogram histogram = facts_.histogram(events);
    const PictureAxis axis{measured(histogram.min, events), measured(histogram.max, events)};
    info_.picture = picture_of(histogram, axis);
    info_.picture_words =
        fmt::format("{} executions, from {} to {}", head_.used.size(), axis.low, axis.high);
  }

  void interval(const std::vector<ContributionId>& events) {
    if (events.size() > kMaxForInterval) return;
    const std::optional<Interval> interval = facts_.interval(events);
    if (!interval) return;
    const std::string high = text(interval->high);
    spread(interval->low > 0 ? fmt::format("95%: {}–{}", text(interval->low), high)
                             : fmt::format("95%: up to {}", high));
  }

  void disturbance(const Cost& shown) {
    const Cost beyond = facts_.cost(shown.disturbance);
    const double share = beyond.value / (shown.value + beyond.value);
    if (shown.disturbance <= Amount() || share <= kLeastDisturbedShare) return;
    spread(fmt::format("noise {} ({})", text(beyond), format_share(share)));
  }

  void operators(const LineFacts& line) {
    const std::vector<ContributionId>& ranked = line.own.empty() ? line.through : line.own;
    if (facts_.has_calls() && ranked.size() == 1)
      return fact(HoverWords(facts_.contribution(ranked.front()).remark));
    if (facts_.has_operators()) return add_operators(facts_, ranked, info_);
    if (!facts_.has_events()) return add_contributions(facts_, ranked, options_, info_);
    if (line.own.empty()) add_callees(facts_, line, options_, info_);
    if (info_.operators.rows.empty()) add_work(facts_, line, options_, info_);
  }

  // Of a line with work of its own: what it calls besides.
  void callees(const LineFacts& line) {
    if (line.own.empty() || !facts_.has_events()) return;
    if (HoverWords words = callees_words(facts_, line, options_); !words.empty())
      add_note(info_, std::move(words));
  }

  const Facts& facts_;
  const HoverOptions& options_;
  Headline own_head_;  // empty where the options have one
  const Headline& head_;
  HoverInfo info_;
};

}  // namespace

HoverInfo line_hover(const Facts& facts, LineId line, const HoverOptions& options,
                     std::span<const MeasuredLine> further) {
  return HoverBuilder(facts, options).line(line, further);
}

HoverInfo further_hover(std::span<const MeasuredLine> further, const HoverOptions& options) {
  HoverInfo info;
  for (const MeasuredLine& row : further) further_row(row, options, info);
  return info;
}

HoverText source_note(const Facts& facts, LineId id, const Anchor& anchor) {
  const CodeLine& line = facts.code().lines[id.value];
  if (anchor.verdict == AnchorVerdict::Exact && !anchor.edited) return {{"source: exact"}};
  HoverWords words("source: ");
  switch (anchor.verdict) {
    case AnchorVerdict::Exact:
      words.say("exact");
      break;
    case AnchorVerdict::Moved:
      words.say(anchor.line == line.number ? "same line"
                                           : fmt::format("recorded as line {}", line.number));
      break;
    case AnchorVerdict::Stale:
      words.say("only the function is still known");
      break;
    case AnchorVerdict::Lost:
      words.say("no longer found");
      break;
  }
  if (anchor.edited) {
    words.say(", edited since the export; recorded: ");
    words.name(facts.code().text(line.text));
  }
  return words.take();
}

HoverInfo modules_hover(const Facts& facts, std::string_view name, const Total& inclusive,
                        const std::vector<ModuleId>& instances, const HoverOptions& options) {
  return HoverBuilder(facts, options).instances(name, inclusive, instances);
}

}  // namespace etlens
