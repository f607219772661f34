// SPDX-License-Identifier: Apache-2.0
// How often a source line runs in one execution, told by the module instances beneath it.
#pragma once

#include "core/code/method_context.h"
#include "core/join/profile.h"

namespace etlens {

// Fills LineRow::calls and owner_types. A line `x = self.blocks[i](x)` in a loop over 24 blocks
// runs 24 times; so does `return self.down(x)` inside the block. The traces say it: each forward
// frame belongs to a module of the node's module stack, and the module called next tells the
// iterations apart.
void count_calls(Profile& profile, const MethodContext& context);

}  // namespace etlens
