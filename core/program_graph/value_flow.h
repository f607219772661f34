// SPDX-License-Identifier: Apache-2.0
// What each instruction of a program reads and writes, and which instructions made what it reads. A
// .pte lists arguments alone, so that both follow from the rules by which exporters write them:
//
//  * A kernel's last argument is what it returns: a tensor, a number, or a list of tensors. Outputs
//    stand in front of it a second time. Everything else is read.
//  * executorch_prim::et_copy_index writes into its first argument. A few kernels of the llama
//    family write into a cache that is an argument of another name.
//  * A delegate call writes its last arguments, those that nothing has written before.
//  * Who reads a list reads its elements.
//  * A view that the exporter planned away has no instruction. Who reads it reads what the maker of
//    its base wrote.
//
// With jumps a value may have several makers: the last ones on every way to the reader.
#pragma once

#include <cstdint>
#include <vector>

#include "core/formats/pte/program.h"

namespace etlens {

// An argument, or an element of one that is a list.
struct ValueUse {
  uint32_t value = 0;
  uint32_t argument = 0;
  uint32_t element = kNone;  // of the list; kNone: the argument itself
};

struct InstructionUses {
  std::vector<ValueUse> reads;  // in the order of arguments; of lists the elements
  std::vector<ValueUse> writes;
  std::vector<ValueUse> scratch;  // working memory, which is neither
};

// What a value is before the first instruction runs.
enum class ValueSource : uint8_t {
  None,      // an instruction makes it, or a literal
  Input,     // of the method
  Constant,  // its data never change
  State,     // it outlives an execution
};

// A maker that is an instruction, or kBeforeStart for the value's source.
inline constexpr uint32_t kBeforeStart = kNone - 1;

struct ValueRead {
  ValueUse use;
  uint32_t reader = 0;           // instruction; the number of instructions for the method's outputs
  uint32_t base = 0;             // the value whose bytes are read: use.value, or of a view the base
  std::vector<uint32_t> makers;  // ascending, kBeforeStart last; empty for literals
};

struct ValueFlow {
  std::vector<InstructionUses> instructions;
  InstructionUses outputs;           // the method's
  std::vector<ValueSource> sources;  // per value
  std::vector<bool> is_written;      // per value: by some instruction
  std::vector<ValueRead> reads;      // in the order of readers and arguments
};

ValueFlow find_value_flow(const ProgramMethod& method);

}  // namespace etlens
