// SPDX-License-Identifier: Apache-2.0
#include "core/join/inserted_operators.h"

#include <algorithm>
#include <array>

#include "core/code/operator_name.h"

namespace etlens {

bool is_write_back(std::string_view base) { return base == "copy_"; }

bool is_device_copy(std::string_view base) { return base == "_h2d_copy" || base == "_d2h_copy"; }

bool is_size_operator(std::string_view name) {
  constexpr std::array<std::string_view, 4> kSizes{"sym_size", "sym_numel", "sym_stride",
                                                   "sym_storage_offset"};
  constexpr std::array<std::string_view, 3> kTensors{"et_view", "et_copy_index", "et_copy"};
  constexpr std::string_view kPrim = "executorch_prim::";
  const bool is_programs = name.find("::") != std::string_view::npos;
  const std::string_view base =
      is_programs ? base_operator_of_kernel(name) : base_operator_of_target(name);
  if (std::find(kSizes.begin(), kSizes.end(), base) != kSizes.end()) return true;
  if (name.starts_with("_operator.") || name.starts_with("math.")) return true;
  return name.starts_with(kPrim) &&
         std::none_of(kTensors.begin(), kTensors.end(),
                      [&](std::string_view tensor) { return base.starts_with(tensor); });
}

}  // namespace etlens
