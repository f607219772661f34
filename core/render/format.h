// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them, and as Python prints them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/backend/backend_event.h"
#include "core/base/time_scale.h"

namespace etlens {

// What ticks are, and in which unit to show them. Cycles are always shown as cycles.
struct TimeStyle {
  TimeStyle(TimeScale ticks, std::optional<TimeScale> shown = std::nullopt)
      : source(ticks), unit(shown) {}

  TimeScale source;
  std::optional<TimeScale> unit;  // nullopt: chosen for each value
};

// Three significant digits with a unit: "12.4 ms", "904 µs", "6.50 Mcyc". `ticks` may be an
// average; negative values are fine.
std::string format_time(double ticks, TimeStyle style);

// What a backend logged, in its own unit: "1.25 Mcyc", "4 (count)", "2.00 kB", "317 (counter)".
std::string format_reported(double value, DelegateUnit unit);

// A fraction as a percentage with two significant digits: "61%", "4.4%", "<0.1%".
std::string format_share(double fraction);

// Heat of a share of the method's time, 0 (cold) to 4 (hottest), by the square root of the share.
int heat_level(double share);

// A double in Python's shortest form: "0.1", "1.0", "1e-05", "1e+16", "nan", "inf".
std::string python_float(double value);

}  // namespace etlens
