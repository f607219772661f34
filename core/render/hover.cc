// SPDX-License-Identifier: Apache-2.0
#include "core/render/hover.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/format.h"
#include "core/render/histogram_picture.h"
#include "core/facts/hotspots.h"
#include "core/render/inlay_hint.h"

namespace etlens {
namespace {

constexpr size_t kMaxOperators = 8;
constexpr size_t kMinForPicture = 5;  // executions: fewer say more as numbers
constexpr size_t kMaxModules = 6;
constexpr size_t kMaxLines = 8;
constexpr size_t kMaxHandles = 12;
constexpr size_t kMaxMetadata = 3;  // events
constexpr size_t kMaxFields = 8;

// A line of a hover in the making.
class Words {
 public:
  Words() = default;
  explicit Words(std::string text) { say(std::move(text)); }

  Words& say(std::string text) & {
    if (!spans_.empty() && !spans_.back().is_name) spans_.back().text += text;
    else spans_.push_back({std::move(text), false});
    return *this;
  }
  Words& name(std::string_view text) & {
    spans_.push_back({std::string(text), true});
    return *this;
  }
  Words& append(const Words& other) & {
    for (const HoverSpan& span : other.spans_) {
      if (span.is_name) name(span.text);
      else say(span.text);
    }
    return *this;
  }
  // "a, b, c, … 4 more".
  Words& list(const std::vector<Words>& items, size_t limit) & {
    for (size_t i = 0; i < std::min(items.size(), limit); ++i) {
      if (i > 0) say(", ");
      append(items[i]);
    }
    if (items.size() > limit) say(fmt::format(", … {} more", items.size() - limit));
    return *this;
  }
  bool empty() const { return spans_.empty(); }
  HoverText take() { return std::move(spans_); }

 private:
  HoverText spans_;
};

class HoverBuilder {
 public:
  HoverBuilder(const PreparedProfile& prepared, const HoverOptions& options)
      : prepared_(prepared),
        snapshot_(*prepared.snapshot),
        profile_(snapshot_.profile),
        options_(options) {}

  HoverInfo line(LineId id) {
    const LineRow& row = profile_.lines[id.value];
    if (row.inclusive_ticks > 0 || !row.events.empty()) {
      cost(row);
      spread(row);
      operators(row);
      metadata(row);
      modules(id, row);
    }
    fused(id, row);
    partitions(row);
    fallback(id);
    shape_and_handles(row);
    executions();
    return std::move(info_);
  }

  HoverInfo instances(std::string_view name, uint64_t ticks, const std::vector<ModuleId>& modules) {
    info_.time = time(ticks);
    Words in("in ");
    fact(in.name(name));
    share_fact(ticks);
    if (modules.size() > 1) fact(Words(counted(modules.size(), "instance")));
    std::vector<ModuleId> ranked = modules;
    std::stable_sort(ranked.begin(), ranked.end(), [&](ModuleId a, ModuleId b) {
      return profile_.modules[a.value].inclusive_ticks > profile_.modules[b.value].inclusive_ticks;
    });
    info_.operators.columns = {
        {"module"}, {"inclusive", Align::Right}, {"share", Align::Right}, {"self", Align::Right}};
    info_.name_columns = 1;
    for (size_t i = 0; i < std::min(ranked.size(), kMaxOperators); ++i) {
      const ModuleRow& module = profile_.modules[ranked[i].value];
      info_.operators.rows.push_back({shown_path(module), time(module.inclusive_ticks),
                                      format_share(profile_.share(module.inclusive_ticks)),
                                      time(module.self_ticks)});
    }
    info_.more_operators = ranked.size() - info_.operators.rows.size();
    executions();
    return std::move(info_);
  }

 private:
  void fact(Words words) { info_.facts.push_back(words.take()); }
  void note(Words words) { info_.notes.push_back(words.take()); }

