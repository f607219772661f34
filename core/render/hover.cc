// SPDX-License-Identifier: Apache-2.0
#include "core/render/hover.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/facts/headline.h"
#include "core/render/format.h"
#include "core/render/histogram_picture.h"
#include "core/render/hover_words.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

constexpr size_t kMaxOperators = 8;
constexpr size_t kMinForPicture = 5;  // executions: fewer say more as numbers
constexpr size_t kMaxModules = 6;
constexpr size_t kMaxHoverLines = 8;
constexpr size_t kMaxCalls = 8;
constexpr size_t kMaxHandles = 12;
constexpr size_t kMaxMetadata = 3;  // events
constexpr size_t kMaxFields = 8;
constexpr size_t kMaxGaps = 4;
constexpr size_t kMaxForInterval = 1000;  // events: the interval of more keeps a reader waiting
constexpr double kLeastDisturbedShare = 0.05;  // of what is shown and disturbance together

void further_row(const MeasuredLine& row, const HoverOptions& options, HoverInfo& info) {
  const std::string words = line_summary(*row.facts, row.line, options.unit);
  if (words.empty()) return;
  HoverWords note(fmt::format("{}: ", row.facts->quantity().label));
  info.notes.push_back(note.say(words).take());
}

class HoverBuilder {
 public:
  HoverBuilder(const Facts& facts, const HoverOptions& options)
      : facts_(facts), options_(options), head_(headline(facts)) {}

  HoverInfo line(LineId id, std::span<const MeasuredLine> further) {
    const LineFacts line = facts_.line(id);
    if (line.has_cost()) {
      cost(line);
      operators(line);
    }
    for (const MeasuredLine& row : further) further_row(row, options_, info_);
    if (facts_.code().lines[id.value].is_recovered)
      note(
          HoverWords("recovered: the export lost this line, the source and the record lead to it"));
    if (line.has_cost()) {
      calls(line);
      metadata(line);
      modules(line);
    }
    fused(line);
    partitions(line);
    fallback(line);
    shape_and_handles(line);
    executions(line.file);
    return std::move(info_);
  }

  HoverInfo instances(std::string_view name, const Total& inclusive,
                      const std::vector<ModuleId>& modules) {
    const Cost total = facts_.cost(inclusive);
    info_.time = text(total);
    HoverWords in("in ");
    fact(in.name(name));
    share_fact(total);
    if (modules.size() > 1) fact(HoverWords(counted(modules.size(), "instance")));
    if (facts_.quantity().is_sampled()) {
      if (head_.used.size() < 2) spread("a single sample");
      disturbance(total);
    }
    std::vector<ModuleFacts> ranked;
    for (const ModuleId id : modules) ranked.push_back(facts_.module(id));
    std::stable_sort(ranked.begin(), ranked.end(), [](const ModuleFacts& a, const ModuleFacts& b) {
      return a.inclusive.amount > b.inclusive.amount;
    });
    info_.operators.columns = {
        {"module"}, {"inclusive", Align::Right}, {"share", Align::Right}, {"self", Align::Right}};
    info_.name_columns = 1;
    for (size_t i = 0; i < std::min(ranked.size(), kMaxOperators); ++i) {
      const ModuleFacts& module = ranked[i];
      info_.operators.rows.push_back({shown_path(module.path), text(module.inclusive),
                                      format_share(module.inclusive.share), text(module.self)});
    }
    info_.more_operators = ranked.size() - info_.operators.rows.size();
    executions({});
    return std::move(info_);
  }

 private:
  void fact(HoverWords words) { info_.facts.push_back(words.take()); }
  void spread(std::string words) { info_.spread.push_back(HoverWords(std::move(words)).take()); }
  void note(HoverWords words) { info_.notes.push_back(words.take()); }

  std::string text(double value) const { return format_value(facts_, value, options_.unit); }
  std::string text(const Cost& cost) const { return format_cost(facts_, cost, options_.unit); }

  static std::string shown_path(std::string_view module) {
    return module.empty() ? "(model)" : std::string(module);
  }

