// SPDX-License-Identifier: Apache-2.0
// Expressions: a node of a tree, evaluated in the scope where the run is.
#pragma once

#include <string_view>
#include <vector>

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

Value eval_slice(Evaluator& run, uint32_t node);
std::vector<Value> eval_indices(Evaluator& run, uint32_t node);
Value eval_subscript(Evaluator& run, uint32_t node);
Value subscript(Evaluator& run, Value value, const std::vector<Value>& indices, uint32_t node);
Value eval(Evaluator& run, uint32_t node);
Value eval_generator(Evaluator& run, uint32_t node);
// A text that grows and grows is not known any more.
Value made_text(Evaluator& run, std::string_view text);

// A text of which only the beginning is known.
Value text_beginning(Evaluator& run, std::string_view text);

Value eval_string(Evaluator& run, uint32_t node);
// Each of the items once; unknown if it is not known which are equal.
Value set_of(Evaluator& run, Value list);

// Runs the for and if clauses from `clause` on; `each` gets the key of a dictionary's pair in a
// tuple with its value.
bool comprehend(Evaluator& run, uint32_t clause, uint32_t body, const Each& each,
                Value made = nullptr);

Value eval_comprehension(Evaluator& run, uint32_t node, ValueKind kind);

}  // namespace etlens::recover
