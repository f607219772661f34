// SPDX-License-Identifier: Apache-2.0
// Operators and comparisons, and what is true.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

inline constexpr std::string_view kTypeOfNone = "types.NoneType";

// An operator: what torch calls it, and the methods of objects.
struct OperatorMethod {
  std::string_view op, name, method, reflected;
};
// Null without.
const OperatorMethod* operator_method(std::string_view op);
// As a floating-point number it is what it is.
bool is_exact(Value value);
// An unknown, or a tensor.
bool is_open(Value value);

Value eval_binary(Evaluator& run, uint32_t node);
Value binary(Evaluator& run, std::string_view op, Value left, Value right, uint32_t node);
Value eval_unary(Evaluator& run, uint32_t node);
std::optional<bool> known_truth(Evaluator& run, Value value);
// The same question about the same value gives the same answer within a run.
bool remembered_choice(Evaluator& run, Value value, std::string_view key);

bool truth(Evaluator& run, Value value);
Value eval_boolean(Evaluator& run, uint32_t node);
std::optional<bool> known_equal(Evaluator& run, Value a, Value b, int depth = 0);
Value compare(Evaluator& run, std::string_view op, Value left, Value right, uint32_t node);
Value eval_comparison(Evaluator& run, uint32_t node);
Value eval_conditional(Evaluator& run, uint32_t node);
bool is_before(Value a, Value b);
bool is_instance(Evaluator& run, Value value, Value cls, bool& is_known, int depth = 0);
// What items are compared by: all numbers, or all texts. Nullopt if that is not known.
std::optional<std::vector<Value>> sort_keys(Evaluator& run, const std::vector<Value>& items,
                                            const Arguments& arguments, uint32_t node);

// False if the order is unknown.
bool sort(Evaluator& run, std::vector<Value>& items, const Arguments& arguments, uint32_t node);

}  // namespace etlens::recover
