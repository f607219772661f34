// SPDX-License-Identifier: Apache-2.0
#include "core/render/tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/format.h"
#include "core/facts/hotspots.h"
#include "core/render/inlay_hint.h"
#include "core/facts/delegation.h"
#include "core/code/operator_name.h"
#include "core/facts/rollup.h"

namespace etlens {
namespace {

// Turns ticks and shares into cells of the style.
class Cells {
 public:
  Cells(const ProfileSnapshot& snapshot, TableStyle style, TimeScale target)
      : snapshot_(snapshot),
        style_(style),
        factor_(scale_factor(snapshot.time_scale, target)),
        target_(target) {}

  bool is_human() const { return style_ == TableStyle::Human; }

  std::string header(std::string_view name) const {
    return is_human() ? std::string(name) : fmt::format("{} ({})", name, name_of(target_));
  }
  std::string time(uint64_t ticks) const { return value(snapshot_.average(ticks)); }
  std::string value(double ticks) const {
    return is_human() ? format_time(ticks, snapshot_.time_scale) : python_float(ticks / factor_);
  }
  std::string share(uint64_t ticks) const { return percentage(snapshot_.profile.share(ticks)); }
  std::string fraction(uint64_t part, uint64_t whole) const {
    return percentage(whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole));
  }
  std::string count(uint64_t n) const { return fmt::format("{:g}", snapshot_.average(n)); }

  // What a backend logged in a unit of its own.
  std::string reported(const EventRow& event) const {
    if (event.unit == DelegateUnit::Ticks) return "";
    const double value = snapshot_.average(event.reported);
    return is_human() ? format_reported(value, event.unit)
                      : fmt::format("{} {}", python_float(value), name_of(event.unit));
  }

  std::string path(FileId file) const {
    const std::string& here = snapshot_.sources[file.value].path;
    const std::string_view shown =
        here.empty() ? snapshot_.recorded_path(file) : std::string_view(here);
    return std::string(is_human() ? base_name(shown) : shown);
  }

 private:
  std::string percentage(double fraction) const {
    return is_human() ? format_share(fraction) : python_float(fraction);
  }

  const ProfileSnapshot& snapshot_;
  TableStyle style_;
  double factor_;
  TimeScale target_;
};

// People get the first few; data is complete.
constexpr size_t kMaxNamed = 3;

std::string listed(std::vector<std::string> names, bool is_human) {
  std::vector<std::string> distinct;
  for (std::string& name : names) {
    if (std::find(distinct.begin(), distinct.end(), name) == distinct.end())
      distinct.push_back(std::move(name));
  }
  if (!is_human || distinct.size() <= kMaxNamed) return join(distinct, ", ");
  const size_t more = distinct.size() - kMaxNamed;
  distinct.resize(kMaxNamed);
  return fmt::format("{} +{}", join(distinct, ", "), more);
}

std::string operator_text(const Profile& profile, NodeId node, bool is_human) {
  const std::string_view target = profile.record->text(profile.record->nodes[node.value].target);
  return std::string(is_human ? base_operator_of_target(target) : target);
}

std::string event_operator(const Profile& profile, const EventRow& event, bool is_human) {
  return event.node.valid() ? operator_text(profile, event.node, is_human)
                            : profile.event_name(event);
}

std::string line_text(const Cells& cells, const Profile& profile, LineId id) {
  const LineRow& line = profile.lines[id.value];
  return fmt::format("{}:{}", cells.path(line.file), line.line);
}

std::string neighbours_text(const Cells& cells, const Profile& profile,
                            const std::vector<Neighbour>& neighbours) {
  std::vector<std::string> names;
  for (const Neighbour& row : neighbours) {
    names.push_back(row.partition.valid()
                        ? fmt::format("#{}", profile.partitions[row.partition.value].number)
                        : operator_text(profile, row.node, cells.is_human()));
  }
  return listed(std::move(names), cells.is_human());
}

std::string number_or_blank(uint32_t line) {
  return line == 0 ? std::string() : std::to_string(line);
}

}  // namespace