  std::string ticks_text(double ticks) const {
    return format_time(ticks, {snapshot_.time_scale, options_.unit});
  }
  std::string time(uint64_t ticks) const { return ticks_text(snapshot_.average(ticks)); }

  static std::string shown_path(const ModuleRow& module) {
    return module.path.empty() ? "(model)" : module.path;
  }

  void share_fact(uint64_t ticks) {
    const std::string_view method = snapshot_.method_name();
    Words words(format_share(profile_.share(ticks)) + " of ");
    words.name(method.empty() ? "Method::execute" : method);
    fact(words.say(fmt::format(" ({})", time(profile_.total.total))));
  }

  void cost(const LineRow& row) {
    const bool is_inclusive = row.self_ticks == 0 && row.inclusive_ticks > 0;
    info_.time = time(is_inclusive ? row.inclusive_ticks : row.self_ticks);
    fact(Words(is_inclusive ? "in what it calls" : "self"));
    share_fact(is_inclusive ? row.inclusive_ticks : row.self_ticks);
    if (!is_inclusive && row.inclusive_ticks > row.self_ticks) {
      fact(Words(time(row.inclusive_ticks) + " with what it calls"));
    }
    const std::string where = where_line_ran(profile_, row);
    if (where == "CPU") fact(Words("CPU, not delegated"));
    else if (!where.empty()) fact(backend_words(where));
    if (row.calls > 1) fact(Words(fmt::format("×{}", row.calls)));
    if (profile_.execution_count() > 1 && row.self_ticks > 0) {
      fact(Words(
          fmt::format("p50 {} · p90 {}", ticks_text(row.self.p50), ticks_text(row.self.p90))));
    }
  }

  void spread(const LineRow& row) {
    const size_t executions = profile_.execution_count();
    if (!options_.pictures || executions < kMinForPicture || row.self_ticks == 0) return;
    info_.picture = picture_of(row.spread);
    info_.picture_words = fmt::format("{} executions, from {} to {}", executions,
                                      ticks_text(row.spread.min), ticks_text(row.spread.max));
  }

  // A backend that we have a label for needs no quotes.
  static Words backend_words(std::string_view label) {
    const bool is_word = std::all_of(label.begin(), label.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == ' ' || c == '-' || c == '+';
    });
    Words words;
    if (is_word) words.say(std::string(label));
    else words.name(label);
    return words;
  }

  void operators(const LineRow& row) {
    const std::vector<EventId>& events = row.events.empty() ? row.inclusive_events : row.events;
    std::vector<EventId> ranked(events.begin(), events.end());
    std::stable_sort(ranked.begin(), ranked.end(), [&](EventId a, EventId b) {
      return profile_.events[a.value].self_ticks > profile_.events[b.value].self_ticks;
    });
    info_.operators.columns = {{"operator"}, {"event"}, {"avg", Align::Right}};
    info_.name_columns = 2;
    const bool has_spread = profile_.execution_count() > 1;
    if (has_spread) {
      info_.operators.columns.push_back({"p50", Align::Right});
      info_.operators.columns.push_back({"p90", Align::Right});
    }
    for (const char* name : {"n", "where", "confidence"}) info_.operators.columns.push_back({name});
    for (size_t i = 0; i < std::min(ranked.size(), kMaxOperators); ++i) {
      info_.operators.rows.push_back(operator_row(ranked[i], has_spread));
    }
    info_.more_operators = ranked.size() - info_.operators.rows.size();
  }

