// SPDX-License-Identifier: Apache-2.0
// Units of time. An ETDump does not say what its ticks are; the user does (default: nanoseconds).
#pragma once

#include <optional>
#include <string_view>

namespace etlens {

enum class TimeScale { Nanoseconds, Microseconds, Milliseconds, Seconds, Cycles };

// "ns", "us", "ms", "s", "cycles".
std::string_view name_of(TimeScale scale);
std::optional<TimeScale> parse_time_scale(std::string_view name);

// How many of `source` one `target` is: 1e6 for ns -> ms. Cycles convert to nothing but cycles
// (factor 1); the caller refuses other pairs with is_convertible.
double scale_factor(TimeScale source, TimeScale target);
bool is_convertible(TimeScale source, TimeScale target);

}  // namespace etlens