Table lines_table(const ProfileSnapshot& snapshot, const std::vector<AnchoredSource>& sources,
                  TableStyle style, TimeScale target) {
  const Profile& profile = snapshot.profile;
  const Cells cells(snapshot, style, target);
  Table table;
  table.columns = {{"file"},
                   {"line", Align::Right},
                   {"now", Align::Right},
                   {cells.header("self"), Align::Right},
                   {"share", Align::Right},
                   {cells.header("inclusive"), Align::Right},
                   {"occurrences", Align::Right},
                   {"where"},
                   {"confidence"},
                   {"text"}};
  std::vector<LineId> order;
  for (size_t l = 0; l < profile.lines.size(); ++l) order.emplace_back(l);
  std::stable_sort(order.begin(), order.end(), [&](LineId a, LineId b) {
    const LineRow& x = profile.lines[a.value];
    const LineRow& y = profile.lines[b.value];
    if (x.self_ticks != y.self_ticks) return x.self_ticks > y.self_ticks;
    return x.inclusive_ticks > y.inclusive_ticks;
  });
  for (const LineId id : order) {
    const LineRow& line = profile.lines[id.value];
    const Frame& frame = profile.record->frames[line.frame.value];
    const Anchor& anchor = sources[line.file.value].of(profile, id);
    table.rows.push_back({cells.path(line.file), std::to_string(line.line),
                          number_or_blank(anchor.line), cells.time(line.self_ticks),
                          cells.share(line.self_ticks), cells.time(line.inclusive_ticks),
                          cells.count(line.occurrences), where_line_ran(profile, line),
                          std::string(name_of(line.confidence)),
                          std::string(profile.record->text(frame.text))});
  }
  return table;
}

Table modules_table(const ProfileSnapshot& snapshot, std::string_view root, TableStyle style,
                    TimeScale target) {
  const Profile& profile = snapshot.profile;
  const Cells cells(snapshot, style, target);
  Table table;
  table.columns = {{"module"},
                   {cells.header("inclusive"), Align::Right},
                   {"share", Align::Right},
                   {cells.header("self"), Align::Right},
                   {"calls", Align::Right},
                   {"delegated", Align::Right},
                   {"type"}};
  const std::vector<ModuleDelegation> delegation = module_delegation(profile);
  uint32_t top_depth = 0;
  for (const ModuleRow& module : profile.modules) {
    if (module.path == root) top_depth = module.depth;
  }
  for (size_t m = 0; m < profile.modules.size(); ++m) {
    const ModuleRow& module = profile.modules[m];
    if (!is_module_below(root, module.path)) continue;
    std::string name = module.path;
    if (cells.is_human()) {
      const size_t dot = module.path == root ? std::string::npos : module.path.rfind('.');
      name = std::string(2 * (module.depth - top_depth), ' ') +
             (module.path.empty() ? "(model)"
                                  : module.path.substr(dot == std::string::npos ? 0 : dot + 1));
    }
    const std::string type(module.type.valid() ? profile.record->text(module.type)
                                               : std::string_view());
    table.rows.push_back({std::move(name), cells.time(module.inclusive_ticks),
                          cells.share(module.inclusive_ticks), cells.time(module.self_ticks),
                          std::to_string(module.calls),
                          cells.fraction(delegation[m].delegated_ticks, module.inclusive_ticks),
                          cells.is_human() ? type.substr(type.rfind('.') + 1) : type});
  }
  return table;
}

