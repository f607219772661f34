// SPDX-License-Identifier: Apache-2.0
#include "core/present/tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/path.h"
#include "core/export/json_writer.h"
#include "core/present/format.h"
#include "core/present/hotspots.h"
#include "core/present/inlay_hint.h"

namespace etlens {
namespace {

// Turns ticks and shares into cells of the style.
class Cells {
 public:
  Cells(const ProfileSnapshot& snapshot, TableStyle style, TimeScale target)
      : snapshot_(snapshot), style_(style), factor_(scale_factor(snapshot.time_scale, target)), target_(target) {}

  bool is_human() const { return style_ == TableStyle::Human; }

  std::string header(std::string_view name) const {
    return is_human() ? std::string(name) : fmt::format("{} ({})", name, name_of(target_));
  }
  std::string time(uint64_t ticks) const { return value(snapshot_.average(ticks)); }
  std::string value(double ticks) const {
    return is_human() ? format_time(ticks, snapshot_.time_scale) : python_float(ticks / factor_);
  }
  std::string share(uint64_t ticks) const {
    const double fraction = snapshot_.profile.share(ticks);
    return is_human() ? format_share(fraction) : python_float(fraction);
  }
  std::string count(uint64_t n) const { return fmt::format("{:g}", snapshot_.average(n)); }

  std::string path(FileId file) const {
    const std::string& here = snapshot_.sources[file.value].path;
    const std::string_view shown = here.empty() ? snapshot_.recorded_path(file) : std::string_view(here);
    return std::string(is_human() ? base_name(shown) : shown);
  }

 private:
  const ProfileSnapshot& snapshot_;
  TableStyle style_;
  double factor_;
  TimeScale target_;
};

std::string number_or_blank(uint32_t line) { return line == 0 ? std::string() : std::to_string(line); }

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
    table.rows.push_back({cells.path(line.file), std::to_string(line.line), number_or_blank(anchor.line),
                          cells.time(line.self_ticks), cells.share(line.self_ticks),
                          cells.time(line.inclusive_ticks), cells.count(line.occurrences),
                          where_line_ran(profile, line), std::string(name_of(line.confidence)),
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
                   {"type"}};
  uint32_t top_depth = 0;
  for (const ModuleRow& module : profile.modules) {
    if (module.path == root) top_depth = module.depth;
  }
  for (const ModuleRow& module : profile.modules) {
    if (!is_module_below(root, module.path)) continue;
    std::string name = module.path;
    if (cells.is_human()) {
      const size_t dot = module.path == root ? std::string::npos : module.path.rfind('.');
      name = std::string(2 * (module.depth - top_depth), ' ') +
             (module.path.empty() ? "(model)" : module.path.substr(dot == std::string::npos ? 0 : dot + 1));
    }
    const std::string type(module.type.valid() ? profile.record->text(module.type) : std::string_view());
    table.rows.push_back({std::move(name), cells.time(module.inclusive_ticks),
                          cells.share(module.inclusive_ticks), cells.time(module.self_ticks),
                          std::to_string(module.calls),
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
  uint64_t running = 0;
  for (const EventId id : ranked_events(profile)) {
    const EventRow& event = profile.events[id.value];
    running += event.self_ticks;
    std::string where(profile.backend_of(event));
    if (cells.is_human()) where = backend_label(where);
    std::string line(name_of(event.part));
    if (event.line.valid()) {
      const LineRow& row = profile.lines[event.line.value];
      const Anchor& anchor = sources[row.file.value].of(profile, event.line);
      line = fmt::format("{}:{}", cells.path(row.file), anchor.line == 0 ? row.line : anchor.line);
    }
    const bool has_place = event.part == TimePart::Line || event.part == TimePart::OpaquePartition;
    table.rows.push_back(
        {profile.event_name(event),
         event.key.in_instruction() ? std::to_string(event.key.instruction) : "",
         cells.time(event.self_ticks), cells.share(event.self_ticks), cells.share(running),
         cells.value(statistics[id.value].p50), cells.value(statistics[id.value].p90),
         cells.count(event.occurrences), std::move(where),
         has_place ? std::string(name_of(event.confidence)) : "", std::move(line),
         event.module.valid() ? profile.modules[event.module.value].path : ""});
  }
  return table;
}

}  // namespace etlens
