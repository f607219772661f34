// SPDX-License-Identifier: Apache-2.0
// What a module's forward returns, as far as its explanations agree: containers and objects whose
// form a caller has to know.
#pragma once

#include "core/recover/interpreter/value.h"

namespace etlens::recover {

// A tuple, list, dictionary or object.
bool is_holder(Value value);

// A copy that needs nothing of the run that made it; unknown where that cannot be.
Value kept(Arena& arena, Value value, int depth = 0);

// What both say, as a value of the arena: containers of one form, with tensors that either names.
// Unknown where they differ.
Value common_result(Arena& arena, Value a, Value b, int depth = 0);

}  // namespace etlens::recover