  std::vector<std::string> operator_row(EventId id, bool has_spread) const {
    const EventRow& event = profile_.events[id.value];
    std::vector<std::string> row;
    row.emplace_back(event.node.valid()
                         ? profile_.record->text(profile_.record->nodes[event.node.value].target)
                         : std::string_view());
    row.push_back(profile_.readable_name(event));
    std::string own_time = time(event.self_ticks);
    if (event.unit == DelegateUnit::Cycles || event.unit == DelegateUnit::Counter) {
      own_time +=
          fmt::format(" ({})", format_reported(snapshot_.average(event.reported), event.unit));
    }
    row.push_back(std::move(own_time));
    if (has_spread) {
      const bool is_known = has_statistics(event);
      row.push_back(is_known ? ticks_text(prepared_.statistics[id.value].p50) : "");
      row.push_back(is_known ? ticks_text(prepared_.statistics[id.value].p90) : "");
    }
    row.push_back(fmt::format("{:g}", snapshot_.average(event.occurrences)));
    const std::string_view backend = profile_.backend_of(event);
    row.push_back(backend.empty() ? "CPU" : profile_.backends.label(backend));
    std::string confidence(name_of(event.confidence));
    if (event.confidence == Confidence::Inferred && event.candidates > 1) {
      confidence += fmt::format(", one of {}", event.candidates);
    }
    if (event.rescaled) confidence += ", share of its call";
    row.push_back(std::move(confidence));
    return row;
  }

  // What backends attached to the line's events, most costly first.
  void metadata(const LineRow& row) {
    if (prepared_.metadata.empty()) return;
    size_t shown = 0;
    for (const EventId id : row.events) {
      const EventRow& event = profile_.events[id.value];
      std::vector<Words> items;
      for (const auto& [name, value] : profile_.backends.read_metadata(
               profile_.backend_of(event), prepared_.metadata[id.value])) {
        Words item;
        item.name(name).say(" ").name(value);
        items.push_back(std::move(item));
      }
      if (items.empty()) continue;
      if (++shown > kMaxMetadata) return;
      Words words;
      note(words.name(profile_.readable_name(event)).say(": ").list(items, kMaxFields));
    }
  }

  void modules(LineId id, const LineRow& row) {
    const std::vector<ModuleShare> shares = module_shares(profile_, id);
    std::vector<Words> items;
    for (const ModuleShare& share : shares) {
      Words item;
      item.name(shown_path(profile_.modules[share.module.value]))
          .say(fmt::format(" {}", time(share.sum.self_ticks)));
      items.push_back(std::move(item));
    }
    if (items.size() > 1) {
      Words words("by module: ");
      note(words.list(items, kMaxModules));
    } else if (items.size() == 1 && shares.front().module.value != 0 && !row.events.empty()) {
      Words words("module: ");
      note(words.name(profile_.modules[shares.front().module.value].path));
    }
  }

  Words line_name(LineId id, FileId from) const {
    const LineRow& row = profile_.lines[id.value];
    const uint32_t current = options_.current_line ? options_.current_line(id) : 0;
    const uint32_t number = current == 0 ? row.line : current;
    if (row.file == from) return Words(fmt::format("L{}", number));
    Words words;
    words.name(fmt::format("{}:{}", base_name(snapshot_.recorded_path(row.file)), number));
    return words;
  }

  Words line_names(const std::vector<LineId>& ids, FileId from) const {
    std::vector<Words> names;
    for (const LineId id : ids) names.push_back(line_name(id, from));
    Words words;
    words.list(names, kMaxLines);
    return words;
  }

  void fused(LineId id, const LineRow& row) {
    if (!row.fused_into.empty()) {
      Words words("fused into ");
      note(words.append(line_names(row.fused_into, row.file)).say(", which carries the time"));
    }
    if (!prepared_.fused_from[id.value].empty()) {
      Words words("does the work of ");
      note(words.append(line_names(prepared_.fused_from[id.value], row.file)).say(" as well"));
    }
  }

  void partitions(const LineRow& row) {
    for (const PartitionId id : row.partitions) {
      const PartitionRow& partition = profile_.partitions[id.value];
      if (partition.occurrences == 0 && partition.opaque_ticks == 0) continue;
      Words words = partition_name(id);
      words.say(fmt::format(": {} in all, {}", time(partition.total_ticks),
                            counted(partition.lines.size(), "line")));
      if (partition.opaque_ticks > 0) {
        words.say(
            fmt::format("; {} of it belongs to no single line", time(partition.opaque_ticks)));
      }
      if (partition.overhead_ticks > 0) {
        words.say(
            fmt::format("; {} inside the call was not measured", time(partition.overhead_ticks)));
      }
      note(std::move(words));
    }
  }

