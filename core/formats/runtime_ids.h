// SPDX-License-Identifier: Apache-2.0
// The numbers by which a dump, a record and a program name the same thing.
#pragma once

#include <cstdint>

#include "core/base/strong.h"

namespace etlens {

// Index into the first chain of a method's program; what a foreign dump says may be negative.
using Instruction = Strong<struct InstructionTag, int32_t>;
inline constexpr Instruction kNoInstruction{-1};

// Of a node, numbered per method by the exporter.
using DebugHandle = Strong<struct DebugHandleTag, uint32_t>;
inline constexpr DebugHandle kNoHandle{0xFFFFFFFFu};

}  // namespace etlens
