// SPDX-License-Identifier: Apache-2.0
// Custom operators that change a buffer in place (`llama::update_cache`). A record has such a call
// as `auto_functionalized`, whose debug handle its map does not list: the program's kernel is
// another node's by then.
#pragma once

#include <map>
#include <span>
#include <string_view>

#include "core/code/method_context.h"
#include "core/formats/pte/program.h"
#include "core/join/operator_placer.h"

namespace etlens {

// `target`: of a record's node.
bool is_functionalized(std::string_view target);

// The nodes of those of the unmapped instructions that change a buffer: by the buffer.
std::map<Instruction, NodeId> find_functionalized(const MethodContext& context,
                                                  const ProgramMethod& program,
                                                  std::span<const ExecutedInstruction> unmapped);

}  // namespace etlens
