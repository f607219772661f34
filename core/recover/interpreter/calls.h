// SPDX-License-Identifier: Apache-2.0
// Calls of what the sources define, and of unknown values.
#pragma once

#include <string_view>
#include <vector>

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

bool bind(Evaluator& run, Value function, Arguments& arguments, Environment* scope);
// One of several values, if it is known which; else an unknown.
Value any_returned(Evaluator& run, std::vector<Value> some, Value last);

Value call_function(Evaluator& run, Value function, Arguments& arguments, uint32_t node);
Arguments eval_arguments(Evaluator& run, uint32_t list);
Value eval_call(Evaluator& run, uint32_t node);
Value call(Evaluator& run, Value callee, Arguments& arguments, uint32_t node);
Value call_class(Evaluator& run, Value cls, Arguments& arguments, uint32_t node);
Value call_method_named(Evaluator& run, Value value, std::string_view name, Arguments arguments,
                        uint32_t node, bool& found);
// An unknown of which a method is called, or a property is asked, that plain classes of the project
// have may be an object of one of them. True if this run takes it for one.
bool find_object(Evaluator& run, Value unknown, std::string_view method, bool is_property);

Value call_unknown(Evaluator& run, Value callee, Arguments& arguments, uint32_t node);

}  // namespace etlens::recover
