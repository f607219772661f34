// SPDX-License-Identifier: Apache-2.0
// The time of joins, as tests ask for it.
#pragma once

#include <string>
#include <string_view>

#include "core/measure/time.h"
#include "tests/support/joins.h"

namespace etlens::test {

// As it was logged: the mean of all executions, nothing centred.
TimeOptions mean_raw();

// A join and its time; what tests ask of both by names and numbers.
struct Timed {
  Join join;
  TimeMeasure time;

  const Measure& measure() const { return time.measure; }
  int64_t total() const { return measure().total.total.value; }
  int64_t part(Part part) const { return measure().total[part].value; }
  // Of the line of that number; 0 if there is none.
  int64_t self_on(uint32_t line) const;
  int64_t inclusive_on(uint32_t line) const;
  uint64_t occurrences_on(uint32_t line) const;
  // Of the module; fails the test if there is none.
  const ModuleTotal& module(std::string_view path) const;
  // Of the event that people know under that name; of several the first.
  ContributionId event(std::string_view readable_name) const;
  int64_t self_of(std::string_view readable_name) const;
  const Landing& landing_of(std::string_view readable_name) const;
};

// Fails the test if the executions do not exist.
Timed time_of(Join join, const TimeOptions& options = mean_raw());

}  // namespace etlens::test
