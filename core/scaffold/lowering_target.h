// SPDX-License-Identifier: Apache-2.0
// What a script needs of ExecuTorch to lower a model to a backend: a row each.
#pragma once

#include <span>
#include <string_view>

namespace etlens {

struct LoweringTarget {
  std::string_view name;         // as a user names it: "xnnpack"
  std::string_view registered;   // as the runtime does: "XnnpackBackend"; "": every runtime has it
  std::string_view import;       // lines of Python
  std::string_view partitioner;  // an expression of Python; "" for none
};

std::span<const LoweringTarget> lowering_targets();
const LoweringTarget* find_lowering_target(std::string_view name);  // nullptr if there is none

}  // namespace etlens
