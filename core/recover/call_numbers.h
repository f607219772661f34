// SPDX-License-Identifier: Apache-2.0
// Call numbers: torch counts the calls of each of its functions, also of those that leave no node,
// and a node bears the number of its call ("contiguous_7;method_descriptor.contiguous"). So between
// two nodes it is known how often a tensor's method was called.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/recover/units.h"

namespace etlens::recover {

class CallNumbers {
 public:
  struct Call {
    uint32_t node = 0;    // the first one that bears its number
    uint32_t number = 0;  // the first call has 1
    uint32_t before = 0;  // calls since the one before that has a node
  };
  // The first call of a tensor's method whose nodes stand at this one or behind it; null without.
  // Of one graph alone. There as long as this is.
  const Call* next(const GraphUnits& graph, std::string_view method, uint32_t node);

 private:
  void read(const GraphUnits& graph);

  bool is_read_ = false;
  std::unordered_map<std::string_view, std::vector<Call>> calls_;  // in order, by method
};

}  // namespace etlens::recover
