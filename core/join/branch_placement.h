// SPDX-License-Identifier: Apache-2.0
// Places instructions inside control-flow branches, which a record's map never lists: the program
// has them between its jumps, in the order of the branch graphs' nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/code/method_context.h"
#include "core/formats/pte/pte_reader.h"

namespace etlens {

class BranchPlacer {
 public:
  // `program` is the same method as the context's.
  BranchPlacer(const MethodContext& context, const ProgramMethod& program);

  // The node that the instruction runs; invalid if it lies in no branch, or in one whose kernels
  // are not exactly the nodes of its graphs.
  NodeId node_of(Instruction instruction) const;

 private:
  struct Row {
    Instruction instruction;
    NodeId node;
  };
  std::vector<Row> rows_;  // ascending by instruction
};

}  // namespace etlens
