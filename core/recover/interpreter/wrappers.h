// SPDX-License-Identifier: Apache-2.0
// Wrappers: what decorators make of functions (`def wrapper(*args, **kwargs): …`).
#pragma once

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

// The call by which a wrapper hands on all that it is given to the function that it wraps, if
// nothing else in it touches a tensor that it is given; kNone if that is not sure.
uint32_t passing_call(Evaluator& run, Value wrapper);

// The innermost function that wrappers were made of; the function itself if it is no wrapper.
Value innermost_wrapped(Value function);

}  // namespace etlens::recover
