// SPDX-License-Identifier: Apache-2.0
// Splits executions into groups that did different amounts of work, from the times of kernels whose
// work depends on a symbolic size. Knows no dump: rows of logarithms in, sets of columns out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace etlens {

// Times of some events: ln(microseconds), one row per event, one column per execution.
using LogRows = std::vector<std::vector<double>>;

struct GroupSignals {
  LogRows kernels;    // whose work depends on a symbolic size, by the runtime's own thread
  LogRows delegated;  // such events of backends, whose threads add waiting times
  LogRows fixed;      // whose work is always the same: they show the speed of the machine
  // There are enough rows of `fixed` that a change of the machine shows there.
  bool has_control = false;

  size_t executions() const { return kernels.empty() ? 0 : kernels.front().size(); }
};

// Per execution its group, 0 for that with the least work; all 0 where the evidence does not
// suffice: never without kernels of the runtime's own thread. A boundary between two groups holds if most kernels that can scale agree on it, if they
// take longer by more than their noise, and if the fixed rows do not. Takes at most a constant times
// the numbers in `signals` times the logarithm of the executions.
std::vector<uint32_t> split_executions(const GroupSignals& signals);

}  // namespace etlens
