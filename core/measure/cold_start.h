// SPDX-License-Identifier: Apache-2.0
// ColdStart: what the first answer took next to a usual execution, as far as the dump tells:
// Program::load_method and the Method::init inside it, of every method that was loaded with the
// tracer, and what the first execution took beyond the statistic. No part of the total of time.
#pragma once

#include <cstdint>

#include "core/join/join.h"
#include "core/measure/delegate_inits.h"
#include "core/measure/measure.h"

namespace etlens {

struct ColdStart {
  Amount load;         // Program::load_method, without Method::init
  Amount init;         // Method::init: delegates compile or unpack what they were given
  double first = 0;    // ticks of the first execution beyond the statistic; 0 if there is no other
  uint32_t loads = 0;  // methods that were loaded; 0: the dump tells nothing
  DelegateInits delegates;  // of init: what delegates logged of it

  Amount loading() const { return load + init; }
  double total() const { return static_cast<double>(loading().value) + first; }
};

// `time`: of the join, summed up.
ColdStart cold_start(const Join& join, const Measure& time);

}  // namespace etlens
