// SPDX-License-Identifier: Apache-2.0
#include "core/join/operator_placer.h"

#include <algorithm>

namespace etlens {

OperatorPlacer::OperatorPlacer(const MethodContext& context,
                               const std::vector<ExecutedInstruction>& executed)
    : context_(&context) {
  for (const DebugHandle handle : context.nodes().handles()) {
    HandleRows& rows = handles_[handle];
    for (const NodeId node : context.nodes().nodes_of(handle)) {
      rows.by_operator[context.operator_of(node)].nodes.push_back(node);
    }
  }
  collect(executed);
}

void OperatorPlacer::collect(const std::vector<ExecutedInstruction>& executed) {
  for (const ExecutedInstruction& row : executed) {
    const InstructionHandles* entry = context_->map().find(row.instruction);
    if (entry == nullptr) continue;
    for (const DebugHandle handle : context_->map().handles_of(*entry)) {
      const auto at = handles_.find(handle);
      if (at == handles_.end()) continue;
      const std::string_view base = base_operator_of_kernel(row.kernel);
      if (const auto share = at->second.by_operator.find(base);
          share != at->second.by_operator.end()) {
        std::vector<Instruction>& instructions = share->second.instructions;
        if (instructions.empty() || instructions.back() != row.instruction) {
          instructions.push_back(row.instruction);
        }
      }
      choose_main(row, at->second);
    }
  }
  for (auto& [handle, rows] : handles_) {
    for (const auto& [base, share] : rows.by_operator) {
      if (!share.instructions.empty()) continue;
      rows.left_over.insert(rows.left_over.end(), share.nodes.begin(), share.nodes.end());
    }
    std::sort(rows.left_over.begin(), rows.left_over.end());
  }
}

void OperatorPlacer::choose_main(const ExecutedInstruction& row, HandleRows& rows) {
  const OperatorRank rank = rank_of_operator(base_operator_of_kernel(row.kernel));
  if (rows.main_instruction < 0 || rank < rows.main_rank) {
    rows.main_instruction = row.instruction;
    rows.main_rank = rank;
  }
}

// The handle's nodes that the instruction ran. Where as many instructions as nodes have the
// operator, the k-th ran the k-th: instructions are emitted in graph order.
std::vector<NodeId> OperatorPlacer::matching(const HandleRows& rows, Instruction instruction,
                                             std::string_view base) const {
  const auto at = rows.by_operator.find(base);
  if (at == rows.by_operator.end()) return {};
  const Share& share = at->second;
  if (share.nodes.size() > 1 && share.nodes.size() == share.instructions.size()) {
    const auto k =
        std::lower_bound(share.instructions.begin(), share.instructions.end(), instruction);
    if (k != share.instructions.end() && *k == instruction) {
      return {share.nodes[static_cast<size_t>(k - share.instructions.begin())]};
    }
  }
  return share.nodes;
}

bool OperatorPlacer::ran(NodeId node) const {
  const auto rows = handles_.find(context_->record().nodes[node.value].debug_handle);
  if (rows == handles_.end()) return false;
  const auto share = rows->second.by_operator.find(context_->operator_of(node));
  return share != rows->second.by_operator.end() && !share->second.instructions.empty() &&
         share->second.instructions.size() >= share->second.nodes.size();
}

NodePlacement OperatorPlacer::place(Instruction instruction, std::string_view kernel) const {
  const InstructionHandles* entry = context_->map().find(instruction);
  if (entry == nullptr) return {};
  const std::string_view base = base_operator_of_kernel(kernel);
  std::vector<NodeId> matched;
  std::vector<NodeId> left_over;
  std::vector<NodeId> all;
  for (const DebugHandle handle : context_->map().handles_of(*entry)) {
    const auto at = handles_.find(handle);
    if (at == handles_.end()) continue;
    const std::vector<NodeId> nodes = matching(at->second, instruction, base);
    matched.insert(matched.end(), nodes.begin(), nodes.end());
    const bool is_main = at->second.main_instruction == instruction;
    if (is_main || nodes.empty()) {
      left_over.insert(left_over.end(), at->second.left_over.begin(), at->second.left_over.end());
    }
    if (nodes.empty() && at->second.left_over.empty()) {
      const std::span<const NodeId> own = context_->nodes().nodes_of(handle);
      all.insert(all.end(), own.begin(), own.end());
    }
  }
  if (!matched.empty()) {
    NodePlacement placement = place_on_dominating(*context_, matched, false);
    placement.fused.insert(placement.fused.end(), left_over.begin(), left_over.end());
    return placement;
  }
  return place_on_dominating(*context_, left_over.empty() ? all : left_over, false);
}

}  // namespace etlens
