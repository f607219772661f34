// SPDX-License-Identifier: Apache-2.0
// Rankings: the most costly events and lines.
#pragma once

#include <string_view>
#include <vector>

#include "core/join/profile.h"

namespace etlens {

// Events with time of their own, the most costly first; ties in the order of execution.
std::vector<EventId> ranked_events(const Profile& profile);
// Lines with time of their own, the most costly first.
std::vector<LineId> ranked_lines(const Profile& profile);

// Statistics of every event's durations over the executions, in ticks; one per Profile::events. All
// zero where has_statistics says no.
std::vector<PerfData> event_statistics(const Profile& profile);
// False for values that have no length in ticks of their own: cycles, counts, totals.
bool has_statistics(const EventRow& event);

// What a backend attached to each event in the first execution, "" for nothing; one per
// Profile::events, or none at all if the dump holds no metadata. The text belongs to the log.
std::vector<std::string_view> event_metadata(const Profile& profile);

}  // namespace etlens
