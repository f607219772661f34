// SPDX-License-Identifier: Apache-2.0
// Matches the instructions of a control-flow operator with the nodes of the graphs that it runs.
// ExecuTorch writes an operator as jumps around its graphs, with kernels of its own:
//
//   cond  jump if false; first branch; jump to the end; second branch
//   map   size of the loop; slice; body; copy the result; count; compare; jump back; reset
//   scan  size of the loop; copy of each carry; slices; body; copies; count; compare; jump back; reset
//
// Every kernel has to be the one of its node, in order: else nothing is known of the operator.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/code/method_context.h"
#include "core/formats/pte/program.h"

namespace etlens {

// A graph that a control-flow node runs: a branch of cond, the body of map or scan.
struct ControlBody {
  NodeId node;  // that runs it
  GraphId graph;
  uint32_t number = 0;  // among the node's graphs: 0 and 1 are the branches of cond
  // Runs once whenever the body does; kNoInstruction if it has none of its own.
  Instruction witness = kNoInstruction;
};

// The control-flow nodes of a record and their graphs.
class ControlGraphs {
 public:
  explicit ControlGraphs(const EtRecord& record);

  // In argument order; empty for a node that is none.
  const std::vector<GraphId>& of(NodeId node) const;
  bool contains(NodeId node) const { return graphs_.contains(node); }

 private:
  std::unordered_map<NodeId, std::vector<GraphId>> graphs_;
};

// "cond", "map", "scan": as people call the operator of a control-flow node.
std::string_view control_name(std::string_view base_operator);

struct ControlStep {
  Instruction instruction;
  NodeId node;  // that it runs, or the control-flow node for a kernel of the operator's own
  std::string_view purpose = {};  // of the latter: "slice", "result", …
};

struct ControlMatch {
  std::vector<ControlStep> rows;    // ascending
  std::vector<ControlBody> bodies;  // those of outer nodes before those inside them
};

// The region [first, end) of instructions that a top-level node's jumps span; with what stands
// around it for a loop. Empty if an instruction does not fit.
ControlMatch match_control(const MethodContext& context, const ProgramMethod& program,
                           const ControlGraphs& graphs, NodeId node, size_t first, size_t end);

}  // namespace etlens
