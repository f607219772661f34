// SPDX-License-Identifier: Apache-2.0
// Executions told apart by one to three kernels of the runtime's own thread, where a backend does the
// rest. Such a kernel repeats within a few percent, or waits for a cold cache, which adds about the
// same time to each of them. What a backend's events took depends on its threads, so that it decides
// where the kernels do not.
#pragma once

#include <cstdint>
#include <vector>

#include "core/measure/group_boundary.h"

namespace etlens {

// Per execution how long the longest events of backends took, all in one row, as GroupSignals has
// them. `delegated` is not empty.
std::vector<double> delegated_together(const LogRows& delegated);

// What position_of() says of such rows, from 0 to 1: how badly the times fit the lower set, of how
// badly they fit both.
double position_by_fit(const GroupRows& rows, const Boundary& boundary, uint32_t column);

// The upper set is more than the lower one with the same wait for each kernel, or backends say so too.
bool is_more_than_waiting(const GroupRows& rows, const Boundary& boundary);

}  // namespace etlens
