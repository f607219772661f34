// SPDX-License-Identifier: Apache-2.0
// Lifetimes: from which instruction to which a program needs the bytes of each tensor. A .pte does
// not say so; it follows from who writes and who reads a value:
//
//  * An input lives from the first instruction on, an output to the last one, state always.
//  * Everything else lives from the first instruction that names it to the last one.
//  * A view has the bytes of its base, and both live as long as either is needed. Exporters plan
//    views away where shapes are static: then nothing writes the view, and its base is the value
//    that was last written to exactly these bytes.
//  * What is defined before a loop and used inside it lives to the loop's end.
//  * A kernel or a delegate may have planned working memory as an argument: nothing makes it, only
//    one instruction has it, and its value comes after the inputs, which state never does. It lives
//    at its instruction alone.
#pragma once

#include <cstdint>
#include <vector>

#include "core/formats/pte/program.h"

namespace etlens {

struct Lifetime {
  uint32_t first = 0;  // instructions, both included
  uint32_t last = 0;
  uint32_t maker = kNone;    // the instruction that writes it first; kNone for inputs and state
  uint32_t view_of = kNone;  // the tensor whose bytes these are; never a view itself
  bool is_input = false;     // of the method
  bool is_output = false;    // of the method
  bool is_mutable = false;   // state that outlives an execution
  bool is_scratch = false;   // working memory of `maker`, which alone has it
};

// One per tensor of the method, whether planned or not.
std::vector<Lifetime> find_lifetimes(const ProgramMethod& method);

}  // namespace etlens
