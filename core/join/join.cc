// SPDX-License-Identifier: Apache-2.0
#include "core/join/join.h"

namespace etlens {

std::string Join::logged_name(ContributionId id) const {
  const EventKey& key = event(id).key;
  if (key.delegate_id_str != kEmptyString) return std::string(log->text(key.delegate_id_str));
  if (key.delegate_id_int != -1) return std::to_string(key.delegate_id_int);
  return std::string(log->text(key.name));
}

std::string Join::readable_name(ContributionId id) const {
  const auto title = titles.find(id);
  if (title != titles.end()) return title->second;
  return backends->readable_name(backend_id(id), logged_name(id));
}

std::string_view Join::backend_id(ContributionId id) const {
  const PartitionId partition = (*landings)[id].partition;
  if (!partition.valid()) return {};
  const StringId backend = code().partitions[partition.value].backend;
  return backend.valid() ? code().text(backend) : "delegate";
}

std::vector<DebugHandle> Join::handles_of(ContributionId id) const {
  const Event& row = event(id);
  if (!record || !code().method || !row.key.in_instruction()) return {};
  const bool is_delegates = row.role == EventRole::DelegateEvent ||
                            row.role == EventRole::HostPhase ||
                            row.role == EventRole::DelegateTotal;
  if (is_delegates) {
    const NodeId node = (*landings)[id].node;
    if (!node.valid()) return {};
    const DebugHandle handle = record->nodes[node.value].debug_handle;
    return record->is_set(handle) ? std::vector<DebugHandle>{handle} : std::vector<DebugHandle>{};
  }
  const MethodMap* map = record->map_of(code().method->name);
  const InstructionHandles* entry = map == nullptr ? nullptr : map->find(row.key.instruction);
  if (entry == nullptr) return {};
  const std::span<const DebugHandle> handles = map->handles_of(*entry);
  return {handles.begin(), handles.end()};
}

}  // namespace etlens
