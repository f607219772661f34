// SPDX-License-Identifier: Apache-2.0
// Operators that the exporter adds, told by their names.
#pragma once

#include <string_view>

namespace etlens {

// It gives state its new value, or copies between a device and the host: a kernel that no map of a
// record lists. `base`: of base_operator_of_kernel.
bool is_write_back(std::string_view base);
bool is_device_copy(std::string_view base);

// Arithmetic on symbolic sizes, as programs ("executorch_prim::add.Scalar", "aten::sym_size.int")
// or records ("_operator.add", "aten.sym_size.int") write it.
bool is_size_operator(std::string_view name);

}  // namespace etlens
