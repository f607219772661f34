// SPDX-License-Identifier: Apache-2.0
// Samples: which executions are odd, and which are used.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/measure/measure.h"

namespace etlens {

// Of `used`, those far from the median; ascending.
std::vector<uint32_t> find_odd(std::span<const Amount> totals, std::span<const uint32_t> used);

// Reads "1-25,30" (1-based), "slow", "fast", the name of a group, "all" or "". For "" `group` is the
// name of one, or "" for the first. Errors: InvalidParams, one sentence that
// says what there is.
Result<std::vector<uint32_t>> choose_samples(std::string_view choice, std::string_view group,
                                             size_t count, const std::vector<SampleGroup>& groups);

// Without the first `warmup` of `count` samples. Error: InvalidParams if none is left.
Result<std::vector<uint32_t>> without_first(std::vector<uint32_t> used, size_t warmup,
                                            size_t count);

// "1-25,30", 1-based; "all" if it is all of `count`.
std::string samples_text(std::span<const uint32_t> used, size_t count);

}  // namespace etlens