Table events_table(const ProfileSnapshot& snapshot, const std::vector<AnchoredSource>& sources,
                   TableStyle style, TimeScale target) {
  const Profile& profile = snapshot.profile;
  const Cells cells(snapshot, style, target);
  Table table;
  table.columns = {{"event"},
                   {"instruction", Align::Right},
                   {cells.header("self"), Align::Right},
                   {"share", Align::Right},
                   {"sum", Align::Right},
                   {cells.header("p50"), Align::Right},
                   {cells.header("p90"), Align::Right},
                   {"occurrences", Align::Right},
                   {"where"},
                   {"confidence"},
                   {"line"},
                   {"module"}};
  const std::vector<PerfData> statistics = event_statistics(profile);
  const bool has_units =
      std::any_of(profile.events.begin(), profile.events.end(),
                  [](const EventRow& row) { return row.unit != DelegateUnit::Ticks; });
  if (has_units) table.columns.push_back({"reported", Align::Right});
  uint64_t running = 0;
  for (const EventId id : ranked_events(profile)) {
    const EventRow& event = profile.events[id.value];
    running += event.self_ticks;
    std::string where(profile.backend_of(event));
    if (cells.is_human()) where = profile.backends.label(where);
    std::string line(name_of(event.part));
    if (event.line.valid()) {
      const LineRow& row = profile.lines[event.line.value];
      const Anchor& anchor = sources[row.file.value].of(profile, event.line);
      line = fmt::format("{}:{}", cells.path(row.file), anchor.line == 0 ? row.line : anchor.line);
    }
    const bool has_place = event.part == TimePart::Line || event.part == TimePart::OpaquePartition;
    table.rows.push_back(
        {cells.is_human() ? profile.readable_name(event) : profile.event_name(event),
         event.key.in_instruction() ? std::to_string(event.key.instruction) : "",
         cells.time(event.self_ticks), cells.share(event.self_ticks), cells.share(running),
         has_statistics(event) ? cells.value(statistics[id.value].p50) : "",
         has_statistics(event) ? cells.value(statistics[id.value].p90) : "",
         cells.count(event.occurrences), std::move(where),
         has_place ? std::string(name_of(event.confidence)) : "", std::move(line),
         event.module.valid() ? profile.modules[event.module.value].path : ""});
    if (has_units) table.rows.back().push_back(cells.reported(event));
  }
  return table;
}

Table partitions_table(const ProfileSnapshot& snapshot, TableStyle style, TimeScale target) {
  const Profile& profile = snapshot.profile;
  const Cells cells(snapshot, style, target);
  Table table;
  table.columns = {{"#", Align::Right},
                   {"instruction", Align::Right},
                   {"backend"},
                   {cells.header("total"), Align::Right},
                   {"share", Align::Right},
                   {cells.header("explained"), Align::Right},
                   {cells.header("opaque"), Align::Right},
                   {cells.header("overhead"), Align::Right},
                   {"operators", Align::Right},
                   {"not reported", Align::Right},
                   {"lines"},
                   {"fed by"},
                   {"read by"}};
  const std::vector<PartitionDetail> details = partition_details(profile);
  for (size_t p = 0; p < details.size(); ++p) {
    const PartitionRow& row = profile.partitions[p];
    std::string backend(row.backend.valid() ? profile.record->text(row.backend)
                                            : std::string_view());
    if (cells.is_human()) backend = profile.backends.label(backend);
    std::vector<std::string> lines;
    for (const LineId line : row.lines) lines.push_back(line_text(cells, profile, line));
    table.rows.push_back(
        {std::to_string(row.number), std::to_string(row.instruction), std::move(backend),
         cells.time(row.total_ticks), cells.share(row.total_ticks), cells.time(row.explained_ticks),
         cells.time(row.opaque_ticks), cells.time(row.overhead_ticks),
         std::to_string(row.events.size()), std::to_string(row.unreported_nodes.size()),
         listed(std::move(lines), cells.is_human()),
         neighbours_text(cells, profile, details[p].fed_by),
         neighbours_text(cells, profile, details[p].read_by)});
  }
  return table;
}

Table fallbacks_table(const ProfileSnapshot& snapshot, TableStyle style, TimeScale target) {
  const Profile& profile = snapshot.profile;
  const Cells cells(snapshot, style, target);
  Table table;
  table.columns = {{"between"},
                   {cells.header("time"), Align::Right},
                   {"share", Align::Right},
                   {"operators"},
                   {"lines"}};
  for (const FallbackGap& gap : fallback_gaps(profile)) {
    std::vector<std::string> operators;
    std::vector<std::string> lines;
    for (const EventId id : gap.events) {
      const EventRow& event = profile.events[id.value];
      operators.push_back(event_operator(profile, event, cells.is_human()));
      if (event.line.valid()) lines.push_back(line_text(cells, profile, event.line));
    }
    table.rows.push_back({fmt::format("#{} and #{}", profile.partitions[gap.before.value].number,
                                      profile.partitions[gap.after.value].number),
                          cells.time(gap.sum.self_ticks), cells.share(gap.sum.self_ticks),
                          listed(std::move(operators), cells.is_human()),
                          listed(std::move(lines), cells.is_human())});
  }
  return table;
}

}  // namespace etlens
