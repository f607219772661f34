// SPDX-License-Identifier: Apache-2.0
// Splits executions into groups that did different amounts of work, from the times of kernels whose
// work depends on a symbolic size. Knows no dump: rows of logarithms in, sets of columns out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace etlens {

// Times of some kernels, one row per kernel, one column per execution: the logarithm of microseconds
// and an offset. What cold caches add is nothing beside the offset, and what is shorter than that
// hardly counts.
using LogRows = std::vector<std::vector<double>>;

struct GroupSignals {
  LogRows kernels;    // whose work depends on a symbolic size, by the runtime's own thread
  LogRows delegated;  // such events of backends, whose threads add waiting times
  LogRows fixed;      // whose work is always the same: they show the speed of the machine
  // What backends did for one growing node each. Of all that did the same this is the shortest.
  LogRows operators{};

  size_t executions() const {
    const LogRows& rows = kernels.empty() ? operators : kernels;
    return rows.empty() ? 0 : rows.front().size();
  }
};

// The offset of `kernels` and `fixed`, in microseconds.
inline constexpr double kKernelOffset = 0.5;

// Whether the operators of a backend count as well, because so few kernels are outside of it.
bool asks_backend(size_t kernels);

// Per execution its group, 0 for that with the least work; all 0 where the evidence does not
// suffice. See group_boundary.h for what a boundary between two groups needs. Groups are found
// among the executions in `looked_at`, which ascend; each of the others is put into the group that
// it fits best. Takes at most a constant times the numbers in `signals` times the groups and the
// logarithm of the executions.
std::vector<uint32_t> split_executions(const GroupSignals& signals,
                                       std::span<const uint32_t> looked_at);
// Looks at all executions.
std::vector<uint32_t> split_executions(const GroupSignals& signals);

}  // namespace etlens
