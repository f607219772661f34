// SPDX-License-Identifier: Apache-2.0
// Operator names as graphs and runtimes write them, and which operator of a fused one dominates.
#pragma once

#include <string_view>

namespace etlens {

// The operator's base name, without namespace and overload:
//   aten.addmm.default, native_call_addmm.out, aten::addmm       -> addmm
//   llama::custom_sdpa.out                                       -> custom_sdpa
//   executorch.exir.memory.view, higher_order.cond               -> view, cond
std::string_view base_operator_of_target(std::string_view target);
std::string_view base_operator_of_kernel(std::string_view event_name);

// What kind of work an operator is, the heaviest first: of a fused operator the line of the lowest
// rank carries the time. Unknown operators count as elementwise.
enum class OperatorRank {
  Compute,  // convolution, linear, matrix product, attention
  Pooling,
  Normalisation,  // and softmax
  Elementwise,    // and reductions
  DataMovement,   // views, copies, concatenation, embedding
  Quantize,       // quantize, dequantize, choosing their parameters
};
OperatorRank rank_of_operator(std::string_view base_operator);

}  // namespace etlens
