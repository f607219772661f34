// SPDX-License-Identifier: Apache-2.0
// Whether two sets of executions did different amounts of work, or only met another machine. A slower
// machine slows kernels of fixed work as well; an interruption hits some kernels of an execution; more
// work lengthens all kernels whose work grows, by much more than they vary inside the sets.
#pragma once

#include <cstdint>
#include <vector>

#include "core/measure/group_split.h"

namespace etlens {

using Columns = std::vector<uint32_t>;  // executions

// The rows by which executions are told apart.
struct GroupRows {
  explicit GroupRows(const GroupSignals& signals);

  LogRows rows;    // kernels, and one row of what backends reported where there are few kernels
  LogRows fixed;   // as GroupSignals has it
  size_t kernels;  // of `rows`, the first ones
};

struct Boundary {
  bool holds = false;
  double shift = 0;             // of the rows that support it, about
  std::vector<double> base;     // per row its middle in the lower set
  std::vector<double> rise;     // per row, to that in the upper set
  std::vector<double> weights;  // per row, 0 for those that do not support it
};

// Between two sets that are not empty. The weight of a row is higher the less it varies inside the sets.
Boundary boundary_between(const GroupRows& rows, const Columns& low, const Columns& high);

// How much a row that supports the boundary varies inside the sets, of logarithms.
double noise_in(const Boundary& boundary, size_t row);

// Where an execution is: near 0 as in the lower set, near 1 as in the upper one. The boundary has a
// row that supports it.
double position_of(const GroupRows& rows, const Boundary& boundary, uint32_t column);

// Of the row, in these columns.
std::vector<double> picked(const std::vector<double>& row, const Columns& columns);

// Some row supports it.
bool is_supported(const Boundary& boundary);

}  // namespace etlens
