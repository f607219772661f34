// SPDX-License-Identifier: Apache-2.0
#include "core/join/profile.h"

#include <algorithm>
#include <numeric>

namespace etlens {

std::string_view name_of(TimePart part) {
  switch (part) {
    case TimePart::Line:
      return "line";
    case TimePart::OpaquePartition:
      return "opaque_partition";
    case TimePart::DelegateOverhead:
      return "delegate_overhead";
    case TimePart::Dispatch:
      return "dispatch_overhead";
    case TimePart::Framework:
      return "framework";
    case TimePart::Unattributed:
    case TimePart::kCount:
      break;
  }
  return "unattributed";
}

uint64_t Reconciliation::sum() const {
  return std::accumulate(std::begin(parts), std::end(parts), uint64_t{0});
}

std::string Profile::event_name(const EventRow& row) const {
  if (row.key.delegate_id_str != kEmptyString)
    return std::string(log->text(row.key.delegate_id_str));
  if (row.key.delegate_id_int != -1) return std::to_string(row.key.delegate_id_int);
  return std::string(log->text(row.key.name));
}

std::string_view Profile::backend_of(const EventRow& row) const {
  if (!row.partition.valid()) return {};
  const StringId backend = partitions[row.partition.value].backend;
  if (!backend.valid() || !record) return "delegate";
  return record->text(backend);
}

std::vector<DebugHandle> Profile::handles_of(const EventRow& row) const {
  if (!record || !method || !row.key.in_instruction()) return {};
  const bool is_delegates = row.role == EventRole::DelegateEvent ||
                            row.role == EventRole::HostPhase ||
                            row.role == EventRole::DelegateTotal;
  if (is_delegates) {
    if (!row.node.valid()) return {};
    const DebugHandle handle = record->nodes[row.node.value].debug_handle;
    return record->is_set(handle) ? std::vector<DebugHandle>{handle} : std::vector<DebugHandle>{};
  }
  const MethodMap* map = record->map_of(method->name);
  const InstructionHandles* entry = map == nullptr ? nullptr : map->find(row.key.instruction);
  if (entry == nullptr) return {};
  const std::span<const DebugHandle> handles = map->handles_of(*entry);
  return {handles.begin(), handles.end()};
}

bool is_module_below(std::string_view root, std::string_view path) {
  if (root.empty() || path == root) return true;
  return path.starts_with(root) && path[root.size()] == '.';
}

std::vector<uint64_t> durations_of(const Profile& profile, EventId event) {
  const EventLog& log = *profile.log;
  const Block& block = profile.selected();
  std::vector<std::vector<uint32_t>> positions(block.sequences.size());
  for (size_t s = 0; s < block.sequences.size(); ++s) {
    const std::vector<EventId>& row = profile.event_of_position[s];
    for (uint32_t i = 0; i < row.size(); ++i) {
      if (row[i] == event) positions[s].push_back(i);
    }
  }
  std::vector<uint64_t> sums;
  sums.reserve(block.runs.size());
  for (const uint32_t r : block.runs) {
    const Run& run = log.runs[r];
    const auto at = std::find(block.sequences.begin(), block.sequences.end(), run.sequence);
    uint64_t sum = 0;
    for (const uint32_t i : positions[static_cast<size_t>(at - block.sequences.begin())]) {
      sum += elapsed_ticks(log.start[run.first_row + i], log.end[run.first_row + i]);
    }
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace etlens
