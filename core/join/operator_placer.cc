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
std::vector<SameShape> shapes_of(const EtRecord& record, std::span<const NodeId> nodes) {
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
  for (const DebugHandle handle : context.nodes().handles())
    add_handle(context.nodes().nodes_of(handle));
  collect(executed);
  find_left_over();
  if (program == nullptr) return;
  for (const Share& share : shares_) order_by_shape(*program, share);
}

// Puts the nodes of a handle together by their operators, in the order in which these come first.
void OperatorPlacer::add_handle(std::span<const NodeId> nodes) {
  Range& shares = rows_.emplace_back().by_operator;
  shares.first = static_cast<uint32_t>(shares_.size());
  for (const NodeId node : nodes) {
    const std::string_view base = context_->operator_of(node);
    Share* share = find_share(shares, base);
    if (share == nullptr) {
      share = &shares_.emplace_back(Share{base, {}, {}});
      ++shares.count;
    }
    ++share->nodes.count;
  }
  auto next = static_cast<uint32_t>(nodes_.size());
  nodes_.resize(nodes_.size() + nodes.size());
  for (Share& share : std::span(shares_).subspan(shares.first)) {
    share.nodes.first = next;
    next += share.nodes.count;
    share.nodes.count = 0;
  }
  for (const NodeId node : nodes) {
    Range& of_share = find_share(shares, context_->operator_of(node))->nodes;
    nodes_[of_share.first + of_share.count++] = node;
  }
}

// Null if there is none.
OperatorPlacer::Share* OperatorPlacer::find_share(const Range& shares, std::string_view base) {
  go_on(1 + shares.count / 16);
  const std::span<Share> own = std::span(shares_).subspan(shares.first, shares.count);
  const auto at = std::ranges::find(own, base, &Share::base);
  return at == own.end() ? nullptr : &*at;
}

size_t OperatorPlacer::row_of(DebugHandle handle) const {
  const std::vector<DebugHandle>& handles = context_->nodes().handles();
  if (handles.empty()) return rows_.size();
  const size_t guess = size_t{handle.value} - handles.front().value;  // mostly there are no gaps
  if (guess < handles.size() && handles[guess] == handle) return guess;
  const auto at = std::lower_bound(handles.begin(), handles.end(), handle);
  if (at == handles.end() || *at != handle) return rows_.size();
  return static_cast<size_t>(at - handles.begin());
}

const OperatorPlacer::HandleRows* OperatorPlacer::find(DebugHandle handle) const {
  const size_t row = row_of(handle);
  return row == rows_.size() ? nullptr : &rows_[row];
}

const OperatorPlacer::Share* OperatorPlacer::find(const HandleRows& rows,
                                                  std::string_view base) const {
  go_on(1 + rows.by_operator.count / 16);
  const std::span<const Share> shares = shares_of(rows);
  const auto at = std::ranges::find(shares, base, &Share::base);
  return at == shares.end() ? nullptr : &*at;
}

// Puts the nodes into the order of the instructions, by what these write. Numbers that are equal
// come first: "[1, s0, 32]" may be [1, 128, 32] as well. Without an order in which all fit, the
// nodes stay as they are.
void OperatorPlacer::order_by_shape(const ProgramMethod& program, const Share& share) {
  const std::span<NodeId> nodes = std::span(nodes_).subspan(share.nodes.first, share.nodes.count);
  const size_t count = nodes.size();
  if (count < 2 || count != share.instructions.size()) return;
  std::vector<SameShape> shapes = shapes_of(context_->record(), nodes);
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
  if (std::ranges::all_of(ordered, &NodeId::valid)) std::ranges::copy(ordered, nodes.begin());
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
      Share* share = find_share(rows.by_operator, base);
      if (share != nullptr) {
        std::vector<Instruction>& instructions = share->instructions;
        if (instructions.empty() || instructions.back() != row.instruction) {
          instructions.push_back(row.instruction);
        }
      }
      choose_main(row, rows);
    }
  }
}

void OperatorPlacer::find_left_over() {
  left_over_.reserve(nodes_.size());
  for (HandleRows& rows : rows_) {
    const size_t first = left_over_.size();
    for (const Share& share : shares_of(rows)) {
      if (!share.instructions.empty()) continue;
      const std::span<const NodeId> nodes = nodes_of(share);
      left_over_.insert(left_over_.end(), nodes.begin(), nodes.end());
    }
    rows.left_over = {static_cast<uint32_t>(first),
                      static_cast<uint32_t>(left_over_.size() - first)};
    std::sort(left_over_.begin() + static_cast<ptrdiff_t>(first), left_over_.end());
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
std::span<const NodeId> OperatorPlacer::matching(const HandleRows& rows, Instruction instruction,
                                                 std::string_view base) const {
  const Share* found = find(rows, base);
  if (found == nullptr) return {};
  const Share& share = *found;
  const std::span<const NodeId> nodes = nodes_of(share);
  if (nodes.size() > 1 && nodes.size() == share.instructions.size()) {
    const auto k =
        std::lower_bound(share.instructions.begin(), share.instructions.end(), instruction);
    if (k != share.instructions.end() && *k == instruction) {
      return nodes.subspan(static_cast<size_t>(k - share.instructions.begin()), 1);
    }
  }
  return nodes;
}

bool OperatorPlacer::ran(NodeId node) const {
  const HandleRows* rows = find(context_->record().nodes[node.value].debug_handle);
  const Share* share = rows == nullptr ? nullptr : find(*rows, context_->operator_of(node));
  return share != nullptr && !share->instructions.empty() &&
         share->instructions.size() >= share->nodes.count;
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
    const std::span<const NodeId> nodes = matching(*rows, instruction, base);
    const std::span<const NodeId> rest = left_over_of(*rows);
    matched.insert(matched.end(), nodes.begin(), nodes.end());
    const bool is_main = rows->main_instruction == instruction;
    if (is_main || nodes.empty()) left_over.insert(left_over.end(), rest.begin(), rest.end());
    if (nodes.empty() && rest.empty()) {
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
