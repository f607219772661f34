// SPDX-License-Identifier: Apache-2.0
// What the file about the run says of the machine and of the event tracer: whether the times of the
// dump are those that users of the program see.
#pragma once

#include <cstdint>
#include <optional>

#include "core/facts/facts.h"

namespace etlens {

struct RunFacts {
  // Seconds of an execution with and without the event tracer.
  std::optional<double> traced;
  std::optional<double> untraced;
  std::optional<double> tracer_cost;  // a share of `untraced`; below 0 if chance is larger
  // Seconds of the fixed calculation: a tenth of its times are below, a tenth above.
  std::optional<double> pace_low;
  std::optional<double> pace_high;
  std::optional<double> speed_change;  // how much longer the second is, as a share of the first
  std::optional<double> load;          // average of the minute before the run
  std::optional<uint64_t> processors;  // that the run was allowed to use
  bool is_slowed = false;              // by the event tracer, by more than a tenth
  bool is_uneven = false;              // the machine speed changed by more than a tenth
  bool is_loaded = false;              // other programs needed more processors than there were
};

// nullopt without a file about the run.
std::optional<RunFacts> run_facts(const Facts& facts);

}  // namespace etlens
