// SPDX-License-Identifier: Apache-2.0
// The operator of the edge program that a kernel of a program runs.
#pragma once

#include <string>
#include <string_view>

namespace etlens {

// "aten.mean.dim" of "aten::mean.out", "aten.view_copy.default" of "executorch_prim::et_view".
std::string edge_operator_of_kernel(std::string_view kernel);

}  // namespace etlens
