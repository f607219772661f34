// SPDX-License-Identifier: Apache-2.0
// How far did a place move from one side to the other, beyond what the machine did? The unit that
// repeats is the dump: a process. Everything here is in logarithms, so that differences are ratios.
//
// A place follows the machine's level (machine.h) more or less: when the machine is slow, work in
// the caches may not be. How much, its slope, is told by the dumps within each side, and is taken
// to be near 1 as long as they tell little. What is left after the level times the slope is
// compared:
//
//   ranks  by the exact rank sum test (rank_test.h): needs some dumps a side, assumes nothing
//   few    by a t test whose spread is drawn towards that which two processes of one program
//          usually have: it can speak with a dump or two, and is never more than likely
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/compare/rank_test.h"

namespace etlens {

// One value per dump.
struct PerDump {
  std::vector<double> before;
  std::vector<double> after;
};

// How far the mean moved.
double moved(const PerDump& values);

struct ShiftQuestion {
  const PerDump& values;   // logarithms of what the place took
  const PerDump& machine;  // of the machine's level; zeros where it is not known
  double within = 0;       // variance of `values` within the processes, if sides have one dump
};

struct Shift {
  double estimate = 0;
  double raw = 0;                   // the same before the machine is taken into account
  double p = 1;                     // by ranks
  std::optional<ShiftRange> range;  // likewise, 95 %; nullopt for too few dumps
  // Likewise, 90 %: beyond each end lies the shift in one case of 20. What a verdict needs, because
  // it asks on one side only whether the change matters.
  std::optional<ShiftRange> bounds;
  double few_p = 1;
  ShiftRange few_range;  // 99 %
  double slope = 1;
  double allowance = 0;  // how far the sides may differ for reasons that dumps do not tell
  double spread = 0;     // standard deviation of a dump
};

Shift find_shift(const ShiftQuestion& question);

// Dumps a side that would make the interval of `shift` as narrow as `half_width` on either side of
// the estimate; nullopt if no number would.
std::optional<size_t> dumps_for(const Shift& shift, double half_width);

}  // namespace etlens
