// SPDX-License-Identifier: Apache-2.0
#include "core/join/delegate_fit.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "core/code/call_nodes.h"
#include "core/code/operator_name.h"

namespace etlens {
namespace {

using Ran = std::pair<DebugHandle, std::string_view>;

// How many instructions ran with the handle, which `rows` are of, and the operator.
size_t count_of(std::span<const Ran> rows, const Ran& row) {
  const auto [first, last] = std::equal_range(rows.begin(), rows.end(), row);
  return static_cast<size_t>(last - first);
}

std::span<const Ran> rows_of_handle(const HandleUse& use, DebugHandle handle) {
  const auto first = std::ranges::lower_bound(use.ran, handle, {}, &Ran::first);
  return {first, std::ranges::upper_bound(first, use.ran.end(), handle, {}, &Ran::first)};
}

bool is_of_many_calls(const HandleUse& use, DebugHandle handle) {
  const auto at = std::ranges::lower_bound(use.calls, handle);
  return use.calls.end() - at > 1 && at[1] == handle;
}

// The call's handles with the nodes that no instruction outside of it ran.
std::vector<ListedHandle> listed_handles(const EtRecord& record, const MethodMap& map,
                                         const MethodNodes& nodes, Instruction instruction,
                                         const HandleUse& use) {
  std::vector<ListedHandle> handles;
  const std::vector<DebugHandle> distinct = distinct_handles(record, map, instruction);
  handles.reserve(distinct.size());
  for (const DebugHandle handle : distinct) {
    ListedHandle row;
    const std::span<const Ran> ran_with = rows_of_handle(use, handle);
    std::map<std::string_view, size_t> ran_of_base;
    for (const NodeId node : nodes.nodes_of(handle)) {
      const std::string_view base =
          base_operator_of_target(record.text(record.nodes[node.value].target));
      const size_t ran = ran_with.empty() ? 0 : count_of(ran_with, Ran(handle, base));
      if (ran == 0 || ++ran_of_base[base] > ran) row.operators.push_back(base);
    }
    row.is_shared = is_of_many_calls(use, handle);
    if (!row.operators.empty()) handles.push_back(std::move(row));
  }
  return handles;
}

// All that Backend::contradict_handles looks at, as one text. Sizes stand before lists and texts,
// which may hold anything.
std::string compared_text(const Backend& backend, std::span<const ListedHandle> handles,
                          std::span<const std::string_view> names) {
  constexpr size_t kMostTexts = 512;
  std::string text;
  text.reserve(kMostTexts);
  const auto add_size = [&](size_t size) {
    text.append(reinterpret_cast<const char*>(&size), sizeof(size));
  };
  const auto add_all = [&](std::span<const std::string_view> parts) {
    add_size(parts.size());
    for (const std::string_view part : parts) {
      add_size(part.size());
      text += part;
    }
  };
  add_all(std::span(&backend.id, 1));
  add_size(handles.size());
  for (const ListedHandle& handle : handles) {
    text += handle.is_shared ? 's' : 'o';
    add_all(handle.operators);
  }
  add_all(names);
  return text;
}

}  // namespace

std::vector<DebugHandle> distinct_handles(const EtRecord& record, const MethodMap& map,
                                          Instruction instruction) {
  const std::span<const DebugHandle> listed = handles_of_call(record, map, instruction);
  std::vector<DebugHandle> handles(listed.begin(), listed.end());
  std::sort(handles.begin(), handles.end());
  handles.erase(std::unique(handles.begin(), handles.end()), handles.end());
  return handles;
}

DelegateFit fit_delegate_call(const EtRecord& record, const MethodMap& map,
                              const MethodNodes& nodes, Instruction instruction,
                              std::span<const std::string_view> names, const HandleUse& use,
                              const Backends& backends, KnownContradictions& known) {
  const DelegateEntry* entry = map.find_delegate(instruction);
  if (entry == nullptr || !entry->ids.empty() || names.empty()) return {};
  const Backend& backend = backends.find(record.text(entry->backend));
  const auto fit_with = [&](size_t contradictions, bool has_payload) {
    return DelegateFit{names.size(), names.size() - std::min(names.size(), contradictions),
                       has_payload};
  };
  const NodeId call = call_node(map, nodes, instruction);
  if (call.valid() && backend.contradict_payload != nullptr) {
    const LoweredModule& lowered = record.lowered[record.nodes[call.value].lowered.value];
    const std::optional<size_t> contradictions =
        lowered.payload.empty() ? std::nullopt : backend.contradict_payload(lowered.payload, names);
    if (contradictions) return fit_with(*contradictions, true);
  }
  if (backend.contradict_handles == nullptr) return {};
  const std::vector<ListedHandle> handles = listed_handles(record, map, nodes, instruction, use);
  if (handles.empty()) return {};
  const auto [at, is_new] = known.try_emplace(compared_text(backend, handles, names));
  if (is_new) at->second = backend.contradict_handles(handles, names);
  return fit_with(at->second, false);
}

}  // namespace etlens
