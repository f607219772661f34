// SPDX-License-Identifier: Apache-2.0
// Attributes of plain objects, classes and tensors, and of modules where nothing else is known.
#pragma once

#include <string>
#include <string_view>

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

// The operator that a method of FloatFunctional calls.
std::string held_operator(std::string_view method);

Value unknown_attribute(Evaluator& run, Value value, std::string_view name);
// One of the tensors in what a child returned: which one, its first use says.
Value field_of(Evaluator& run, Value result);

Value bind_member(Evaluator& run, Value member, std::string_view name, Value self, Value cls,
                  uint32_t node);
Value attribute(Evaluator& run, Value value, std::string_view name, uint32_t node);
void set_attribute(Evaluator& run, Value value, std::string_view name, Value item);

}  // namespace etlens::recover
