// SPDX-License-Identifier: Apache-2.0
// Samples: which executions there are, which of them do the same work, which are odd, and which are
// used.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/measure/measure.h"

namespace etlens {

// The separate groups into which the samples fall, the quicker first; empty if there is one. Groups
// are kinds of work, like prefill and decode: in the slower one most of what is measured took
// nearly twice as long or more. One interruption is no kind, and neither is a machine that changed
// its speed. `totals`: of every sample. `slack`: of summarize, per contribution.
std::vector<SampleKind> find_kinds(const Series& series, std::span<const Amount> totals,
                                   std::span<const int64_t> slack);

// Of `used`, those far from the median; ascending.
std::vector<uint32_t> find_odd(std::span<const Amount> totals, std::span<const uint32_t> used);

// Reads "1-25,30" (1-based), "slow", "fast", "all" or "" (the largest kind). Errors: InvalidParams,
// one sentence that says what there is.
Result<std::vector<uint32_t>> choose_samples(std::string_view choice, size_t count,
                                             const std::vector<SampleKind>& kinds);

// "1-25,30", 1-based; "all" if it is all of `count`.
std::string samples_text(std::span<const uint32_t> used, size_t count);

}  // namespace etlens
