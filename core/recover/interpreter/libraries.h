// SPDX-License-Identifier: Apache-2.0
// Calls of Python's own functions and of libraries that have a meaning here.
#pragma once

#include <string>
#include <string_view>

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

Value call_itertools(Evaluator& run, std::string_view name, Arguments& arguments, uint32_t node);
Value call_external(Evaluator& run, const std::string& name, Arguments& arguments, uint32_t node);
Value call_builtin(Evaluator& run, std::string_view name, Arguments& arguments, uint32_t node);

}  // namespace etlens::recover
