// SPDX-License-Identifier: Apache-2.0
#include "core/render/hover.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/facts/headline.h"
#include "core/facts/line_work.h"
#include "core/facts/output_shape.h"
#include "core/facts/reasons.h"
#include "core/render/advice_text.h"
#include "core/render/control_text.h"
#include "core/render/export_text.h"
#include "core/render/format.h"
#include "core/render/group_columns.h"
#include "core/render/histogram_picture.h"
#include "core/render/hover_tables.h"
#include "core/render/hover_words.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

constexpr size_t kMinForPicture = 5;  // executions: fewer say more as numbers
constexpr size_t kMaxHoverLines = 8;
constexpr size_t kMaxCalls = 8;
constexpr size_t kMaxCallNotes = 3;  // more delegate calls are told together
constexpr size_t kMaxHandles = 12;
constexpr size_t kMaxMetadata = 3;  // events
constexpr size_t kMaxFields = 8;
constexpr size_t kMaxGaps = 4;
constexpr size_t kMaxBodies = 4;
constexpr size_t kMaxWrites = 3;
constexpr size_t kMaxReasons = 3;
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
      advice(id);
      operators(line);
      calls(line);
      callees(line);
    }
    for (const MeasuredLine& row : further) further_row(row, options_, info_);
    if (facts_.code().lines[id.value].is_recovered)
      note(
          HoverWords("recovered: the export lost this line, the source and the record lead to it"));
    control(id);
    if (line.has_cost()) metadata(line);
    fused(line);
    partitions(line);
    fallback(line);
    reasons(line);
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
    if (!facts_.has_operators()) share_fact(total);
    if (modules.size() > 1) fact(HoverWords(counted(modules.size(), "instance")));
    if (facts_.quantity().is_sampled()) {
      if (head_.used.size() < 2) spread("a single sample");
      disturbance(total);
    }
    add_instances(facts_, modules, options_, info_);
    executions({});
    return std::move(info_);
  }

 private:
  void fact(HoverWords words) { info_.facts.push_back(words.take()); }
  void spread(std::string words) { info_.spread.push_back(HoverWords(std::move(words)).take()); }
  void note(HoverWords words) { info_.notes.push_back(words.take()); }

  std::string text(double value) const { return format_value(facts_, value, options_.unit); }
  std::string measured(double value, const std::vector<ContributionId>& events) const {
    return format_measured(facts_, value, events, options_.unit);
  }
  std::string text(const Cost& cost) const {
    if (facts_.has_operators()) return counted(static_cast<size_t>(cost.amount.value), "operator");
    return format_cost(facts_, cost, options_.unit);
  }

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
      note(std::move(words));
  }

  // The findings that are about the line. The words are ours but for what they are about.
  void advice(LineId id) {
    for (const Advice& row : options_.advice) {
      if (std::find(row.lines.begin(), row.lines.end(), id) == row.lines.end()) continue;
      const AdviceWords of = words_of(facts_, head_, row, options_.unit);
      HoverWords words("To do: ");
      // What they are about, and then the backend: names of artifacts.
      std::string_view rest = of.title;
      HoverWords subject;
      subject.name(row.subject);
      for (const auto& [name, said] :
           {std::pair(std::string_view(row.subject), subject),
            std::pair(std::string_view(of.backend), backend_words(of.backend))}) {
        const size_t at = rest.find(name);
        if (name.empty() || at == std::string_view::npos) continue;
        words.say(std::string(rest.substr(0, at))).append(said);
        rest.remove_prefix(at + name.size());
      }
      words.say(std::string(rest));
      if (!of.won.empty()) words.say(fmt::format(" ({} in all)", of.won));
      words.say(". ");
      if (row.reason.empty()) words.say(of.action + ".");
      else words.sentence(of.action + ".");
      info_.advice.push_back(words.take());
    }
  }

  // Why operators of a dump are on the CPU. Those of an export have it in their table, and what to
  // do about it is there already.
  void reasons(const LineFacts& line) {
    if (!facts_.has_events()) return;
    std::vector<OperatorReason> found = reasons_of(facts_, line.own);
    std::erase_if(found, [&](const OperatorReason& row) {
      return std::ranges::any_of(options_.advice, [&](const Advice& told) {
        return told.reason == row.reason->text && std::ranges::count(told.lines, line.id) > 0;
      });
    });
    for (size_t i = 0; i < std::min(found.size(), kMaxReasons); ++i) {
      HoverWords words("On the CPU: ");
      note(words.name(found[i].op).say(": ").sentence(sentences_of(*found[i].reason)));
    }
    if (found.size() > kMaxReasons)
      note(HoverWords(fmt::format("and {}", counted(found.size() - kMaxReasons, "more reason"))));
  }

  // Branches and loops, and the buffers whose new value it computes.
  void control(LineId id) {
    const std::vector<const BodyRuns*> bodies = facts_.bodies_of(id);
    for (size_t i = 0; i < std::min(bodies.size(), kMaxBodies); ++i)
      note(HoverWords(body_text(facts_, *bodies[i])));
    if (bodies.size() > kMaxBodies)
      note(HoverWords(fmt::format("… and {} more branches and loops", bodies.size() - kMaxBodies)));
    const std::span<const StateWrite> writes = facts_.writes_of(id);
    if (writes.empty()) return;
    uint64_t bytes = 0;
    std::vector<HoverWords> items;
    for (const StateWrite& write : writes) {
      bytes += write.bytes;
      items.emplace_back().name(write.buffer);
    }
    HoverWords words("writes ");
    words.list(items, kMaxWrites).say(", " + format_bytes(static_cast<double>(bytes)));
    note(words.say(writes.size() > 1 ? " in all" : ""));
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
      const ContributionFacts other = facts_.contribution(call.other);
      item.name(other.name);
      if (other.line.valid()) item.lead_to(address_of(facts_, other.line, options_));
      item.say(" " + text(call.inclusive));
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
    for (const CallsFacts& row : calls_of(facts_, line.partitions)) {
      if (row.calls.size() > kMaxCallNotes) {
        note(calls_words(row));
        continue;
      }
      for (const PartitionId id : row.calls) {
        const PartitionFacts call = facts_.partition(id);
        HoverWords words = partition_words(facts_, call, CallEnd::First, options_);
        words.say(
            fmt::format(": {} in all, {}", text(call.total), counted(call.lines.size(), "line")));
        if (call.init) words.say(fmt::format("; init {}", text(*call.init)));
        note(words.append(remainder_words(call.opaque, call.overhead, "the call")));
      }
    }
  }

  // "XNNPACK #5 to #191, 32 calls: 352 µs in all; …".
  HoverWords calls_words(const CallsFacts& row) const {
    HoverWords words =
        partition_words(facts_, facts_.partition(row.calls.front()), CallEnd::First, options_);
    words.say(fmt::format(" to #{}, {} calls: {} in all", facts_.partition(row.calls.back()).number,
                          row.calls.size(), text(row.total)));
    return words.append(remainder_words(row.opaque, row.overhead, "the calls"));
  }

  HoverWords remainder_words(const Cost& opaque, const Cost& overhead,
                             std::string_view calls) const {
    HoverWords words;
    if (opaque.amount > Amount())
      words.say(fmt::format("; {} of it belongs to no single line", text(opaque)));
    if (overhead.amount > Amount())
      words.say(fmt::format("; {} inside {} was not measured", text(overhead), calls));
    return words;
  }

  void fallback(const LineFacts& line) {
    const LineFallback* row = facts_.fallback_of(line.id);
    if (row == nullptr) return;
    for (size_t i = 0; i < std::min(row->gaps.size(), kMaxGaps); ++i) {
      const GapOfLine& gap = row->gaps[i];
      HoverWords words(text(facts_.cost_of(gap.events)) + " on the CPU between ");
      words.append(partition_words(facts_, facts_.partition(gap.before), CallEnd::Last, options_));
      words.say(" and ");
      words.append(partition_words(facts_, facts_.partition(gap.after), CallEnd::First, options_));
      note(words.say(": the data leaves the delegate and comes back"));
    }
    if (row->gaps.size() > kMaxGaps)
      note(HoverWords(fmt::format("… and between {} more", row->gaps.size() - kMaxGaps)));
  }

  void shape_and_handles(const LineFacts& line) {
    if (line.own.empty()) return;
    HoverWords words;
    if (const std::string_view shape = output_shape(facts_, line); !shape.empty())
      words.say("shape ").name(shape);
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
