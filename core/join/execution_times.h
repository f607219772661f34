// SPDX-License-Identifier: Apache-2.0
// Sums the times of every execution of the selected block into its events, lines and parts.
#pragma once

#include "core/join/profile.h"

namespace etlens {

// Needs events, event_of_position and each event's line. Fills EventRow's ticks and occurrences,
// LineRow::self, executions, total, far_off and load_ticks; notes events outside the executions.
// Per execution the parts add up to Method::execute; that they do is asserted.
void sum_executions(Profile& profile);

}  // namespace etlens
