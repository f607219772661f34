// SPDX-License-Identifier: Apache-2.0
#include "core/join/placement.h"

#include <algorithm>
#include <set>

#include "core/base/assert.h"

namespace etlens {
namespace {

const MethodMap kNoMap{};

}  // namespace

std::string_view name_of(Confidence confidence) {
  switch (confidence) {
    case Confidence::Exact:
      return "exact";
    case Confidence::Aligned:
      return "aligned";
    case Confidence::Inferred:
      return "inferred";
    case Confidence::Partition:
      return "partition";
  }
  return "partition";
}

MethodContext::MethodContext(const EtRecord& record, const RecordMethod& method,
                             const ProjectFrames& frames)
    : record_(&record),
      frames_(&frames),
      method_(method.name),
      edge_(method.edge),
      map_(record.map_of(method.name)),
      nodes_(record, method) {
  if (map_ == nullptr) map_ = &kNoMap;
  for (const DebugHandle handle : nodes_.handles()) {
    StackId agreed;
    bool do_agree = true;
    for (const NodeId id : nodes_.nodes_of(handle)) {
      const StackId stack = record.nodes[id.value].stack;
      const FrameId frame = frames.self_of(stack);
      if (!frame.valid()) continue;
      if (!agreed.valid()) agreed = stack;
      do_agree &= same_line(frames.self_of(agreed), frame);
    }
    if (do_agree && agreed.valid()) agreed_.emplace(handle, agreed);
  }
}

StackId MethodContext::stack_of(NodeId node) const {
  const Node& row = record_->nodes[node.value];
  if (frames_->self_of(row.stack).valid()) return row.stack;
  const auto borrowed = agreed_.find(row.debug_handle);
  return borrowed == agreed_.end() ? StackId() : borrowed->second;
}

FrameId MethodContext::line_of(NodeId node) const { return frames_->self_of(stack_of(node)); }

std::span<const FrameId> MethodContext::lines_of(NodeId node) const {
  return frames_->lines_of(stack_of(node));
}

bool MethodContext::same_line(FrameId a, FrameId b) const {
  if (!a.valid() || !b.valid()) return false;
  const Frame& x = record_->frames[a.value];
  const Frame& y = record_->frames[b.value];
  return x.file == y.file && x.line == y.line;
}

ModuleStackId MethodContext::modules_of(NodeId node) const {
  for (NodeId at = node; at.valid();) {
    const Node& row = record_->nodes[at.value];
    if (row.modules.valid()) return row.modules;
    at = record_->graphs[row.graph.value].parent_node;
  }
  return {};
}

std::string_view MethodContext::operator_of(NodeId node) const {
  return base_operator_of_target(record_->text(record_->nodes[node.value].target));
}

EventPlacement place_on_dominating(const MethodContext& context, std::span<const NodeId> nodes,
                                   bool is_certain) {
  EventPlacement placement;
  if (nodes.empty()) return placement;
  const auto better = [&](NodeId a, NodeId b) {
    const OperatorRank x = rank_of_operator(context.operator_of(a));
    const OperatorRank y = rank_of_operator(context.operator_of(b));
    return x != y ? x < y : a < b;
  };
  placement.node = *std::min_element(nodes.begin(), nodes.end(), better);
  placement.frame = context.line_of(placement.node);
  for (const NodeId node : nodes) {
    if (node != placement.node) placement.fused.push_back(node);
  }
  if (is_certain) return placement;
  std::set<std::pair<StringId, uint32_t>> lines;
  for (const NodeId node : nodes) {
    if (const FrameId frame = context.line_of(node); frame.valid()) {
      const Frame& row = context.record().frames[frame.value];
      lines.emplace(row.file, row.line);
    }
  }
  if (lines.size() > 1) {
    placement.confidence = Confidence::Inferred;
    placement.candidates = static_cast<uint32_t>(lines.size());
    placement.fused.clear();  // alternatives, not further work
  }
  return placement;
}

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
        std::vector<int32_t>& instructions = share->second.instructions;
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
std::vector<NodeId> OperatorPlacer::matching(const HandleRows& rows, int32_t instruction,
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

EventPlacement OperatorPlacer::place(int32_t instruction, std::string_view kernel) const {
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
    EventPlacement placement = place_on_dominating(*context_, matched, false);
    placement.fused.insert(placement.fused.end(), left_over.begin(), left_over.end());
    return placement;
  }
  return place_on_dominating(*context_, left_over.empty() ? all : left_over, false);
}

}  // namespace etlens
