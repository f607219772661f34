// SPDX-License-Identifier: Apache-2.0
// The sentence about operators that ran on the CPU between two calls of one backend.
#pragma once

#include <optional>
#include <string>

#include "core/base/time_scale.h"
#include "core/facts/facts.h"

namespace etlens {

// "topk runs on the CPU between two XNNPACK partitions: 0.90 ms + 2 delegate calls", of what a
// line has of one gap.
std::string fallback_sentence(const Facts& facts, const GapOfLine& gap,
                              std::optional<TimeScale> unit);

}  // namespace etlens
