// SPDX-License-Identifier: Apache-2.0
// The measure of time: what the executions of a joined block took.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/join/join.h"
#include "core/measure/cold_start.h"
#include "core/measure/measure.h"

namespace etlens {

inline constexpr std::string_view kTimeId = "time";

// How time is to be read.
struct TimeOptions {
  Statistic statistic = Statistic::Typical;
  std::string executions;  // as choose_samples reads it
  bool is_raw = false;     // durations are not centred
  std::string group;       // of executions that did the same work; "": that with the largest total
  uint64_t warmup = 0;     // executions at the beginning that no number is of

  friend bool operator==(const TimeOptions&, const TimeOptions&) = default;
};

// What the events logged, beyond their time. One per event.
struct LoggedValues {
  std::vector<uint64_t> reported;  // sum over the executions used, in the event's unit; 0 for ticks
  std::vector<bool> is_rescaled;   // in some execution its time is a share of its call
  std::vector<double> step;        // ticks to which its backend cuts durations; 0: the clock's own
  std::vector<Ticks> half_step;    // by which it was centred at most
};

struct TimeMeasure {
  Measure measure;
  LoggedValues logged;
  ColdStart cold;  // beside the total
};

// Errors: InvalidParams if the executions asked for do not exist.
Result<TimeMeasure> measure_time(const Join& join, const TimeOptions& options);

}  // namespace etlens