  void share_fact(const Cost& cost) {
    const Quantity& quantity = facts_.quantity();
    if (quantity.is_share()) return fact(HoverWords("of " + std::string(quantity.whole)));
    HoverWords words(format_share(cost.share) + " of ");
    if (quantity.whole.empty()) words.name(whole_of(facts_));
    else words.say(std::string(quantity.whole));
    fact(words.say(fmt::format(" ({})", text(head_.total))));
  }

  void cost(const LineFacts& line) {
    const bool is_inclusive = line.self.amount == Amount() && line.inclusive.amount > Amount();
    const Cost& shown = is_inclusive ? line.inclusive : line.self;
    info_.time = text(shown);
    fact(HoverWords(is_inclusive ? "in what it calls" : "self"));
    share_fact(shown);
    if (!is_inclusive && line.inclusive.amount > line.self.amount)
      fact(HoverWords(text(line.inclusive) + " with what it calls"));
    if (!is_inclusive && line.level) fact(HoverWords(format_level(*line.level) + " behind it"));
    const std::string where = join(line.where, "+");
    if (where == "CPU") fact(HoverWords("CPU, not delegated"));
    else if (!where.empty()) fact(backend_words(where));
    if (!facts_.quantity().is_sampled()) return;
    if (line.runs > 1) fact(HoverWords(fmt::format("×{}", line.runs)));
    variation(shown, is_inclusive ? line.through : line.own);
  }

  // How sure the number is that stands in the headline, and how it spreads. `events`: what it is
  // the sum of.
  void variation(const Cost& shown, const std::vector<ContributionId>& events) {
    if (head_.used.size() < 2) return spread("a single sample");
    interval(events);
    disturbance(shown);
    const PerfData statistics = facts_.statistics(events);
    if (statistics.max <= 0) return;
    spread(fmt::format("p50 {}", text(statistics.p50)));
    spread(fmt::format("p90 {}", text(statistics.p90)));
    if (!options_.pictures || head_.used.size() < kMinForPicture) return;
    const Histogram histogram = facts_.histogram(events);
    info_.picture = picture_of(histogram);
    info_.picture_words = fmt::format("{} executions, from {} to {}", head_.used.size(),
                                      text(histogram.min), text(histogram.max));
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
    spread(fmt::format("disturbance {} ({})", text(beyond), format_share(share)));
  }

  void operators(const LineFacts& line) {
    const std::vector<ContributionId>& ranked = line.own.empty() ? line.through : line.own;
    if (!facts_.has_events()) return contributions(ranked);
    info_.operators.columns = {{"operator"}, {"event"}, {"time", Align::Right}};
    info_.name_columns = 2;
    const bool has_spread = head_.used.size() > 1;
    if (has_spread) {
      info_.operators.columns.push_back({"p50", Align::Right});
      info_.operators.columns.push_back({"p90", Align::Right});
    }
    for (const char* name : {"n", "where", "confidence"}) info_.operators.columns.push_back({name});
    for (size_t i = 0; i < std::min(ranked.size(), kMaxOperators); ++i)
      info_.operators.rows.push_back(operator_row(facts_.event(ranked[i]), has_spread));
    info_.more_operators = ranked.size() - info_.operators.rows.size();
  }

  // The same of a measure whose contributions are no events.
  void contributions(const std::vector<ContributionId>& ranked) {
    if (facts_.has_calls() && ranked.size() == 1)
      return fact(HoverWords(facts_.contribution(ranked.front()).remark));
    info_.operators.columns = {{"operator"},
                               {"name"},
                               {std::string(facts_.quantity().label), Align::Right},
                               {"remark"},
                               {"confidence"}};
    info_.name_columns = 2;
    for (size_t i = 0; i < std::min(ranked.size(), kMaxOperators); ++i) {
      const ContributionFacts row = facts_.contribution(ranked[i]);
      // Those that have nothing are only listed where none has.
      if (i > 0 && row.self.amount == Amount() && has_amount(ranked.front())) break;
      std::vector<std::string> remarks;
      if (row.level) remarks.push_back(format_level(*row.level));
      if (!row.remark.empty()) remarks.push_back(row.remark);
      info_.operators.rows.push_back(
          {std::string(row.op), row.name, text(row.self), join(remarks, ", "), confidence_of(row)});
    }
    info_.more_operators = ranked.size() - info_.operators.rows.size();
  }

