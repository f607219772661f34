// SPDX-License-Identifier: Apache-2.0
// The operators that Arm's TOSA partitioner has, by what it compiles for.
#pragma once

#include <string_view>

#include "core/delegation/reason.h"

namespace etlens {

// `op` without its namespace: "mean.dim". Before 1.5 the lists tell no overloads apart.
bool is_tosa_operator(std::string_view op, Release release, bool is_integer);
// It has the operator only for floats.
bool is_float_tosa_operator(std::string_view op);
// An Ethos-U55 cannot do it, and an Ethos-U85 can.
bool is_not_on_u55(std::string_view base, Release release);
// Every value that goes in has to be quantized, and so has what comes out.
bool needs_quantized_values(std::string_view op);
// What the compiler removes: a call of nothing else would be empty.
bool is_removed_by_tosa(std::string_view op);
// Computed at export; int64 values of it are converted.
bool is_tosa_constant(std::string_view op);

}  // namespace etlens
