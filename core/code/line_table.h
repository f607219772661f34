// SPDX-License-Identifier: Apache-2.0
// The lines of a profile: which exist, and what each costs.
#pragma once

#include <vector>

#include "core/code/method_context.h"
#include "core/join/profile.h"

namespace etlens {

// Makes a row for every line that an event's time, a fused node or a delegate call's node is on,
// and ties events and delegate calls to their lines. `frames`: per event, the frame that carries
// it.
void collect_lines(Profile& profile, const MethodContext& context,
                   const std::vector<FrameId>& frames);

// Fills the sums of all lines from the events' ticks.
void sum_lines(Profile& profile, const MethodContext& context);

}  // namespace etlens
