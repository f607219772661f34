// SPDX-License-Identifier: Apache-2.0
#include "core/facts/rollup.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/formats/etrecord/module_stack.h"
#include "core/base/path.h"
#include "core/base/text.h"

namespace etlens {
namespace {

std::vector<EventId> distinct(std::vector<EventId> events) {
  std::sort(events.begin(), events.end());
  events.erase(std::unique(events.begin(), events.end()), events.end());
  return events;
}

bool is_leaf(const EventRow& row) {
  return row.part == TimePart::Line || row.part == TimePart::OpaquePartition ||
         row.part == TimePart::Unattributed;
}

// How many leading components the paths share.
size_t shared_components(std::string_view a, std::string_view b) {
  const std::vector<std::string_view> x = split(a, '.');
  const std::vector<std::string_view> y = split(b, '.');
  const auto ends = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
  return static_cast<size_t>(ends.first - x.begin());
}

std::string_view leading_components(std::string_view path, size_t count) {
  size_t end = 0;
  for (size_t i = 0; i < count && end < path.size(); ++i) {
    end = std::min(path.find('.', end + (end > 0 ? 1 : 0)), path.size());
  }
  return path.substr(0, end);
}

// Which modules own a leaf: those that its node's module stack names, and their parents.
class LeafOwners {
 public:
  explicit LeafOwners(const Profile& profile) : profile_(profile) {
    for (size_t m = 0; m < profile.modules.size(); ++m)
      by_path_.emplace(profile.modules[m].path, ModuleId(m));
  }

  std::vector<ModuleId> of(const EventRow& event) {
    if (event.part == TimePart::OpaquePartition) return with_parents({event.module});
    const ModuleStackId stack = stack_of(event.node);
    const auto [at, is_new] = of_stack_.try_emplace(stack);
    if (is_new) {
      std::vector<ModuleId> named{event.module};
      if (stack.valid()) {
        for (const Module& module : profile_.record->modules_of(stack)) {
          const auto found = by_path_.find(profile_.record->text(module.path));
          if (!is_wrapper_type(profile_.record->text(module.type)) && found != by_path_.end()) {
            named.push_back(found->second);
          }
        }
      }
      at->second = with_parents(named);
    }
    return at->second;
  }

 private:
  // A node of a control-flow branch has the stack of the branching node.
  ModuleStackId stack_of(NodeId node) const {
    while (node.valid() && profile_.record) {
      const Node& row = profile_.record->nodes[node.value];
      if (row.modules.valid()) return row.modules;
      node = profile_.record->graphs[row.graph.value].parent_node;
    }
    return {};
  }

  std::vector<ModuleId> with_parents(const std::vector<ModuleId>& modules) const {
    std::set<ModuleId> owners;
    for (ModuleId module : modules) {
      for (; module.valid(); module = profile_.modules[module.value].parent) owners.insert(module);
    }
    return {owners.begin(), owners.end()};
  }

  const Profile& profile_;
  std::unordered_map<std::string_view, ModuleId> by_path_;
  std::unordered_map<ModuleStackId, std::vector<ModuleId>> of_stack_;
};

// Collects the operators between delegate calls in the order of execution.
class FallbackFinder {
 public:
  explicit FallbackFinder(const Profile& profile) : profile_(profile) {}

  std::vector<FallbackGap> run() {
    const std::vector<uint32_t>& sequences = profile_.selected().sequences;
    for (size_t s = 0; s < sequences.size(); ++s) {
      const EventTree& tree = profile_.trees[sequences[s]];
      last_call_ = {};
      pending_.clear();
      for (size_t i = 0; i < tree.roles.size(); ++i) {
        const EventId event = profile_.event_of_position[s][i];
        if (!event.valid()) continue;
        if (tree.roles[i] == EventRole::DelegateCall)
          delegate_call(profile_.events[event.value].partition);
        else if (is_operator(tree, i)) pending_.push_back(event);
      }
    }
    for (FallbackGap& gap : gaps_) gap.sum = roll_up(profile_, gap.events);
    return std::move(gaps_);
  }

 private:
  static bool is_operator(const EventTree& tree, size_t i) {
    return tree.roles[i] == EventRole::Kernel ||
           (tree.roles[i] == EventRole::OperatorCall && tree.is_leaf(i));
  }

  void delegate_call(PartitionId call) {
    if (last_call_.valid() && call.valid() && same_backend(last_call_, call)) {
      for (const EventId event : pending_) {
        if (!seen_.insert(event).second) continue;
        const auto [at, is_new] = gap_of_.try_emplace({last_call_, call}, gaps_.size());
        if (is_new) gaps_.push_back({last_call_, call, {}, {}});
        gaps_[at->second].events.push_back(event);
      }
    }
    pending_.clear();
    last_call_ = call;
  }

  bool same_backend(PartitionId a, PartitionId b) const {
    const StringId backend = profile_.partitions[a.value].backend;
    return backend.valid() && backend == profile_.partitions[b.value].backend;
  }

