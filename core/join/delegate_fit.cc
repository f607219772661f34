// SPDX-License-Identifier: Apache-2.0
#include "core/join/delegate_fit.h"

#include <algorithm>
#include <vector>

#include "core/backend/xnnpack/alignment.h"
#include "core/backend/xnnpack/entries.h"
#include "core/join/delegate_call.h"
#include "core/code/operator_name.h"

namespace etlens {

std::set<DebugHandle> distinct_handles(const EtRecord& record, const MethodMap& map,
                                       int32_t instruction) {
  const std::span<const DebugHandle> listed = handles_of_call(record, map, instruction);
  return {listed.begin(), listed.end()};
}

DelegateFit fit_delegate_call(const EtRecord& record, const MethodMap& map,
                              const MethodNodes& nodes, int32_t instruction,
                              std::span<const std::string_view> names, const HandleUse& use) {
  const DelegateEntry* entry = map.find_delegate(instruction);
  const bool has_names = entry != nullptr && entry->ids.empty() && !names.empty();
  if (!has_names || record.text(entry->backend) != kXnnpackBackend) return {};
  const auto fit_with = [&](size_t contradictions, bool has_payload) {
    return DelegateFit{names.size(), names.size() - std::min(names.size(), contradictions),
                       has_payload};
  };
  const NodeId call = call_node(map, nodes, instruction);
  if (call.valid()) {
    const LoweredModule& lowered = record.lowered[record.nodes[call.value].lowered.value];
    if (!lowered.payload.empty()) {
      const Result<XnnpackPayload> payload = read_xnnpack_payload(lowered.payload);
      if (payload) return fit_with(count_unexplained(*payload, names), true);
    }
  }
  std::vector<XnnpackEntry> entries;
  for (const DebugHandle handle : distinct_handles(record, map, instruction)) {
    XnnpackEntry row;
    std::map<std::string_view, size_t> ran_of_base;
    for (const NodeId node : nodes.nodes_of(handle)) {
      const std::string_view base =
          base_operator_of_target(record.text(record.nodes[node.value].target));
      const auto at = use.ran.find({handle, base});
      if (at == use.ran.end() || ++ran_of_base[base] > at->second) row.operators.push_back(base);
    }
    row.is_shared = use.calls.at(handle) > 1;
    if (!row.operators.empty()) entries.push_back(std::move(row));
  }
  if (entries.empty()) return {};
  return fit_with(count_contradictions(entries, names), false);
}

}  // namespace etlens