  bool has_amount(ContributionId id) const {
    return facts_.contribution(id).self.amount > Amount();
  }

  static std::string confidence_of(const ContributionFacts& row) {
    std::string confidence(name_of(row.confidence));
    if (row.confidence == Confidence::Inferred && row.candidates > 1)
      confidence += fmt::format(", one of {}", row.candidates);
    return confidence;
  }

  std::vector<std::string> operator_row(const EventFacts& event, bool has_spread) const {
    std::vector<std::string> row{std::string(event.op), event.name};
    std::string own = text(event.self);
    if (event.unit == DelegateUnit::Cycles || event.unit == DelegateUnit::Counter)
      own += fmt::format(" ({})", format_reported(event.reported, event.unit));
    row.push_back(std::move(own));
    if (has_spread && event.has_duration) {
      const PerfData statistics = facts_.statistics(std::span(&event.id, 1));
      row.push_back(text(statistics.p50));
      row.push_back(text(statistics.p90));
    } else if (has_spread) {
      row.insert(row.end(), 2, "");
    }
    row.push_back(fmt::format("{:g}", event.occurrences));
    row.push_back(event.backend.empty() ? "CPU" : event.where);
    std::string confidence = confidence_of(event);
    if (event.is_rescaled) confidence += ", share of its call";
    row.push_back(std::move(confidence));
    return row;
  }

  // What backends attached to the line's events.
  void metadata(const LineFacts& line) {
    size_t shown = 0;
    for (const ContributionId id : line.own) {
      const std::string_view bytes = facts_.metadata(id);
      if (bytes.empty()) continue;
      const EventFacts event = facts_.event(id);
      std::vector<HoverWords> items;
      for (const auto& [name, value] :
           facts_.join().backends->read_metadata(event.backend, bytes)) {
        HoverWords item;
        item.name(name).say(" ").name(value);
        items.push_back(std::move(item));
      }
      if (items.empty()) continue;
      if (++shown > kMaxMetadata) return;
      HoverWords words;
      note(words.name(event.name).say(": ").list(items, kMaxFields));
    }
  }

  void modules(const LineFacts& line) {
    std::vector<ModuleShare> shares = facts_.by_module(line);
    if (!facts_.has_events() && !shares.empty() && shares.front().cost.amount > Amount())
      std::erase_if(shares, [](const ModuleShare& row) { return row.cost.amount == Amount(); });
    const auto path_of = [&](const ModuleShare& share) { return facts_.module(share.module).path; };
    if (shares.size() == 1 && !path_of(shares.front()).empty() && !line.own.empty()) {
      HoverWords words("module: ");
      note(words.name(path_of(shares.front())));
    }
    if (shares.size() < 2) return;
    std::vector<HoverWords> items;
    for (const ModuleShare& share : shares) {
      HoverWords item;
      item.name(shown_path(path_of(share))).say(" ").say(text(share.cost));
      items.push_back(std::move(item));
    }
    HoverWords words("by module: ");
    note(words.list(items, kMaxModules));
  }

  HoverWords line_list(const std::vector<LineId>& ids, FileId from) const {
    std::vector<HoverWords> names;
    for (const LineId id : ids) names.push_back(line_words(facts_, id, from, options_));
    HoverWords words;
    words.list(names, kMaxHoverLines);
    return words;
  }

  // Who called what is defined on the line, and what it called.
  void calls(const LineFacts& line) {
    if (!facts_.has_calls()) return;
    for (const ContributionId id : line.own) {
      const std::string of = line.own.size() > 1 ? facts_.contribution(id).name : "";
      call_note(of, "called by ", facts_.callers_of(id));
      call_note(of, "calls ", facts_.callees_of(id));
    }
  }

