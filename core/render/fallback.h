// SPDX-License-Identifier: Apache-2.0
// The sentence about operators that ran on the CPU between two calls of one backend.
#pragma once

#include <optional>
#include <string>

#include "core/facts/prepared.h"

namespace etlens {

// "topk runs on the CPU between two XNNPACK partitions: 0.90 ms + 2 delegate calls".
std::string fallback_sentence(const PreparedProfile& prepared, const FallbackRow& row,
                              std::optional<TimeScale> unit);

}  // namespace etlens
