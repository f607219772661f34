// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them, and as Python prints them.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/backend/backend_event.h"
#include "core/base/time_scale.h"
#include "core/facts/facts.h"

namespace etlens {

// What ticks are, and in which unit to show them. Cycles are always shown as cycles.
struct TimeStyle {
  TimeStyle(TimeScale ticks, std::optional<TimeScale> shown = std::nullopt)
      : source(ticks), unit(shown) {}

  TimeScale source;
  std::optional<TimeScale> unit;  // nullopt: chosen for each value
};

// Three significant digits with a unit: "12.4 ms", "904 µs", "6.50 Mcyc"; "<1 ns" for what is more
// than nothing and less than the least unit. `ticks` may be an average; negative values are fine.
std::string format_time(double ticks, TimeStyle style);

// "36.9 kB".
std::string format_bytes(double bytes);

// A number of the facts' quantity, per sample; "–" where the clock stands. `unit`: of times;
// nullopt: chosen for each value.
std::string format_value(const Facts& facts, double value, std::optional<TimeScale> unit);
// The same of a cost. What ran is never 0: "<1 µs" where its clock cannot tell less.
std::string format_cost(const Facts& facts, const Cost& cost, std::optional<TimeScale> unit);

// What contributions took, as format_value: if they ran, never 0.
std::string format_measured(const Facts& facts, double value,
                            std::span<const ContributionId> contributions,
                            std::optional<TimeScale> unit);

// Both of a cost: "3.10 ms 15%"; of quantities that are shares themselves, once.
std::string format_cost_share(const Facts& facts, const Cost& cost, std::optional<TimeScale> unit);
// What all amounts are together: "forward", "Method::execute", "the peak".
std::string_view whole_of(const Facts& facts);
// "15% of forward".
std::string share_words(const Facts& facts, const Cost& cost);
// What came of a quantity: "SNR 11 dB".
std::string format_level(double level);
// A line in a few words, with no other text around them: "3.10 ms, 15% of forward", "3.15 MB at the
// peak, 37% of it", "SNR 11 dB, 83% of the final error". "" if nothing of the quantity is here.
std::string line_summary(const Facts& facts, LineId line, std::optional<TimeScale> unit);

// What a backend logged, in its own unit: "1.25 Mcyc", "4 (count)", "2.00 kB", "317 (counter)".
std::string format_reported(double value, DelegateUnit unit);

// A fraction as a percentage with two significant digits: "61%", "4.4%", "<0.1%", "-12%".
std::string format_share(double fraction);

// Heat of a share of everything, 0 (cold) to 4 (hottest), by the square root of the share.
int heat_level(double share);
// Of an amount; 0 for operators that have not run: a count is no heat.
int heat_of(const Facts& facts, const Cost& cost);

// "ms" is 1e6 (nanoseconds), "kB" 1000, "%" 0.01; 1 for what is no unit.
double size_of_unit(std::string_view name);

// A double in Python's shortest form: "0.1", "1.0", "1e-05", "1e+16", "nan", "inf".
std::string python_float(double value);

}  // namespace etlens
