// SPDX-License-Identifier: Apache-2.0
#include "core/compare/operators.h"

#include <algorithm>
#include <map>
#include <utility>

namespace etlens {
namespace {

// Operations of one kind on one line in one module.
struct KindKey {
  uint32_t module = kNone;  // of the new side, or of the base behind these; kNone for none
  std::string_view op;
  friend auto operator<=>(const KindKey&, const KindKey&) = default;
};

struct Kind {
  Operations before;  // in the order in which they run
  Operations after;
};

class OperatorCollector {
 public:
  OperatorCollector(const Comparer& comparer, const Comparison& comparison)
      : comparer_(comparer), comparison_(comparison) {
    const Side& before = *comparison.before;
    name_of_module_before_.resize(before.code->modules.size());
    const auto beyond = static_cast<uint32_t>(comparison.after->code->modules.size());
    for (uint32_t m = 0; m < name_of_module_before_.size(); ++m)
      name_of_module_before_[m] = beyond + m;
    for (const ModulePair& pair : comparison.match.modules)
      name_of_module_before_[pair.before.value] = pair.after.value;
  }

  std::vector<OperatorChange> collect() && {
    for (const LineChange& line : comparison_.lines) add_line(line);
    std::vector<Change> changes = comparer_.changes(places_);
    for (size_t i = 0; i < changes.size(); ++i) rows_[i].change = changes[i];
    return std::move(rows_);
  }

 private:
  void add_line(const LineChange& line) {
    std::map<KindKey, Kind> kinds;
    const Side& before = *comparison_.before;
    const Side& after = *comparison_.after;
    for (const LineId id : line.before) {
      for (const uint32_t i : comparer_.index_before().of_line[id.value]) {
        const ModuleId module = before.landings.rows[i].module;
        const uint32_t name = module.valid() ? name_of_module_before_[module.value] : kNone;
        kinds[{name, before.operations[i].op}].before.push_back(i);
      }
    }
    for (const LineId id : line.after) {
      for (const uint32_t i : comparer_.index_after().of_line[id.value])
        kinds[{after.landings.rows[i].module.value, after.operations[i].op}].after.push_back(i);
    }
    for (auto& [key, kind] : kinds) add_kind(line, key.op, std::move(kind));
  }

  void add_kind(const LineChange& line, std::string_view op, Kind kind) {
    sort_by_run(*comparison_.before, kind.before);
    sort_by_run(*comparison_.after, kind.after);
    if (kind.before.size() != kind.after.size()) {
      std::sort(kind.before.begin(), kind.before.end());
      std::sort(kind.after.begin(), kind.after.end());
      add_row(line, op, 0, {std::move(kind.before), std::move(kind.after)});
      return;
    }
    for (uint32_t i = 0; i < kind.before.size(); ++i)
      add_row(line, op, i + 1, {{kind.before[i]}, {kind.after[i]}});
  }

  static void sort_by_run(const Side& side, Operations& operations) {
    std::stable_sort(operations.begin(), operations.end(), [&](uint32_t a, uint32_t b) {
      return side.operations[a].instruction < side.operations[b].instruction;
    });
  }

  // Where the operation lands that takes most of several.
  static const Landing& costliest(const Side& side, const SideReader& reader,
                                  const Operations& operations) {
    uint32_t most = operations.front();
    Amount ticks;
    for (const uint32_t one : operations) {
      const Amount own = reader.cost({&one, 1}).ticks;
      if (!(own > ticks)) continue;
      ticks = own;
      most = one;
    }
    return side.landings.rows[most];
  }

