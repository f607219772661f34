// SPDX-License-Identifier: Apache-2.0
// Which operators count where somebody asks how much of a program is delegated.
#pragma once

#include <cstdint>

#include "core/delegation/delegation.h"

namespace etlens {

// Every operator but those that move nothing (getitem, views) and those that partitioners copy into
// each call (quantize, dequantize and what chooses their parameters).
bool is_counted_operator(const EtRecord& record, const Node& node);

struct CountedOperators {
  uint64_t delegated = 0;
  uint64_t all = 0;

  double share() const {
    return all == 0 ? 0 : static_cast<double>(delegated) / static_cast<double>(all);
  }
};

CountedOperators count_operators(const Delegation& delegation);

}  // namespace etlens
