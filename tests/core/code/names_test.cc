// SPDX-License-Identifier: Apache-2.0
// Operator names, library frames and time scales.
#include "core/base/time_scale.h"
#include "core/code/library_frame.h"
#include "core/code/operator_name.h"

namespace etlens::names_test {

TEST_CASE("operator names: targets", "[operator_name]") {
  const auto [target, base] = GENERATE(table<const char*, const char*>({
      {"aten.addmm.default", "addmm"},
      {"dim_order_ops._to_dim_order_copy.default", "_to_dim_order_copy"},
      {"quantized_decomposed.quantize_per_tensor.default", "quantize_per_tensor"},
      {"aten::addmm", "addmm"},
      {"llama.custom_sdpa.default", "custom_sdpa"},
      {"higher_order.cond", "cond"},
      {"executorch.exir.memory.view", "view"},
      {"_operator.mul", "mul"},
      {"relu", "relu"},
  }));
  CHECK(base_operator_of_target(target) == base);
}

TEST_CASE("operator names: kernel events", "[operator_name]") {
  CHECK(base_operator_of_kernel("native_call_addmm.out") == "addmm");
  CHECK(base_operator_of_kernel("native_call__softmax.out") == "_softmax");
  CHECK(base_operator_of_kernel("native_call_var.correction_out") == "var");
  CHECK(base_operator_of_kernel("llama::custom_sdpa.out") == "custom_sdpa");
  CHECK(base_operator_of_kernel("native_call_llama::gated_delta_rule.out") == "gated_delta_rule");
}

TEST_CASE("operator names: what dominates a fused operator", "[operator_name]") {
  CHECK(rank_of_operator("convolution") < rank_of_operator("max_pool2d"));
  CHECK(rank_of_operator("max_pool2d") < rank_of_operator("native_layer_norm"));
  CHECK(rank_of_operator("native_layer_norm") < rank_of_operator("mul"));
  CHECK(rank_of_operator("mul") < rank_of_operator("view_copy"));
  CHECK(rank_of_operator("view_copy") < rank_of_operator("dequantize_per_tensor"));
  CHECK(rank_of_operator("never heard of") == OperatorRank::Elementwise);
}

TEST_CASE("library frames: whose file is it?", "[library_frame]") {
  const auto [path, is_framework] = GENERATE(table<const char*, bool>({
      {"/usr/lib/python3/dist-packages/torch/nn/modules/linear.py", true},
      {"C:\\Python\\Lib\\site-packages\\torch\\nn\\functional.py", true},
      {"/v/lib/site-packages/functorch/__init__.py", true},
      {"/v/lib/site-packages/torchvision/models/resnet.py", false},
      {"/v/lib/site-packages/timm/layers/mlp.py", false},
      {"/v/lib/site-packages/transformers/models/llama/modeling_llama.py", false},
      {"/home/me/torch/nn/mine.py", false},
      {"/v/site-packages/mine/torch/x.py", false},
      {"torch/fx/traceback.py", true},
      {"torch/mine.py", false},
      {"torch/mymodels/net.py", false},
      {"<eval_with_key>.13", true},
      {"<string>", true},
      {"<frozen importlib>", true},
      {"<stdin>", false},
      {"<ipython-input-3-abc>", false},
      {"model.py", false},
      {"/v/lib/python3.11/site-packages/executorch/backends/arm/_passes/decompose_mean.py", true},
      {"/src/executorch/backends/xnnpack/_passes/convert_to_linear.py", true},
      {"C:\\v\\site-packages\\executorch\\exir\\pass_base.py", true},
      {"executorch/exir/passes/replace_view_copy_with_view_pass.py", true},
      {"/v/site-packages/torchao/quantization/pt2e/fake_quantize.py", true},
      {"/v/site-packages/torchao/_models/llama/model.py", false},
      {"/v/site-packages/executorch/examples/models/llama/llama_transformer.py", false},
      {"/v/site-packages/executorch/extension/llm/modules/attention.py", false},
      {"/src/executorch/backends/xnnpack/test/ops/test_add.py", false},
      {"/src/executorch/backends/mlx/llm/et_attention.py", false},
      {"/home/me/executorch/exir.py", false},
      {"/home/me/backends/arm/_passes/mine.py", false},
  }));
  CAPTURE(path);
  CHECK(is_framework_file(path) == is_framework);
}

TEST_CASE("library frames: the user's globs", "[library_frame]") {
  CHECK(is_library_file("/v/site-packages/timm/layers/mlp.py", {"timm/**"}));
  CHECK(is_library_file("C:\\v\\timm\\layers\\mlp.py", {"timm/**"}));
  CHECK_FALSE(is_library_file("/home/me/model.py", {"timm/**"}));
}

TEST_CASE("time scales", "[time_scale]") {
  CHECK(parse_time_scale("us") == TimeScale::Microseconds);
  CHECK_FALSE(parse_time_scale("h"));
  CHECK(scale_factor(TimeScale::Nanoseconds, TimeScale::Milliseconds) == 1e6);
  CHECK(scale_factor(TimeScale::Cycles, TimeScale::Cycles) == 1);
  CHECK_FALSE(is_convertible(TimeScale::Cycles, TimeScale::Milliseconds));
}

}  // namespace etlens::names_test
