// SPDX-License-Identifier: Apache-2.0
#include "core/view/delegation_view.h"

#include <map>

namespace etlens {
namespace {

std::string_view name_of(Lowering lowering) {
  switch (lowering) {
    case Lowering::NotLowered:
      return "not_lowered";
    case Lowering::NoDelegate:
      return "no_delegate";
    case Lowering::Delegated:
      break;
  }
  return "delegated";
}

Nullable<std::string_view> given(std::string_view text) {
  if (text.empty()) return std::nullopt;
  return text;
}

DelegatedNodeView node_view(const LoadedDelegation& loaded, const NodeDelegation& row) {
  const EtRecord& record = *loaded.delegation.record;
  const Node& node = record.nodes[row.node.value];
  DelegatedNodeView view;
  view.node = record.text(node.name);
  view.op = counted_operator(record, node);
  if (record.is_set(node.debug_handle)) view.debug_handle = node.debug_handle.value;
  if (const Place* place = loaded.code->place_of(row.node); place && place->line.valid()) {
    const CodeLine& line = loaded.code->lines[place->line.value];
    view.line = line.number;
    view.recorded_path = loaded.code->recorded_path(line.file);
  }
  if (row.is_delegated()) {
    view.backend = record.text(loaded.delegation.calls[row.call].backend);
    view.call = row.call + 1;
  } else {
    view.reason = ReasonView{row.reason.id, row.reason.text, given(row.reason.remedy)};
  }
  return view;
}

}  // namespace

DelegationView delegation_view(const LoadedDelegation& loaded) {
  const Delegation& delegation = loaded.delegation;
  const EtRecord& record = *delegation.record;
  DelegationView view;
  view.method = record.text(delegation.method.name);
  view.etrecord = loaded.etrecord;
  view.pte = given(loaded.pte);
  view.lowering = name_of(delegation.lowering);
  view.delegate_calls = delegation.calls.size();
  view.delegated_nodes = delegation.delegated();
  view.cpu_nodes = delegation.nodes.size() - view.delegated_nodes;
  for (const CalledDelegate& call : delegation.calls) {
    CalledDelegateView& row = view.calls.emplace_back();
    row.id = static_cast<uint32_t>(view.calls.size());
    if (call.instruction != kNoInstruction) row.instruction_id = call.instruction.value;
    row.backend = given(record.text(call.backend));
  }
  std::map<std::string, DelegatedOperatorView> operators;
  view.nodes.reserve(delegation.nodes.size());
  for (const NodeDelegation& node : delegation.nodes) {
    view.nodes.push_back(node_view(loaded, node));
    const std::string& op = view.nodes.back().op;
    DelegatedOperatorView& row = operators[op];
    row.op = op;
    ++(node.is_delegated() ? row.delegated : row.cpu);
    if (node.is_delegated()) ++view.calls[node.call].nodes;
  }
  for (auto& [op, row] : operators) view.operators.push_back(std::move(row));
  return view;
}

}  // namespace etlens
