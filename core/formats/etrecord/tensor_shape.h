// SPDX-License-Identifier: Apache-2.0
// The shape of a tensor as a graph's JSON has it, in words: "[1, 64, s0] float32".
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace etlens {

// "float32" of a number as this JSON counts data types; "unknown" for others.
std::string_view dtype_name(int64_t dtype);

// Reads {"dtype": n, "sizes": [{"as_int": n} | {"as_expr": {"expr_str": …}}], …}, which release 0.1
// wraps in {"meta": …}.
simdjson::error_code read_tensor_shape(simdjson::ondemand::object tensor, std::string& shape);

}  // namespace etlens