  void call_note(std::string_view of, std::string_view verb, const std::vector<CallFacts>& calls) {
    if (calls.empty()) return;
    std::vector<HoverWords> items;
    for (const CallFacts& call : calls) {
      HoverWords item;
      item.name(facts_.contribution(call.other).name).say(" " + text(call.inclusive));
      if (call.times > 1) item.say(fmt::format(" ×{:g}", call.times));
      items.push_back(std::move(item));
    }
    HoverWords words;
    if (!of.empty()) words.name(of).say(" ");
    note(words.say(std::string(verb)).list(items, kMaxCalls));
  }

  void fused(const LineFacts& line) {
    if (!line.fused_into.empty()) {
      HoverWords words("fused into ");
      words.append(line_list(line.fused_into, line.file));
      note(words.say(", which carries the time"));
    }
    if (!line.fused_from.empty()) {
      HoverWords words("does the work of ");
      note(words.append(line_list(line.fused_from, line.file)).say(" as well"));
    }
  }

  void partitions(const LineFacts& line) {
    for (const PartitionId id : line.partitions) {
      const PartitionFacts partition = facts_.partition(id);
      if (!partition.ran()) continue;
      HoverWords words = partition_words(partition);
      words.say(fmt::format(": {} in all, {}", text(partition.total),
                            counted(partition.lines.size(), "line")));
      if (partition.opaque.amount > Amount())
        words.say(fmt::format("; {} of it belongs to no single line", text(partition.opaque)));
      if (partition.overhead.amount > Amount())
        words.say(fmt::format("; {} inside the call was not measured", text(partition.overhead)));
      note(std::move(words));
    }
  }

  void fallback(const LineFacts& line) {
    const LineFallback* row = facts_.fallback_of(line.id);
    if (row == nullptr) return;
    for (size_t i = 0; i < std::min(row->gaps.size(), kMaxGaps); ++i) {
      const GapOfLine& gap = row->gaps[i];
      HoverWords words(text(facts_.cost_of(gap.events)) + " on the CPU between ");
      words.append(partition_words(facts_.partition(gap.before))).say(" and ");
      words.append(partition_words(facts_.partition(gap.after)));
      note(words.say(": the data leaves the delegate and comes back"));
    }
    if (row->gaps.size() > kMaxGaps)
      note(HoverWords(fmt::format("… and between {} more", row->gaps.size() - kMaxGaps)));
  }

  void shape_and_handles(const LineFacts& line) {
    if (line.own.empty()) return;
    HoverWords words;
    if (const NodeId node = facts_.contribution(line.own.front()).node; node.valid()) {
      const EtRecord& record = *facts_.code().record;
      const StringId shape = record.nodes[node.value].shape;
      if (shape.valid()) words.say("shape ").name(record.text(shape));
    }
    std::vector<HoverWords> names;
    for (const DebugHandle handle : facts_.handles_of(line))
      names.emplace_back(std::to_string(handle.value));
    if (!names.empty())
      words.say(words.empty() ? "debug handles " : " · debug handles ").list(names, kMaxHandles);
    if (!words.empty()) note(std::move(words));
  }

  // Those that are far from the others, and why; `from`: the file of the hover.
  void executions(FileId from) {
    if (head_.odd.empty()) return;
    const OddSample& odd = head_.odd.front();
    HoverWords words("executions ");
    words.name(strip_text(head_));
    words.say(fmt::format(" · execution {} took {}", odd.sample + 1, text(odd.total)));
    if (odd.is_one_event && odd.excess.line.valid()) {
      words.say(fmt::format(": 1 event took {}, ", text(odd.excess.took)));
      words.append(line_words(facts_, odd.excess.line, from, options_));
    } else if (const std::string reason = odd_reason(odd, facts_, options_.unit); !reason.empty()) {
      words.say(": ").say(reason);
    }
    if (head_.odd.size() > 1) words.say(fmt::format(" ({} more like it)", head_.odd.size() - 1));
    note(std::move(words));
  }

  const Facts& facts_;
  const HoverOptions& options_;
  Headline head_;
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
  if (anchor.verdict == AnchorVerdict::Exact && !anchor.edited) return {{"source: exact", false}};
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
