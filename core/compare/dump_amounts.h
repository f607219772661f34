// SPDX-License-Identifier: Apache-2.0
// From a study to what a comparison keeps of it.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/compare/side.h"

namespace etlens {

// "Convolution (NHWC, F32) IGEMM #12" -> without the number; "native_call_add.out" -> "add.out".
std::string kernel_name(std::string_view name);

// Ticks by which the typical value of one contribution may be wrong in one execution because its
// clock is coarse. Durations that vary by more than a step of the clock are right on average; those
// that always say the same may be anything up to the next step.
double clock_error(const Measure& measure, const LoggedValues& logged, ContributionId id);

// One per contribution: what tells it from the others in every dump of the program.
std::vector<std::string> operation_keys(const Join& join);

// See Side::influences; one row of contributions per execution or block. Empty for fewer than two
// executions.
std::vector<std::vector<float>> influences_of(const Measure& measure);

}  // namespace etlens
