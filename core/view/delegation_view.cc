// SPDX-License-Identifier: Apache-2.0
#include "core/view/delegation_view.h"

#include <map>
#include <span>
#include <unordered_map>

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

// The line of the node, where there is code.
template <typename View>
void add_place(const LoadedDelegation& loaded, NodeId node, View& view) {
  const Place* place = loaded.code == nullptr ? nullptr : loaded.code->place_of(node);
  if (place == nullptr || !place->line.valid()) return;
  const CodeLine& line = loaded.code->lines[place->line.value];
  view.line = line.number;
  view.recorded_path = loaded.code->recorded_path(line.file);
}

// The innermost frame of a node that has frames and no line: all of them are the framework's.
Nullable<std::string> maker_of(const EtRecord& record, const Node& node) {
  if (!node.stack.valid()) return std::nullopt;
  const std::span<const FrameId> frames = record.frames_of(node.stack);
  if (frames.empty()) return std::nullopt;
  const Frame& frame = record.frames[frames.back().value];
  return std::string(record.text(frame.file)) + ":" + std::to_string(frame.line);
}

Nullable<int32_t> given(Instruction instruction) {
  if (instruction == kNoInstruction) return std::nullopt;
  return instruction.value;
}

std::vector<CutView> cut_views(const LoadedDelegation& loaded) {
  const EtRecord& record = *loaded.delegation.record;
  std::unordered_map<NodeId, Instruction> instructions;
  for (const NodeDelegation& row : loaded.delegation.nodes)
    if (row.instruction != kNoInstruction) instructions.emplace(row.node, row.instruction);
  std::vector<CutView> views;
  for (const Cut& cut : loaded.cuts) {
    CutView& view = views.emplace_back();
    view.before = cut.before + 1;
    view.after = cut.after + 1;
    view.direct = cut.is_direct;
    for (const NodeId id : cut.nodes) {
      const Node& node = record.nodes[id.value];
      CutNodeView& row = view.nodes.emplace_back();
      row.node = given(record.text(node.name));
      row.op = counted_operator(record, node);
      const auto at = instructions.find(id);
      if (at != instructions.end()) row.instruction_id = given(at->second);
      add_place(loaded, id, row);
    }
  }
  return views;
}

DelegatedNodeView node_view(const LoadedDelegation& loaded, const NodeDelegation& row) {
  const EtRecord& record = *loaded.delegation.record;
  const Node& node = record.nodes[row.node.value];
  DelegatedNodeView view;
  view.node = given(record.text(node.name));
  view.op = counted_operator(record, node);
  if (record.is_set(node.debug_handle)) view.debug_handle = node.debug_handle.value;
  view.instruction_id = given(row.instruction);
  add_place(loaded, row.node, view);
  if (!view.line.value) view.made_by = maker_of(record, node);
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
  view.etrecord = given(loaded.etrecord);
  view.pte = given(loaded.pte);
  view.lowering = name_of(delegation.lowering);
  view.delegate_calls = delegation.calls.size();
  view.delegated_nodes = delegation.delegated();
  view.cpu_nodes = delegation.nodes.size() - view.delegated_nodes;
  for (const CalledDelegate& call : delegation.calls) {
    CalledDelegateView& row = view.calls.emplace_back();
    row.id = static_cast<uint32_t>(view.calls.size());
    row.instruction_id = given(call.instruction);
    row.backend = given(record.text(call.backend));
    if (call.has_nodes) row.nodes = uint64_t{0};
  }
  std::map<std::string, DelegatedOperatorView> operators;
  view.nodes.reserve(delegation.nodes.size());
  for (const NodeDelegation& node : delegation.nodes) {
    view.nodes.push_back(node_view(loaded, node));
    const std::string& op = view.nodes.back().op;
    DelegatedOperatorView& row = operators[op];
    row.op = op;
    ++(node.is_delegated() ? row.delegated : row.cpu);
    if (node.is_delegated()) ++*view.calls[node.call].nodes.value;
  }
  for (auto& [op, row] : operators) view.operators.push_back(std::move(row));
  view.cuts = cut_views(loaded);
  return view;
}

}  // namespace etlens
