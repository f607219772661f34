// SPDX-License-Identifier: Apache-2.0
// Methods of torch's own classes that the project's classes inherit and call.
#pragma once

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

Value call_convolution(Evaluator& run, Value module, Arguments& arguments, uint32_t node);

// super().forward(…) of a class that derives from one of torch's layers: its function runs, with
// what the module holds. Null for others.
Value call_layer(Evaluator& run, Value module, Arguments& arguments, uint32_t node);

// The class derives from torch.autograd.Function.
bool is_differentiable(Evaluator& run, Value cls);
// Its apply(…): its forward runs, with a context first unless another function sets that up.
Value apply_function(Evaluator& run, Value cls, Arguments& arguments, uint32_t node);

}  // namespace etlens::recover
