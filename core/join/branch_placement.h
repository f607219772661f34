// SPDX-License-Identifier: Apache-2.0
// Places instructions of control flow (branches, loops), which a record's map never lists: the
// program has them between its jumps, in the order of the nodes of their graphs.
#pragma once

#include <string>
#include <vector>

#include "core/code/method_context.h"
#include "core/formats/pte/pte_reader.h"
#include "core/join/control_match.h"

namespace etlens {

class BranchPlacer {
 public:
  // `program` is the same method as the context's.
  BranchPlacer(const MethodContext& context, const ProgramMethod& program);

  // The node that the instruction runs: of a kernel of the control flow itself the cond, map or
  // scan. Invalid if it lies in none, or in one whose kernels are not exactly those of its graphs.
  NodeId node_of(Instruction instruction) const;
  // What the instruction does for the loop that it belongs to: "slice of map"; "" for others.
  std::string title_of(Instruction instruction) const;
  // The graphs whose instructions are placed; those of outer nodes before those inside them.
  const std::vector<ControlBody>& bodies() const { return bodies_; }

 private:
  const ControlStep* find(Instruction instruction) const;

  const MethodContext& context_;
  std::vector<ControlStep> rows_;  // ascending by instruction
  std::vector<ControlBody> bodies_;
};

}  // namespace etlens
