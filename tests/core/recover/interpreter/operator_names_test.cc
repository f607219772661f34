// SPDX-License-Identifier: Apache-2.0
#include "core/recover/interpreter/operator_names.h"

using namespace etlens::recover;

TEST_CASE("all spellings of an operator are one name", "[recover]") {
  CHECK(normal_operator("__radd__") == "add");
  CHECK(normal_operator("add_") == "add");
  CHECK(normal_operator("__rsub__") == "sub");
  CHECK(normal_operator("__getitem__") == "getitem");
  CHECK(normal_operator("float") == "to");
  CHECK(normal_operator("_softmax") == "softmax");
  CHECK(normal_operator("_") == "_");
  CHECK(normal_operator("").empty());
}

TEST_CASE("what a record calls an operator", "[recover]") {
  CHECK(operator_of_torch_fn("mul_10;method_descriptor.mul") == "mul");
  CHECK(operator_of_torch_fn("__getitem___3;wrapper_descriptor.__getitem__") == "getitem");
  CHECK(operator_of_torch_fn("x;WrapWithSetGradEnabled.wrap_with_set_grad_enabled").empty());
  CHECK(operator_of_torch_fn("x;OpOverload.quantize_per_tensor.default").empty());
  CHECK(operator_of_torch_fn("mul").empty());
  CHECK(operator_of_target("aten.transpose.int") == "transpose");
  CHECK(operator_of_target("aten.slice_copy.Tensor") == "slice");
  CHECK(operator_of_target("aten._to_copy.default") == "to");
  CHECK(may_become("stack", "cat"));
  CHECK_FALSE(may_become("cat", "stack"));
}
