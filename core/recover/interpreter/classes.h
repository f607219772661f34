// SPDX-License-Identifier: Apache-2.0
// Classes of the sources: their bases, their members and what is made of them.
#pragma once

#include <string_view>
#include <vector>

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

bool is_enumeration(Evaluator& run, Value cls);
// What auto() stands for, in a class that was read whole.
void number_members(Evaluator& run, Value cls);

// Null if the class has no member of that name.
Value enum_member(Evaluator& run, Value cls, std::string_view name);

std::vector<Value> enum_members(Evaluator& run, Value cls);
// Fusion("sum"): the member of that value; an unknown if it is not clear which.
Value member_of_value(Evaluator& run, Value cls, Value value);

// No base of it has a truth of its own, as containers and numbers have.
bool has_plain_truth(Evaluator& run, Value cls);

Value class_of(Evaluator& run, Value value);
// An attribute of the object itself, or a member of its class.
bool has_member(Evaluator& run, Value instance, std::string_view name);

// Names of a class and its bases.
std::vector<std::string_view> class_names(Evaluator& run, Value cls);

// What a class says of a name, if nothing says otherwise later.
Value class_attribute(Evaluator& run, Value cls, std::string_view name, Value member);

// A class of the sources that derives from torch's modules.
bool is_module_class(Evaluator& run, Value cls);

std::vector<Value> bases_in_order(Evaluator& run, Value cls);
// A member of a class or its bases; null without. `owner` is the class that has it.
Value find_member(Evaluator& run, Value cls, std::string_view name, Value* owner = nullptr);

// The class of a recorded type name, null without source.
Value class_of_type(Evaluator& run, std::string_view type);

}  // namespace etlens::recover
