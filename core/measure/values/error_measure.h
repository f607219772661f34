// SPDX-License-Identifier: Apache-2.0
// The measure of error: how much of the final error is made where. A contribution is an origin of
// error; it lands on the line of the heaviest operator that can have made it.
#pragma once

#include <memory>
#include <span>

#include "core/measure/measure.h"
#include "core/measure/values/error_origin.h"

namespace etlens {

inline constexpr std::string_view kErrorId = "error";

// Amounts are integers: billionths of the final error.
inline constexpr int64_t kErrorUnit = 1'000'000'000;

// One contribution per origin, one sample.
Measure measure_error(std::shared_ptr<const Code> code, std::span<const ErrorOrigin> origins);

}  // namespace etlens
