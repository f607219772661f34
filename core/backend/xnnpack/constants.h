// SPDX-License-Identifier: Apache-2.0
// Which operator of an XNNPACK payload each of its constants belongs to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/backend/backend.h"

namespace etlens {

// In the payload's order, the reserved first one left out. Where no operator names a constant it
// belongs to the one before it: exporters write the scales of quantized weights right behind them.
std::vector<PayloadConstant> list_xnnpack_constants(std::span<const uint8_t> payload);

}  // namespace etlens
