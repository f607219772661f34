// SPDX-License-Identifier: Apache-2.0
// Which operators the Native partitioner takes: the core ATen operators and a few more.
#pragma once

#include <string_view>

namespace etlens {

// `target` as the edge program has it: "aten.mean.dim".
bool is_native_operator(std::string_view target);

}  // namespace etlens
