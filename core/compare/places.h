// SPDX-License-Identifier: Apache-2.0
// Places as sets of operations, and what they take on a side: the only sums of a comparison.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/compare/side.h"
#include "core/measure/interval.h"

namespace etlens {

// What a place takes on one side.
struct SideCost {
  Amount ticks;        // over all executions of all dumps
  Amount disturbance;  // likewise: what they took beyond
  double value = 0;    // of one execution, in the comparison's scale
  double share = 0;    // of the side's total
};

using Operations = std::vector<uint32_t>;  // rows of Side::operations; ascending

// The operations of a side by where they land.
struct OperationIndex {
  Operations all;
  std::vector<Operations> of_line;       // per line: with the innermost frame there
  std::vector<Operations> through_line;  // per line: these and what they call
  std::vector<Operations> of_module;     // per module: inclusive
  std::vector<Operations> of_partition;
  std::vector<Operations> of_part;  // per Part
};
OperationIndex index_operations(const Side& side);

class SideReader {
 public:
  // `side` must outlive the reader.
  SideReader(const Side& side, TimeScale scale);

  SideCost cost(std::span<const uint32_t> operations) const;
  // Logarithms of ticks of one execution, one per dump. What no clock could tell counts as one
  // tick.
  std::vector<double> logarithms(std::span<const uint32_t> operations) const;
  // How much of it a coarse clock may be wrong about, as a part of it.
  double clock_error(std::span<const uint32_t> operations) const;
  // Of a side with one dump: the variance that its executions leave to the logarithm of what the
  // operations take; 0 for other sides.
  double variance_within(std::span<const uint32_t> operations) const;
  // Of a side with one dump: half of the 95 % interval of that logarithm. Nullopt for other sides, for
  // one execution, and for what no clock could tell.
  std::optional<double> half_width_within(std::span<const uint32_t> operations) const;
  // Kernels of the operations, the most costly first; each once.
  std::vector<std::string> kernels(std::span<const uint32_t> operations) const;

 private:
  std::optional<Uncertainty> uncertainty(std::span<const uint32_t> operations) const;
  double per_execution(const DumpAmounts& dump, std::span<const uint32_t> operations) const;

  const Side& side_;
  double factor_;  // ticks in one of the scale
  Amount total_;
};

}  // namespace etlens
