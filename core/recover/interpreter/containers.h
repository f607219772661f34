// SPDX-License-Identifier: Apache-2.0
// Lists, dictionaries, texts, and modules that hold others.
#pragma once

#include <string_view>

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

// A list grows item by item: what makes the items sees those that came before.
void extend(Evaluator& run, Value list, Value items);

// A key is there once: a later value takes the place of an earlier one.
void put(Evaluator& run, Value dict, Value key, Value item);

void put_all(Evaluator& run, Value dict, Value others);
// Others may be unknown: then any key may have another value now.
void merge(Evaluator& run, Value dict, Value others);

// What an instance of a class that is a dictionary holds; null for others.
Value held_dict(Value instance);

Value call_container(Evaluator& run, std::string_view name, Value self, Arguments& arguments,
                     uint32_t node);

}  // namespace etlens::recover
