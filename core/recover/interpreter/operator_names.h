// SPDX-License-Identifier: Apache-2.0
// What operators are called in source and in records, and what kind of call each is.
#pragma once

#include <string>
#include <string_view>

namespace etlens::recover {

// One spelling for all spellings of an operator, in the given text or one that stays: `add_`,
// `__radd__`, `__iadd__` and `add` are add.
std::string_view normal_operator(std::string_view name);

// What is known of the operator that a source spells like this.
struct OperatorFacts {
  std::string name;  // normal; of a layer's class the function that it runs
  bool is_no_operator = false;
  bool is_creation = false;
  bool can_vanish = false;
  bool keeps_order = false;
  bool is_view = false;          // of its first tensor: who writes to it writes to that
  bool is_like_another = false;  // a second tensor gives its sizes or its type alone
};
OperatorFacts operator_facts(std::string_view spelled);

// The operator in "mul_10;method_descriptor.mul", normal; "" if the text names none that helps.
std::string_view operator_of_torch_fn(std::string_view torch_fn);
// The operator in "aten.transpose.int", normal.
std::string_view operator_of_target(std::string_view target);

// Whether a call of `source` (normal) may be recorded as ATen operator `recorded` (normal), where a
// record names no Python function.
bool may_become(std::string_view source, std::string_view recorded);

// A call that leaves no node where it changes nothing.
bool can_vanish(std::string_view name);
// Makes a tensor of no other: its node may have been folded into a constant.
bool is_creation(std::string_view name);
// Gives several tensors.
bool gives_several(std::string_view name);
// Tensor operands stand in the node in the order of the call.
bool keeps_order(std::string_view name);
// A method or function of torch that computes nothing with tensors' numbers.
bool is_no_operator(std::string_view name);
// What a tensor knows of itself without a node.
bool is_tensor_fact(std::string_view attribute);
// An attribute of tensors that is read, not called.
bool is_tensor_member(std::string_view attribute);

}  // namespace etlens::recover
