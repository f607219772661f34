// SPDX-License-Identifier: Apache-2.0
#include "core/facts/prepared.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/facts/hotspots.h"

namespace etlens {
namespace {

// For every module the line of its costliest event (its own or of a module below it); a module that
// is only known to be inside a delegate call has the call's first line.
std::vector<LineId> lines_of_modules(const Profile& profile) {
  struct Best {
    LineId line;
    uint64_t ticks = 0;
  };
  std::vector<Best> best(profile.modules.size());
  const auto offer = [&](ModuleId module, LineId line, uint64_t ticks) {
    for (; module.valid(); module = profile.modules[module.value].parent) {
      Best& row = best[module.value];
      if (!row.line.valid() || ticks > row.ticks) row = {line, ticks};
    }
  };
  for (const EventRow& event : profile.events) {
    if (event.line.valid()) offer(event.module, event.line, event.self_ticks);
  }
  for (const PartitionRow& partition : profile.partitions) {
    if (!partition.lines.empty()) offer(partition.module, partition.lines.front(), 0);
  }
  std::vector<LineId> lines;
  for (const Best& row : best) lines.push_back(row.line);
  return lines;
}

class SymbolCollector {
 public:
  SymbolCollector(const Profile& profile, const std::vector<LineId>& line_of_module)
      : profile_(profile), line_of_module_(line_of_module) {}

  std::vector<ProfileSymbol> run() {
    for (size_t e = 0; e < profile_.events.size(); ++e) add_event(EventId(e));
    std::vector<ProfileSymbol> symbols;
    for (const auto& [key, group] : groups_) {
      const auto& [kind, name, line] = key;
      symbols.push_back(
          {kind, name, line, {}, roll_up(profile_, group.events).self_ticks, group.in_partition});
    }
    for (size_t m = 0; m < profile_.modules.size(); ++m) {
      const ModuleRow& module = profile_.modules[m];
      if (module.path.empty() || !line_of_module_[m].valid()) continue;
      symbols.push_back({SymbolKind::Module, module.path, line_of_module_[m], ModuleId(m),
                         module.inclusive_ticks, false});
    }
    std::stable_sort(
        symbols.begin(), symbols.end(),
        [](const ProfileSymbol& a, const ProfileSymbol& b) { return a.ticks > b.ticks; });
    return symbols;
  }

 private:
  struct Group {
    std::vector<EventId> events;
    bool in_partition = false;
  };

  void add_event(EventId id) {
    const EventRow& event = profile_.events[id.value];
    const bool has_place = event.part == TimePart::Line || event.part == TimePart::OpaquePartition;
    if (!has_place || event.occurrences == 0) return;
    LineId line = event.line;
    if (!line.valid() && event.partition.valid()) {
      const std::vector<LineId>& lines = profile_.partitions[event.partition.value].lines;
      if (!lines.empty()) line = lines.front();
    }
    if (!line.valid()) return;
    const bool is_delegates = event.role == EventRole::DelegateEvent ||
                              event.role == EventRole::HostPhase ||
                              event.role == EventRole::DelegateCall;
    add({is_delegates ? SymbolKind::DelegateEvent : SymbolKind::Kernel,
         profile_.readable_name(event), line},
        event, id);
    if (event.node.valid()) {
      const StringId target = profile_.record->nodes[event.node.value].target;
      add({SymbolKind::Operator, std::string(profile_.record->text(target)), line}, event, id);
    }
  }

  using Key = std::tuple<SymbolKind, std::string, LineId>;

  void add(Key key, const EventRow& event, EventId id) {
    if (std::get<1>(key).empty()) return;
    Group& group = groups_[std::move(key)];
    group.events.push_back(id);
    group.in_partition |= !event.line.valid();
  }

  const Profile& profile_;
  const std::vector<LineId>& line_of_module_;
  std::map<Key, Group> groups_;
};

}  // namespace

const FallbackRow* PreparedProfile::fallback_of(LineId line) const {
  const auto at = std::lower_bound(fallbacks.begin(), fallbacks.end(), line,
                                   [](const FallbackRow& row, LineId id) { return row.line < id; });
  return at != fallbacks.end() && at->line == line ? &*at : nullptr;
}

PreparedProfile prepare(std::shared_ptr<const ProfileSnapshot> snapshot) {
  PreparedProfile prepared;
  const Profile& profile = snapshot->profile;
  prepared.statistics = event_statistics(profile);
  prepared.metadata = event_metadata(profile);
  prepared.classes = class_table(profile);
  prepared.fallbacks = fallbacks(profile);
  prepared.hot_lines = ranked_lines(profile);
  prepared.fused_from.resize(profile.lines.size());
  for (size_t l = 0; l < profile.lines.size(); ++l) {
    for (const LineId target : profile.lines[l].fused_into)
      prepared.fused_from[target.value].emplace_back(l);
  }
  prepared.line_of_module = lines_of_modules(profile);
  prepared.symbols = SymbolCollector(profile, prepared.line_of_module).run();
  prepared.snapshot = std::move(snapshot);
  return prepared;
}

}  // namespace etlens
