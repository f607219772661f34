// SPDX-License-Identifier: Apache-2.0
// Layouts: in which order the numbers of a tensor lie in memory, as far as the nodes that made it say
// so. A record does not have the strides that tensors had when the source ran.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/recover/units.h"

namespace etlens::recover {

class Layouts {
 public:
  // Certainly not contiguous. `value`: as the graph numbers them; of one graph alone.
  bool is_permuted(const GraphUnits& graph, uint32_t value);

 private:
  // Dimensions, the one with the largest stride first, without those of size 1; none if unknown.
  using Order = std::optional<std::vector<uint32_t>>;

  Order order_of(const GraphUnits& graph, uint32_t value, int depth);
  Order order_of_result(const GraphUnits& graph, uint32_t value, int depth);

  std::unordered_map<uint32_t, Order> orders_;  // by value
};

}  // namespace etlens::recover
