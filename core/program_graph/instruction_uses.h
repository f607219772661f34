// SPDX-License-Identifier: Apache-2.0
// Which arguments of an instruction are read and which are written.
#pragma once

#include <span>

#include "core/measure/lifetimes.h"
#include "core/program_graph/value_flow.h"

namespace etlens {

// `lifetimes`: one per tensor of the method.
InstructionUses uses_of(const ProgramMethod& method, std::span<const Lifetime> lifetimes,
                        uint32_t instruction);

// The value, or the elements of a list.
void append_uses(const ProgramMethod& method, uint32_t value, uint32_t argument,
                 std::vector<ValueUse>& uses);

}  // namespace etlens
