// SPDX-License-Identifier: Apache-2.0
// Whether two sets of executions did different amounts of work, or only met another machine. A slower
// machine slows kernels of fixed work as well; an interruption hits some kernels of an execution; more
// work lengthens all kernels whose work grows, by much more than they vary inside the sets.
#pragma once

#include <vector>

#include "core/measure/group_fit.h"

namespace etlens {

struct Boundary {
  bool holds = false;
  bool is_sure = false;         // even if the kernels are a backend's operators
  double shift = 0;             // of the kernels that support it, about
  double together = 0;          // of the times of all kernels together
  std::vector<double> base;     // per kernel its level in the lower set
  std::vector<double> rise;     // per kernel, to that in the upper set
  std::vector<double> weights;  // per kernel, 0 for those that do not support it
};

// Between two sets that are not empty. The weight of a kernel is higher the less it varies inside the sets.
Boundary boundary_between(const GroupRows& rows, const Columns& low, const Columns& high);

// Even the shortest executions of the upper set are above most of the lower one, in enough of the rows.
bool may_be_apart(const LogRows& rows, const Columns& low, const Columns& high);

}  // namespace etlens