  Words partition_name(PartitionId id) const {
    const PartitionRow& partition = profile_.partitions[id.value];
    Words words = partition.backend.valid()
                      ? backend_words(
                            profile_.backends.label(profile_.record->text(partition.backend)))
                      : Words("delegate call");
    words.say(fmt::format(" #{}", partition.number));
    return words;
  }

  void fallback(LineId id) {
    const FallbackRow* row = prepared_.fallback_of(id);
    if (row == nullptr) return;
    Words words(time(row->sum.self_ticks) + " on the CPU between ");
    words.append(partition_name(row->before)).say(" and ").append(partition_name(row->after));
    note(words.say(": the data leaves the delegate and comes back"));
  }

  void shape_and_handles(const LineRow& row) {
    if (row.events.empty()) return;
    const EventRow& first = profile_.events[row.events.front().value];
    Words words;
    if (first.node.valid()) {
      const StringId shape = profile_.record->nodes[first.node.value].shape;
      if (shape.valid()) words.say("shape ").name(profile_.record->text(shape));
    }
    std::set<DebugHandle> handles;
    for (const EventId id : row.events) {
      for (const DebugHandle handle : profile_.handles_of(profile_.events[id.value]))
        handles.insert(handle);
    }
    std::vector<Words> names;
    for (const DebugHandle handle : handles) names.emplace_back(std::to_string(handle));
    if (!names.empty())
      words.say(words.empty() ? "debug handles " : " · debug handles ").list(names, kMaxHandles);
    if (!words.empty()) note(std::move(words));
  }

  void executions() {
    if (profile_.far_off.empty()) return;
    const uint32_t first = profile_.far_off.front();
    Words words(fmt::format("execution {} took {}, far from the others", first + 1,
                            ticks_text(static_cast<double>(profile_.executions[first].total))));
    if (profile_.far_off.size() > 1)
      words.say(fmt::format(" ({} more like it)", profile_.far_off.size() - 1));
    note(std::move(words));
  }

  const PreparedProfile& prepared_;
  const ProfileSnapshot& snapshot_;
  const Profile& profile_;
  const HoverOptions& options_;
  HoverInfo info_;
};

}  // namespace

HoverInfo line_hover(const PreparedProfile& prepared, LineId line, const HoverOptions& options) {
  return HoverBuilder(prepared, options).line(line);
}

HoverText source_note(const Profile& profile, LineId line, const Anchor& anchor) {
  const LineRow& row = profile.lines[line.value];
  if (anchor.verdict == AnchorVerdict::Exact && !anchor.edited) return {{"source: exact", false}};
  Words words("source: ");
  switch (anchor.verdict) {
    case AnchorVerdict::Exact:
      words.say("exact");
      break;
    case AnchorVerdict::Moved:
      words.say(anchor.line == row.line ? "same line"
                                        : fmt::format("recorded as line {}", row.line));
      break;
    case AnchorVerdict::Stale:
      words.say("only the function is still known");
      break;
    case AnchorVerdict::Lost:
      words.say("no longer found");
      break;
  }
  if (anchor.edited) {
    const Frame& frame = profile.record->frames[row.frame.value];
    words.say(", edited since the export; recorded: ").name(profile.record->text(frame.text));
  }
  return words.take();
}

HoverInfo modules_hover(const PreparedProfile& prepared, std::string_view name,
                        uint64_t inclusive_ticks, const std::vector<ModuleId>& instances,
                        const HoverOptions& options) {
  return HoverBuilder(prepared, options).instances(name, inclusive_ticks, instances);
}

}  // namespace etlens
