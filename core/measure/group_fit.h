// SPDX-License-Identifier: Apache-2.0
// To which of several sets of executions one belongs, by the times of all its kernels together. Waits
// and interruptions only add: the least times of a set are its level. A time below the level is nearly
// impossible; one above it counts the less, the farther it is already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/measure/group_split.h"

namespace etlens {

using Columns = std::vector<uint32_t>;  // executions

// The rows that distinguish executions.
struct GroupRows {
  // With the backend's operators as kernels, if wanted.
  explicit GroupRows(const GroupSignals& signals, bool with_operators = false);

  LogRows rows;    // kernels, and after them what backends reported
  LogRows fixed;   // as GroupSignals has it
  size_t kernels;  // of `rows`, the first ones
  bool by_backend;
};

// Of the row, in these columns.
std::vector<double> picked(const std::vector<double>& row, const Columns& columns);

// What a kernel takes if nothing interrupts it: few of the times are below. There is one at least.
double level_of(const std::vector<double>& times);

class GroupFit {
 public:
  // The sets ascend by work; none is empty. `rows` must outlive the object.
  GroupFit(const GroupRows& rows, std::span<const Columns> sets);

  // How badly the times of an execution fit a set.
  double cost(uint32_t column, size_t set) const;
  // Of the first two sets: near 0 as in the lower one, near 1 as in the upper one.
  double position(uint32_t column) const;
  // Of a set and those near it, the one that the execution fits best.
  size_t nearest(uint32_t column, size_t set) const;
  // Of all sets.
  size_t best(uint32_t column) const;

 private:
  // Of the sets from `first` to before `end`, `set` if none is better.
  size_t cheapest(uint32_t column, size_t set, size_t first, size_t end) const;
  void add_row(size_t row, std::span<const Columns> sets);
  double cost_of_kernels(uint32_t column, size_t set) const;
  // If its events took longer than they did, by this logarithm.
  double cost_of_backend(uint32_t column, size_t set, double longer) const;

  const GroupRows& rows_;
  size_t sets_;
  std::vector<double> levels_;   // per row, of each set
  std::vector<double> spreads_;  // per row: how far above its level a time often is
  std::vector<double> weights_;  // per row, 0 where the sets are alike
};

}  // namespace etlens
