// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/module_stack.h"

namespace etlens::module_stack_test {

TEST_CASE("module stack: entries", "[module_stack]") {
  const auto modules = parse_module_stack(
      "L__self__,,mlp.SensorMLP;L__self__first,first,mlp.FeedForward;L__self__first.norm@1,first."
      "norm,"
      "torch.nn.modules.normalization.LayerNorm");
  REQUIRE(modules.size() == 3);
  CHECK(modules[0].path == "");
  CHECK(modules[0].type == "mlp.SensorMLP");
  CHECK(modules[2].key == "L__self__first.norm@1");
  CHECK(modules[2].path == "first.norm");
}

TEST_CASE("module stack: commas inside paths and types", "[module_stack]") {
  const auto modules = parse_module_stack(
      "k,layer.slice(1, None, None),torch.nn.Sequential;k2,getattr(L['self'].neck, "
      "'0'),m.Generic[int, str]");
  REQUIRE(modules.size() == 2);
  CHECK(modules[0].path == "layer.slice(1, None, None)");
  CHECK(modules[0].type == "torch.nn.Sequential");
  CHECK(modules[1].path == "getattr(L['self'].neck, '0')");
  CHECK(modules[1].type == "m.Generic[int, str]");
}

TEST_CASE("module stack: odd text", "[module_stack]") {
  CHECK(parse_module_stack("").empty());
  CHECK(parse_module_stack("no comma").empty());
  CHECK(parse_module_stack("key,path").at(0).type == "");
}

TEST_CASE("module stack: normal paths", "[module_stack]") {
  CHECK(normal_module_path("") == "");
  CHECK(normal_module_path("layers.0.attn") == "layers.0.attn");
  CHECK(normal_module_path("L['self'].layers[0].attn") == "layers.0.attn");
  CHECK(normal_module_path("L['s'].seq[0].lin") == "seq.0.lin");
  CHECK(normal_module_path("L['self'].heads['main']") == "heads.main");
  CHECK(normal_module_path("getattr(L['self'].neck, '0')") == "neck.0");
  CHECK(normal_module_path("köpfe.höhe") == "köpfe.höhe");
}

TEST_CASE("module stack: wrappers of the exporter", "[module_stack]") {
  CHECK(is_wrapper_type("torch.export._trace._non_strict_export.<locals>.Wrapper"));
  CHECK(is_wrapper_type("torch.fx.graph_module.GraphModule.__new__.<locals>.GraphModuleImpl"));
  CHECK_FALSE(is_wrapper_type("torch.nn.modules.linear.Linear"));
  CHECK_FALSE(is_wrapper_type("exporter.Model"));
}

TEST_CASE("module stack: a node of a pass of torch.export is in no module", "[module_stack]") {
  const std::string empty = "_empty_nn_module_stack_from_metadata_hook";
  CHECK(parse_module_stack(empty + "," + empty + "," + empty).empty());
  CHECK(parse_module_stack("L,,m.Net;k,_empty_nn_module_stack,m.Mine").size() == 2);
}

}  // namespace etlens::module_stack_test
