// SPDX-License-Identifier: Apache-2.0
// Statistics: what the samples of one contribution amount to. Results are sums over the samples, in
// integers, so that they add up; a surface divides by the number of samples.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/measure/amount.h"

namespace etlens {

enum class Statistic : uint8_t {
  Typical,  // the mean without interruptions: see summarize
  Mean,
  Median,
  Minimum,
  Maximum,
};

// "typical", "mean", "median", "min", "max".
std::string_view name_of(Statistic statistic);
std::optional<Statistic> parse_statistic(std::string_view name);

// The statistic of `values` times their number, rounded down. `slack`: what two samples of the same
// work may differ by because no clock is finer.
//
// Typical is the mean of what was not interrupted: of the values up to a limit above the mean of
// their faster half, which is `slack` or a quarter more. It repeats, because an interruption only
// takes its own sample out; it has no bias where durations are cut to whole steps of a coarse
// clock, because both neighbours of the true value stay in; and it is never above the mean.
inline constexpr double kTypicalSpread = 1.25;
Amount summarize(std::span<const int64_t> values, Statistic statistic, int64_t slack);

// The faster half of `values`, rounded up, which are not empty.
struct FasterHalf {
  size_t count = 0;
  double mean = 0;
  int64_t greatest = 0;
};
FasterHalf faster_half(std::span<const int64_t> values);

}  // namespace etlens
