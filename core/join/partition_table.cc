// SPDX-License-Identifier: Apache-2.0
#include "core/join/partition_table.h"

#include <algorithm>
#include <unordered_set>

#include "core/join/delegate_call.h"

namespace etlens {
namespace {

bool is_backends(EventRole role) {
  return role == EventRole::DelegateCall || role == EventRole::DelegateEvent ||
         role == EventRole::HostPhase || role == EventRole::DelegateTotal;
}

}  // namespace

std::vector<PartitionRow> build_partitions(const Profile& profile, const MethodContext* context,
                                           const OperatorPlacer* operators) {
  std::vector<int32_t> instructions;
  for (const uint32_t s : profile.selected().sequences) {
    const std::vector<EventKey>& events = profile.log->sequences[s].events;
    for (size_t i = 0; i < events.size(); ++i) {
      if (is_backends(profile.trees[s].roles[i]) && events[i].in_instruction()) {
        instructions.push_back(events[i].instruction);
      }
    }
  }
  if (context != nullptr) {
    for (const DelegateEntry& entry : context->map().delegates) {
      instructions.push_back(entry.instruction);
    }
  }
  std::sort(instructions.begin(), instructions.end());
  instructions.erase(std::unique(instructions.begin(), instructions.end()), instructions.end());

  std::vector<PartitionRow> rows;
  for (const int32_t instruction : instructions) {
    PartitionRow row;
    row.number = static_cast<uint32_t>(rows.size() + 1);
    row.instruction = instruction;
    if (context != nullptr) {
      const DelegateEntry* entry = context->map().find_delegate(instruction);
      if (entry != nullptr) row.backend = entry->backend;
      row.nodes = nodes_of_call(*context, *operators, instruction);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

PartitionId find_partition(const Profile& profile, int32_t instruction) {
  const auto at =
      std::lower_bound(profile.partitions.begin(), profile.partitions.end(), instruction,
                       [](const PartitionRow& row, int32_t i) { return row.instruction < i; });
  if (at == profile.partitions.end() || at->instruction != instruction) return {};
  return PartitionId(static_cast<size_t>(at - profile.partitions.begin()));
}

void sum_partitions(Profile& profile) {
  for (size_t e = 0; e < profile.events.size(); ++e) {
    const EventRow& event = profile.events[e];
    if (!event.partition.valid() || event.occurrences == 0) continue;
    PartitionRow& row = profile.partitions[event.partition.value];
    profile.delegated_ticks += event.self_ticks;
    if (event.role == EventRole::DelegateCall) {
      row.call = EventId(e);
      row.total_ticks += event.total_ticks;
      row.occurrences += event.occurrences;
    } else {
      row.events.push_back(EventId(e));
    }
    switch (event.part) {
      case TimePart::Line:
      case TimePart::Unattributed:
        row.explained_ticks += event.self_ticks;
        break;
      case TimePart::DelegateOverhead:
        row.overhead_ticks += event.self_ticks;
        break;
      default:
        row.opaque_ticks += event.self_ticks;
        break;
    }
  }
  for (PartitionRow& row : profile.partitions) {
    if (!row.call.valid()) {
      row.total_ticks = row.explained_ticks + row.opaque_ticks + row.overhead_ticks;
    }
  }
}

void find_unreported(Profile& profile) {
  for (PartitionRow& row : profile.partitions) {
    std::unordered_set<NodeId> reported;
    for (const EventId id : row.events) {
      const EventRow& event = profile.events[id.value];
      if (!event.layout) reported.insert(event.node);
      const std::span<const NodeId> fused = profile.fused_of(event);
      reported.insert(fused.begin(), fused.end());
    }
    for (const NodeId node : row.nodes) {
      if (!reported.contains(node)) row.unreported_nodes.push_back(node);
    }
  }
}

}  // namespace etlens
