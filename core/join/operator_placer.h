// SPDX-License-Identifier: Apache-2.0
// Where the time of an operator's instruction goes: from its debug handles to the node that
// dominates them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/code/node_placement.h"
#include "core/formats/pte/program.h"

namespace etlens {

// An instruction as the runtime ran it: what its kernel was called, "" if no kernel reported.
struct ExecutedInstruction {
  Instruction instruction;
  std::string_view kernel;  // event name, e.g. native_call_addmm.out
};

// Places operator events. From release 1.0 on one handle is shared by all nodes that one ATen
// operator was decomposed into and by several instructions, so of a handle's nodes those count
// whose operator is the kernel's; what no instruction ran counts as fused into the handle's main
// one. Of as many instructions as nodes the k-th ran the k-th, unless a program has the shapes that
// they write: where a backend takes nodes away, others change places.
class OperatorPlacer {
 public:
  // `executed`: every operator instruction of the block, distinct, ascending. `program`: the same
  // method; null without one.
  OperatorPlacer(const MethodContext& context, const std::vector<ExecutedInstruction>& executed,
                 const ProgramMethod* program = nullptr);

  // An instruction that the record's map lacks gives a placement without a node.
  NodePlacement place(Instruction instruction, std::string_view kernel) const;
  // True if operator instructions ran the node: as many of them as nodes of its kind.
  bool ran(NodeId node) const;

 private:
  struct Range {  // of a list that all handles share
    uint32_t first = 0;
    uint32_t count = 0;
  };
  struct Share {  // of one handle and one base operator
    std::string_view base;
    Range nodes;  // of nodes_; of as many instructions: in their order
    std::vector<Instruction> instructions;
  };
  struct HandleRows {
    Range by_operator;                              // of shares_: a few
    Range left_over;                                // of left_over_
    Instruction main_instruction = kNoInstruction;  // takes the left-over ones
    OperatorRank main_rank = OperatorRank::Quantize;
  };

  void add_handle(std::span<const NodeId> nodes);
  Share* find_share(const Range& shares, std::string_view base);
  std::span<const Share> shares_of(const HandleRows& rows) const {
    return std::span(shares_).subspan(rows.by_operator.first, rows.by_operator.count);
  }
  std::span<const NodeId> nodes_of(const Share& share) const {
    return std::span(nodes_).subspan(share.nodes.first, share.nodes.count);
  }
  // Nodes of a handle that no instruction's kernel matches.
  std::span<const NodeId> left_over_of(const HandleRows& rows) const {
    return std::span(left_over_).subspan(rows.left_over.first, rows.left_over.count);
  }
  // Into rows_; its size if no node has the handle.
  size_t row_of(DebugHandle handle) const;
  // Null if no node has the handle, or none of its nodes the operator.
  const HandleRows* find(DebugHandle handle) const;
  const Share* find(const HandleRows& rows, std::string_view base) const;
  void collect(const std::vector<ExecutedInstruction>& executed);
  void find_left_over();
  void order_by_shape(const ProgramMethod& program, const Share& share);
  void choose_main(const ExecutedInstruction& row, HandleRows& rows);
  std::span<const NodeId> matching(const HandleRows& rows, Instruction instruction,
                                   std::string_view base) const;

  const MethodContext* context_;
  std::vector<HandleRows> rows_;  // per handle of the method's nodes
  std::vector<Share> shares_;
  std::vector<NodeId> nodes_;  // by handle and operator
  std::vector<NodeId> left_over_;
};

}  // namespace etlens
