// SPDX-License-Identifier: Apache-2.0
#include "core/join/operator_placer.h"

#include <algorithm>
#include <string>

#include "core/base/budget.h"
#include "core/join/program_code.h"

namespace etlens {
namespace {

// Nodes of one handle and operator have as many different shapes, if they are no hostile file's.
constexpr size_t kMostShapes = 16;

// Nodes of one shape, in graph order.
struct SameShape {
  std::string_view shape;
  std::vector<NodeId> nodes;
  size_t taken = 0;

  bool is_left() const { return taken < nodes.size(); }
};

// Empty if there are too many, or if one is unknown.
std::vector<SameShape> shapes_of(const EtRecord& record, const std::vector<NodeId>& nodes) {
  std::vector<SameShape> shapes;
  for (const NodeId id : nodes) {
    go_on();
    const Node& node = record.nodes[id.value];
    if (!node.shape.valid()) return {};
    const std::string_view shape = record.text(node.shape);
    auto at = std::ranges::find(shapes, shape, &SameShape::shape);
    if (at == shapes.end() && shapes.size() == kMostShapes) return {};
    if (at == shapes.end()) at = shapes.insert(at, {shape, {}});
    at->nodes.push_back(id);
  }
  return shapes;
}

// Of the first value that the instruction writes: its last argument, or of a list of it. "" if it
// writes none.
std::string written_shape(const ProgramMethod& program, Instruction instruction) {
  const ProgramInstruction* row = program.find(instruction);
  if (row == nullptr || row->kind != InstructionKind::Kernel || row->argument_count == 0) return {};
  std::vector<uint32_t> written;
  program.append_tensors_of(program.arguments_of(*row).back(), written);
  go_on(1 + written.size() / 16);
  return written.empty() ? std::string() : shape_text(program, program.tensors[written.front()]);
}

}  // namespace

OperatorPlacer::OperatorPlacer(const MethodContext& context,
                               const std::vector<ExecutedInstruction>& executed,
                               const ProgramMethod* program)
    : context_(&context) {
  rows_.reserve(context.nodes().handles().size());
  for (const DebugHandle handle : context.nodes().handles()) {
    std::vector<Share>& shares = rows_.emplace_back().by_operator;
    for (const NodeId node : context.nodes().nodes_of(handle)) {
      go_on(1 + shares.size() / 16);
      const std::string_view base = context.operator_of(node);
      auto share = std::ranges::find(shares, base, &Share::base);
      if (share == shares.end()) share = shares.insert(share, Share{base, {}, {}});
      share->nodes.push_back(node);
    }
  }
  collect(executed);
  if (program == nullptr) return;
  for (HandleRows& rows : rows_)
    for (Share& share : rows.by_operator) order_by_shape(*program, share);
}

size_t OperatorPlacer::row_of(DebugHandle handle) const {
  const std::vector<DebugHandle>& handles = context_->nodes().handles();
  const auto at = std::lower_bound(handles.begin(), handles.end(), handle);
  if (at == handles.end() || *at != handle) return rows_.size();
  return static_cast<size_t>(at - handles.begin());
}

const OperatorPlacer::HandleRows* OperatorPlacer::find(DebugHandle handle) const {
  const size_t row = row_of(handle);
  return row == rows_.size() ? nullptr : &rows_[row];
}

const OperatorPlacer::Share* OperatorPlacer::find(const HandleRows& rows, std::string_view base) {
  go_on(1 + rows.by_operator.size() / 16);
  const auto at = std::ranges::find(rows.by_operator, base, &Share::base);
  return at == rows.by_operator.end() ? nullptr : &*at;
}

// Puts the nodes into the order of the instructions, by what these write. Numbers that are equal
// come first: "[1, s0, 32]" may be [1, 128, 32] as well. Without an order in which all fit, the
// nodes stay as they are.
void OperatorPlacer::order_by_shape(const ProgramMethod& program, Share& share) const {
  const size_t count = share.nodes.size();
  if (count < 2 || count != share.instructions.size()) return;
  std::vector<SameShape> shapes = shapes_of(context_->record(), share.nodes);
  if (shapes.size() < 2) return;
  std::vector<std::string> written;
  for (const Instruction instruction : share.instructions)
    written.push_back(written_shape(program, instruction));
  std::vector<NodeId> ordered(count);
  for (const bool is_equal : {true, false}) {
    for (size_t k = 0; k < count; ++k) {
      go_on();
      if (ordered[k].valid()) continue;
      const auto at = std::ranges::find_if(shapes, [&](const SameShape& same) {
        if (!same.is_left()) return false;
        return is_equal ? same.shape == written[k] : fits_shape(same.shape, written[k]);
      });
      if (at != shapes.end()) ordered[k] = at->nodes[at->taken++];
    }
  }
  if (std::ranges::all_of(ordered, &NodeId::valid)) share.nodes = std::move(ordered);
}

void OperatorPlacer::collect(const std::vector<ExecutedInstruction>& executed) {
  for (const ExecutedInstruction& row : executed) {
    const InstructionHandles* entry = context_->map().find(row.instruction);
    if (entry == nullptr) continue;
    const std::string_view base = base_operator_of_kernel(row.kernel);
    for (const DebugHandle handle : context_->map().handles_of(*entry)) {
      const size_t at = row_of(handle);
      if (at == rows_.size()) continue;
      HandleRows& rows = rows_[at];
      go_on(1 + rows.by_operator.size() / 16);
      const auto share = std::ranges::find(rows.by_operator, base, &Share::base);
      if (share != rows.by_operator.end()) {
        std::vector<Instruction>& instructions = share->instructions;
        if (instructions.empty() || instructions.back() != row.instruction) {
          instructions.push_back(row.instruction);
        }
      }
      choose_main(row, rows);
    }
  }
  for (HandleRows& rows : rows_) {
    for (const Share& share : rows.by_operator) {
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
// operator, the k-th ran the k-th.
std::vector<NodeId> OperatorPlacer::matching(const HandleRows& rows, Instruction instruction,
                                             std::string_view base) const {
  const Share* found = find(rows, base);
  if (found == nullptr) return {};
  const Share& share = *found;
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
  const HandleRows* rows = find(context_->record().nodes[node.value].debug_handle);
  const Share* share = rows == nullptr ? nullptr : find(*rows, context_->operator_of(node));
  return share != nullptr && !share->instructions.empty() &&
         share->instructions.size() >= share->nodes.size();
}

NodePlacement OperatorPlacer::place(Instruction instruction, std::string_view kernel) const {
  const InstructionHandles* entry = context_->map().find(instruction);
  if (entry == nullptr) return {};
  const std::string_view base = base_operator_of_kernel(kernel);
  std::vector<NodeId> matched;
  std::vector<NodeId> left_over;
  std::vector<NodeId> all;
  for (const DebugHandle handle : context_->map().handles_of(*entry)) {
    const HandleRows* rows = find(handle);
    if (rows == nullptr) continue;
    const std::vector<NodeId> nodes = matching(*rows, instruction, base);
    matched.insert(matched.end(), nodes.begin(), nodes.end());
    const bool is_main = rows->main_instruction == instruction;
    if (is_main || nodes.empty())
      left_over.insert(left_over.end(), rows->left_over.begin(), rows->left_over.end());
    if (nodes.empty() && rows->left_over.empty()) {
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
