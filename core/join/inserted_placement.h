// SPDX-License-Identifier: Apache-2.0
// Places what ExecuTorch adds to a graph when it makes the program of it, and what loses its debug
// handle on the way, so that a record's map lists neither:
//
//  * write-backs: state that the method changes gets its new value in the end (`copy_`);
//  * views of dynamic shapes (`et_view`);
//  * copies between a device and the host (`_h2d_copy`, `_d2h_copy`).
//
// A program says whose values such an instruction reads and writes, the record's graph what made
// them. Without a program write-backs are told by their order.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/code/method_context.h"
#include "core/code/node_placement.h"
#include "core/formats/pte/program.h"
#include "core/join/operator_placer.h"

namespace etlens {

struct InsertedPlacement {
  NodePlacement placement;
  std::string title;  // "write-back of layers.0.k_cache"; "" for what is called by its operator
};

// `unmapped`: what ran and has no entry in the map, ascending. `program` is the same method as the
// context's; null without one. What cannot be placed has no row.
std::map<Instruction, InsertedPlacement> place_inserted(
    const MethodContext& context, const RecordMethod& method, const ProgramMethod* program,
    std::span<const ExecutedInstruction> unmapped);

}  // namespace etlens