  const Profile& profile_;
  PartitionId last_call_;
  std::vector<EventId> pending_;  // operators since the last delegate call
  std::vector<FallbackGap> gaps_;
  std::map<std::pair<PartitionId, PartitionId>, size_t> gap_of_;
  std::unordered_set<EventId> seen_;
};

}  // namespace

Rollup roll_up(const Profile& profile, std::span<const EventId> events) {
  Rollup sum;
  for (const EventId id : events) {
    const EventRow& event = profile.events[id.value];
    sum.self_ticks += event.self_ticks;
    sum.occurrences += event.occurrences;
    sum.confidence = std::max(sum.confidence, event.confidence);
  }
  return sum;
}

Rollup roll_up_self(const Profile& profile, std::span<const LineId> lines) {
  std::vector<EventId> events;
  for (const LineId id : lines) {
    const LineRow& line = profile.lines[id.value];
    events.insert(events.end(), line.events.begin(), line.events.end());
  }
  return roll_up(profile, distinct(std::move(events)));
}

Rollup roll_up_inclusive(const Profile& profile, std::span<const LineId> lines) {
  std::vector<EventId> events;
  for (const LineId id : lines) {
    const LineRow& line = profile.lines[id.value];
    events.insert(events.end(), line.events.begin(), line.events.end());
    events.insert(events.end(), line.inclusive_events.begin(), line.inclusive_events.end());
  }
  return roll_up(profile, distinct(std::move(events)));
}

std::vector<ModuleShare> module_shares(const Profile& profile, LineId id) {
  const LineRow& line = profile.lines[id.value];
  const bool by_call = line.events.empty();
  const std::vector<EventId>& events = by_call ? line.inclusive_events : line.events;
  const auto path_of = [&](EventId event) -> std::string_view {
    return profile.modules[profile.events[event.value].module.value].path;
  };
  size_t shared = SIZE_MAX;
  for (const EventId event : events)
    shared = std::min(shared, shared_components(path_of(events.front()), path_of(event)));
  std::map<std::string_view, std::vector<EventId>> groups;
  for (const EventId event : events) {
    const std::string_view path = path_of(event);
    groups[by_call ? leading_components(path, shared + 1) : path].push_back(event);
  }
  std::vector<ModuleShare> shares;
  for (size_t m = 0; m < profile.modules.size(); ++m) {
    const auto group = groups.find(profile.modules[m].path);
    if (group != groups.end()) shares.push_back({ModuleId(m), roll_up(profile, group->second)});
  }
  std::stable_sort(shares.begin(), shares.end(), [](const ModuleShare& a, const ModuleShare& b) {
    return a.sum.self_ticks > b.sum.self_ticks;
  });
  return shares;
}

ClassTable class_table(const Profile& profile) {
  ClassTable table;
  std::unordered_map<StringId, size_t> class_rows;
  std::map<std::pair<StringId, std::string_view>, size_t> attribute_rows;
  std::vector<size_t> class_of(profile.modules.size(), SIZE_MAX);
  std::vector<size_t> attribute_of(profile.modules.size(), SIZE_MAX);
  for (size_t m = 0; m < profile.modules.size(); ++m) {
    const ModuleRow& module = profile.modules[m];
    if (module.type.valid()) {
      class_of[m] = class_rows.try_emplace(module.type, table.classes.size()).first->second;
      if (class_of[m] == table.classes.size()) table.classes.push_back({module.type, 0, {}});
      table.classes[class_of[m]].instances.emplace_back(m);
    }
    if (!module.parent.valid()) continue;
    const StringId owner = profile.modules[module.parent.value].type;
    if (!owner.valid()) continue;
    const std::string_view name = std::string_view(module.path).substr(module.path.rfind('.') + 1);
    attribute_of[m] =
        attribute_rows.try_emplace({owner, name}, table.attributes.size()).first->second;
    if (attribute_of[m] == table.attributes.size()) {
      table.attributes.push_back({owner, std::string(name), 0, {}});
    }
    table.attributes[attribute_of[m]].instances.emplace_back(m);
  }
  LeafOwners owners(profile);
  for (const EventRow& event : profile.events) {
    if (!is_leaf(event) || !event.module.valid()) continue;
    std::set<size_t> classes;
    std::set<size_t> attributes;
    for (const ModuleId module : owners.of(event)) {
      if (class_of[module.value] != SIZE_MAX) classes.insert(class_of[module.value]);
      if (attribute_of[module.value] != SIZE_MAX) attributes.insert(attribute_of[module.value]);
    }
    for (const size_t row : classes) table.classes[row].inclusive_ticks += event.self_ticks;
    for (const size_t row : attributes) table.attributes[row].inclusive_ticks += event.self_ticks;
  }
  return table;
}

std::vector<ModuleDelegation> module_delegation(const Profile& profile) {
  std::vector<ModuleDelegation> rows(profile.modules.size());
  LeafOwners owners(profile);
  for (const EventRow& event : profile.events) {
    if (!is_leaf(event) || !event.module.valid() || !event.partition.valid()) continue;
    for (const ModuleId module : owners.of(event)) {
      rows[module.value].delegated_ticks += event.self_ticks;
      rows[module.value].partitions.push_back(event.partition);
    }
  }
  for (ModuleDelegation& row : rows) {
    std::sort(row.partitions.begin(), row.partitions.end());
    row.partitions.erase(std::unique(row.partitions.begin(), row.partitions.end()),
                         row.partitions.end());
  }
  return rows;
}

std::vector<FallbackGap> fallback_gaps(const Profile& profile) {
  return FallbackFinder(profile).run();
}

std::vector<FallbackRow> fallbacks(const Profile& profile) {
  std::map<LineId, FallbackRow> rows;
  for (const FallbackGap& gap : fallback_gaps(profile)) {
    for (const EventId event : gap.events) {
      const LineId line = profile.events[event.value].line;
      if (!line.valid()) continue;
      rows.try_emplace(line, FallbackRow{line, gap.before, gap.after, {}, {}})
          .first->second.events.push_back(event);
    }
  }
  std::vector<FallbackRow> found;
  for (auto& [line, row] : rows) {
    std::stable_sort(row.events.begin(), row.events.end(), [&](EventId a, EventId b) {
      return profile.events[a.value].self_ticks > profile.events[b.value].self_ticks;
    });
    row.sum = roll_up(profile, row.events);
    found.push_back(std::move(row));
  }
  return found;
}

}  // namespace etlens
