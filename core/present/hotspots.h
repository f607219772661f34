// SPDX-License-Identifier: Apache-2.0
// Rankings: the most costly events and lines.
#pragma once

#include <vector>

#include "core/profile/profile.h"

namespace etlens {

// Events with time of their own, the most costly first; ties in the order of execution.
std::vector<EventId> ranked_events(const Profile& profile);
// Lines with time of their own, the most costly first.
std::vector<LineId> ranked_lines(const Profile& profile);

// Statistics of every event's durations over the executions, in ticks; one per Profile::events.
std::vector<PerfData> event_statistics(const Profile& profile);

}  // namespace etlens
