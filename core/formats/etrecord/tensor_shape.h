// SPDX-License-Identifier: Apache-2.0
// The shape of a tensor as a graph's JSON has it, in words: "[1, 64, s0] float32".
#pragma once

#include <simdjson.h>

#include <string>

namespace etlens {

// Reads {"dtype": n, "sizes": [{"as_int": n} | {"as_expr": {"expr_str": …}}], …}, which release 0.1
// wraps in {"meta": …}.
simdjson::error_code read_tensor_shape(simdjson::ondemand::object tensor, std::string& shape);

}  // namespace etlens