  void add_row(const LineChange& line, std::string_view op, uint32_t number, PlaceOfBoth place) {
    OperatorChange row;
    row.op = op;
    row.number = number;
    if (!place.before.empty()) {
      const Landing& landing =
          costliest(*comparison_.before, comparer_.read_before(), place.before);
      row.line_before = landing.line;
      row.module_before = landing.module;
    } else if (!line.before.empty()) {
      row.line_before = line.before.front();
    }
    if (!place.after.empty()) {
      const Landing& landing = costliest(*comparison_.after, comparer_.read_after(), place.after);
      row.line_after = landing.line;
      row.module_after = landing.module;
    } else if (!line.after.empty()) {
      row.line_after = line.after.front();
    }
    row.kernels_before = comparer_.read_before().kernels(place.before);
    row.kernels_after = comparer_.read_after().kernels(place.after);
    rows_.push_back(std::move(row));
    places_.push_back(std::move(place));
  }

  const Comparer& comparer_;
  const Comparison& comparison_;
  std::vector<uint32_t> name_of_module_before_;
  std::vector<OperatorChange> rows_;
  std::vector<PlaceOfBoth> places_;
};

// Per node of the code the call that holds it; invalid for none.
std::vector<PartitionId> calls_of_nodes(const Code& code) {
  std::vector<PartitionId> calls(code.place_of_node.size());
  for (size_t p = 0; p < code.partitions.size(); ++p) {
    for (const NodeId node : code.partitions[p].nodes) calls[node.value] = PartitionId(p);
  }
  return calls;
}

// Per call of the new side the one of the base that most of its nodes were in, each once.
std::vector<PartitionId> match_calls(const Comparison& comparison) {
  const Code& before = *comparison.before->code;
  const Code& after = *comparison.after->code;
  std::vector<PartitionId> found(after.partitions.size());
  if (comparison.match.is_identical) {
    for (size_t p = 0; p < found.size(); ++p)
      found[p] = before.find_partition(after.partitions[p].instruction);
    return found;
  }
  const std::vector<PartitionId> calls_before = calls_of_nodes(before);
  const std::vector<PartitionId> calls_after = calls_of_nodes(after);
  std::map<std::pair<PartitionId, PartitionId>, size_t> votes;
  for (const NodePair& pair : comparison.match.nodes) {
    const PartitionId a = calls_before[pair.before.value];
    const PartitionId b = calls_after[pair.after.value];
    if (a.valid() && b.valid()) ++votes[{a, b}];
  }
  std::vector<bool> is_taken(before.partitions.size());
  for (const auto& [pair, count] : votes) {
    const auto& [a, b] = pair;
    const size_t larger =
        std::max(before.partitions[a.value].nodes.size(), after.partitions[b.value].nodes.size());
    if (2 * count <= larger || is_taken[a.value] || found[b.value].valid()) continue;
    found[b.value] = a;
    is_taken[a.value] = true;
  }
  return found;
}

}  // namespace

std::vector<OperatorChange> operator_changes(const Comparer& comparer,
                                             const Comparison& comparison) {
  return OperatorCollector(comparer, comparison).collect();
}

std::vector<PartitionChange> partition_changes(const Comparer& comparer,
                                               const Comparison& comparison) {
  std::vector<PartitionChange> rows;
  std::vector<PlaceOfBoth> places;
  const auto add = [&](PartitionId before, PartitionId after) {
    PlaceOfBoth place;
    if (before.valid()) place.before = comparer.index_before().of_partition[before.value];
    if (after.valid()) place.after = comparer.index_after().of_partition[after.value];
    if (place.before.empty() && place.after.empty()) return;
    places.push_back(std::move(place));
    rows.push_back({before, after, {}});
  };
  const std::vector<PartitionId> before_of = match_calls(comparison);
  std::vector<bool> is_matched(comparison.before->code->partitions.size());
  for (size_t p = 0; p < before_of.size(); ++p) {
    if (before_of[p].valid()) is_matched[before_of[p].value] = true;
    add(before_of[p], PartitionId(p));
  }
  for (size_t p = 0; p < is_matched.size(); ++p) {
    if (!is_matched[p]) add(PartitionId(p), PartitionId());
  }
  std::vector<Change> changes = comparer.changes(places);
  for (size_t i = 0; i < changes.size(); ++i) rows[i].change = changes[i];
  return rows;
}

}  // namespace etlens
