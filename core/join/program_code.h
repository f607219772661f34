// SPDX-License-Identifier: Apache-2.0
// What a record knows of a program that nobody has to have run: the code behind it, and the node
// that each of its instructions runs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/code/code.h"
#include "core/code/landing.h"
#include "core/formats/pte/program.h"

namespace etlens {

// A node inside a delegate call, whose value the call returns.
struct ReturnedNode {
  NodeId node;
  Confidence confidence = Confidence::Exact;
};

// Of one method of a program.
struct InstructionNodes {
  // Per instruction. No node where nothing is known: for moves and jumps, without a record, in
  // branches whose nodes are not those of the record.
  std::vector<NodePlacement> placements;
  // Per delegate instruction the nodes inside the call that make its outputs, in their order; empty
  // where that cannot be told.
  std::vector<std::vector<ReturnedNode>> returned;
};

// "[1, s0, 64] float32" of a record against "[1, 63, 64] float32" of a program, whose sizes are
// upper bounds: numbers and the data type have to agree.
bool fits_shape(std::string_view recorded, std::string_view bound);

// `code` has the record and its method, or neither.
InstructionNodes find_nodes(const Code& code, const ProgramMethod& program);
InstructionNodes find_nodes(const EtRecord& record, const RecordMethod& method,
                            const ProgramMethod& program);

// The code of a method with all its delegate calls. `record` may be null, and the method missing in
// it: then there are delegate calls alone.
std::shared_ptr<const Code> code_of_program(std::shared_ptr<const EtRecord> record,
                                            const ProgramMethod& program,
                                            const std::vector<std::string>& library_frames);

// Why the record is of another export than the program; nullopt if all that both say agrees.
std::optional<std::string> record_difference(const EtRecord& record, const EtProgram& program);

// Where the work of a kernel, or of a node inside the delegate call `instruction`, lands in the
// code. Without a node: unattributed, or with the whole call.
Landing land_kernel(const Code& code, const NodePlacement& placement);
Landing land_in_call(const Code& code, uint32_t instruction, const ReturnedNode& inside);

}  // namespace etlens
