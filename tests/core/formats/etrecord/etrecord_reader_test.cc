// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/etrecord_reader.h"

#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"

namespace etlens::etrecord_reader_test {

using test::MemoryFileSystem;
using test::RecordBuilder;
using test::ZipBuilder;

namespace {

Result<EtRecord> read(const Bytes& content) {
  static MemoryFileSystem files;
  files.put("/model.etrecord", content);
  return read_etrecord(files, "/model.etrecord");
}

const std::string kTrace = test::stack_trace({{"/m/a.py", 7, "forward", "y = self.lin(x)"}}, true);

RecordBuilder small_record() {
  RecordBuilder record;
  record.node({"aten_permute", "aten.permute_copy.default", 1, kTrace, "L__self__,,m.M", {"w"}})
      .node({"aten_addmm",
             "aten.addmm.default",
             1,
             kTrace,
             "L__self__,,m.M;L__self__lin,lin,L",
             {"b", "x"}})
      .map(0, {1})
      .map(1, {1});
  return record;
}

const Node& node_named(const EtRecord& record, std::string_view name) {
  for (const Node& node : record.nodes) {
    if (record.text(node.name) == name) return node;
  }
  FAIL("no node " << name);
  return record.nodes.front();
}

}  // namespace

TEST_CASE("ETRecord: nodes, traces, modules, maps", "[etrecord]") {
  const auto record = read(small_record().build());
  REQUIRE(record);
  REQUIRE(record->nodes.size() == 2);
  const Node& addmm = node_named(*record, "aten_addmm");
  CHECK(record->text(addmm.target) == "aten.addmm.default");
  CHECK(addmm.debug_handle == 1);
  CHECK(record->text(addmm.shape) == "[2, 3] float32");
  CHECK(record->inputs_of(addmm).size() == 2);
  CHECK(record->text(record->inputs_of(addmm)[1]) == "x");
  REQUIRE(record->frames_of(addmm.stack).size() == 1);
  const Frame& frame = record->frames[record->frames_of(addmm.stack)[0].value];
  CHECK(record->text(frame.file) == "/m/a.py");
  CHECK(frame.line == 7);
  REQUIRE(record->modules_of(addmm.modules).size() == 2);
  CHECK(record->text(record->modules_of(addmm.modules)[1].path) == "lin");
  CHECK(record->stacks.size() == 1);  // shared
  const MethodMap* map = record->map_of(record->strings.find("forward"));
  REQUIRE(map != nullptr);
  REQUIRE(map->find(1) != nullptr);
  CHECK(map->handles_of(*map->find(1)).front() == 1);
  CHECK(map->find(2) == nullptr);
  CHECK(record->layout == RecordLayout::From13);
}

TEST_CASE("ETRecord: a lowered module's own nodes", "[etrecord]") {
  RecordBuilder builder;
  builder.lowered("executorch_call_delegate", "VulkanBackend",
                  {{"aten_linear", "aten.linear.default", 4, kTrace, "L__self__,,m.M", {}}});
  builder.map(0, {4}).delegate(0, "VulkanBackend", {{"0", {4}}});
  const auto record = read(builder.build());
  REQUIRE(record);
  REQUIRE(record->lowered.size() == 1);
  CHECK(record->text(record->lowered[0].backend) == "VulkanBackend");
  REQUIRE(record->lowered[0].graph.valid());
  const Node& linear = node_named(*record, "aten_linear");
  CHECK(linear.debug_handle == 4);
  CHECK(record->graphs[linear.graph.value].kind == GraphKind::Lowered);
  const DelegateEntry* entry = record->maps[0].find_delegate(0);
  REQUIRE(entry != nullptr);
  CHECK(record->text(entry->ids.at(0).id) == "0");
}

TEST_CASE("ETRecord: a lowered module that cannot be read is a row, not an error", "[etrecord]") {
  const auto nodes = nlohmann::json::array(
      {{{"name", "call"},
        {"target", "torch.ops.higher_order.executorch_call_delegate"},
        {"inputs", {{{"name", "l"}, {"arg", {{"as_string", "{\"backend_id\": oops"}}}}}},
        {"outputs", nlohmann::json::array()},
        {"metadata", nlohmann::json::object()}}});
  const auto record =
      read(ZipBuilder()
               .add("ETRECORD_V0", "")
               .add("edge_dialect_exported_program/forward", RecordBuilder::program(nodes).dump())
               .add("debug_handle_map", "{\"forward\": {}}")
               .build());
  REQUIRE(record);
  CHECK(record->report.find(Oddity::RecordLoweredUnreadable) != nullptr);
}

TEST_CASE("ETRecord: of a lowered module that breaks off nothing stays", "[etrecord]") {
  const auto call = [](const std::string& name, const std::string& lowered) {
    return nlohmann::json{{"name", name},
                          {"target", "torch.ops.higher_order.executorch_call_delegate"},
                          {"inputs", {{{"name", "l"}, {"arg", {{"as_string", lowered}}}}}},
                          {"outputs", nlohmann::json::array()},
                          {"metadata", nlohmann::json::object()}};
  };
  const auto lowered = [](const nlohmann::json& nodes) {
    nlohmann::ordered_json text;
    text["backend_id"] = "VulkanBackend";
    text["original_module"] = RecordBuilder::program(nodes);
    return text.dump();
  };
  // The outer one holds a whole one, and is cut off behind it.
  const std::string whole = lowered(nlohmann::json::array());
  std::string broken = lowered(nlohmann::json::array({call("inner", whole)}));
  broken.resize(broken.size() - 3);
  const auto nodes = nlohmann::json::array({call("outer", broken), call("next", whole)});
  const auto record =
      read(ZipBuilder()
               .add("ETRECORD_V0", "")
               .add("edge_dialect_exported_program/forward", RecordBuilder::program(nodes).dump())
               .add("debug_handle_map", "{\"forward\": {}}")
               .build());
  REQUIRE(record);
  CHECK(record->report.find(Oddity::RecordLoweredUnreadable)->count == 1);
  REQUIRE(record->lowered.size() == 2);  // those of outer and next
  for (const LoweredModule& row : record->lowered) {
    REQUIRE(row.call.value < record->nodes.size());
    CHECK(record->nodes[row.call.value].lowered.valid());
  }
  CHECK_FALSE(record->lowered[0].graph.valid());
  REQUIRE(record->lowered[1].graph.valid());
  CHECK(record->text(record->nodes[record->lowered[1].call.value].name) == "next");
  for (const Graph& graph : record->graphs)
    CHECK((!graph.parent_node.valid() || graph.parent_node.value < record->nodes.size()));
}

TEST_CASE("ETRecord: control-flow branches", "[etrecord]") {
  RecordBuilder builder;
  builder.cond("cond", 2,
               {{{"aten_sin", "aten.sin.default", 3, kTrace, "", {}}},
                {{"aten_cos", "aten.cos.default", 4, kTrace, "", {}}}});
  const auto record = read(builder.build());
  REQUIRE(record);
  const Node& sin = node_named(*record, "aten_sin");
  CHECK(record->graphs[sin.graph.value].kind == GraphKind::Branch);
  CHECK(record->text(record->nodes[record->graphs[sin.graph.value].parent_node.value].name) ==
        "cond");
}

TEST_CASE("ETRecord: a node's inputs stand around those of its branches", "[etrecord]") {
  const auto tensor = [](const char* name) {
    return nlohmann::json{{"arg", {{"as_tensor", {{"name", name}}}}}};
  };
  const auto node = [&](const char* name, nlohmann::json inputs) {
    return nlohmann::json{{"name", name},
                          {"target", "aten.sin.default"},
                          {"inputs", std::move(inputs)},
                          {"outputs", nlohmann::json::array()},
                          {"metadata", nlohmann::json::object()}};
  };
  const nlohmann::json inner = node("inner", nlohmann::json::array({tensor("x"), tensor("y")}));
  const nlohmann::json branch =
      RecordBuilder::program(nlohmann::json::array({inner}))["graph_module"]["graph"];
  const nlohmann::json as_graph{{"arg", {{"as_graph", {{"graph", branch}}}}}};
  const nlohmann::json nodes{
      node("outer", nlohmann::json::array({tensor("a"), as_graph, tensor("b")})),
      node("behind", nlohmann::json::array({tensor("c")}))};
  const auto record =
      read(ZipBuilder()
               .add("ETRECORD_V0", "")
               .add("edge_dialect_exported_program/forward", RecordBuilder::program(nodes).dump())
               .add("debug_handle_map", "{\"forward\": {\"0\": 1}}")
               .build());
  REQUIRE(record);
  const auto inputs_of = [&](std::string_view name) {
    std::vector<std::string> inputs;
    for (const StringId input : record->inputs_of(node_named(*record, name)))
      inputs.emplace_back(record->text(input));
    return inputs;
  };
  CHECK(inputs_of("outer") == std::vector<std::string>{"a", "b"});
  CHECK(inputs_of("inner") == std::vector<std::string>{"x", "y"});
  CHECK(inputs_of("behind") == std::vector<std::string>{"c"});
}

TEST_CASE("ETRecord: a node without a target is passed over with its branches", "[etrecord]") {
  const nlohmann::json inner{{"name", "inside"},
                             {"target", "aten.sin.default"},
                             {"inputs", nlohmann::json::array()},
                             {"outputs", nlohmann::json::array()},
                             {"metadata", nlohmann::json::object()}};
  nlohmann::json after = inner;
  after["name"] = "after";
  const nlohmann::json graph =
      RecordBuilder::program(nlohmann::json::array({inner}))["graph_module"]["graph"];
  const nlohmann::json odd{
      {"name", "odd"},
      {"inputs", nlohmann::json::array({{{"arg", {{"as_graph", {{"graph", graph}}}}}}})},
      {"outputs", nlohmann::json::array()},
      {"metadata", nlohmann::json::object()}};
  const auto record =
      read(ZipBuilder()
               .add("ETRECORD_V0", "")
               .add("edge_dialect_exported_program/forward",
                    RecordBuilder::program(nlohmann::json::array({odd, after})).dump())
               .add("debug_handle_map", "{\"forward\": {\"0\": 1}}")
               .build());
  REQUIRE(record);
  REQUIRE(record->nodes.size() == 1);
  CHECK(record->text(record->nodes[0].name) == "after");
  CHECK(record->graphs.size() == 1);
  CHECK(record->report.find(Oddity::RecordNodeOdd) != nullptr);
}

TEST_CASE("ETRecord: bare words that JSON does not have", "[etrecord]") {
  auto program = RecordBuilder::program(nlohmann::json::array()).dump();
  program.replace(
      program.find("\"nodes\":[]"), 10,
      R"("nodes":[{"name": "n", "target": "executorch.exir.dialects.edge.ops.aten.full.default",)"
      R"( "inputs": [{"name": "fill", "arg": {"as_float": -Infinity}}, )"
      R"({"name": "x", "arg": {"as_floats": [NaN, Infinity]}}], )"
      R"("outputs": [{"as_tensor": {"name": "n"}}], "metadata": {"debug_handle": "1"}}])");
  const auto record = read(ZipBuilder()
                               .add("ETRECORD_V0", "")
                               .add("edge_dialect_exported_program/forward", program)
                               .add("debug_handle_map", "{\"forward\": {\"0\": 1}}")
                               .build());
  REQUIRE(record);
  CHECK(node_named(*record, "n").debug_handle == 1);
}

TEST_CASE("ETRecord: names before release 1.0 are derived", "[etrecord]") {
  nlohmann::json nodes = nlohmann::json::array();
  for (int i = 0; i < 2; ++i) {
    nodes.push_back({{"target", "executorch.exir.dialects.edge.ops.aten.native_layer_norm.default"},
                     {"inputs", nlohmann::json::array()},
                     {"outputs",
                      {{{"as_tensor", {{"name", "getitem" + std::to_string(i)}}}},
                       {{"as_tensor", {{"name", "unused" + std::to_string(i)}}}}}},
                     {"metadata", nlohmann::json::object()}});
  }
  nodes.push_back({{"target", "executorch.exir.dialects.edge.ops.aten.relu.default"},
                   {"inputs", nlohmann::json::array()},
                   {"outputs", {{{"as_tensor", {{"name", "aten_relu_default"}}}}}},
                   {"metadata", nlohmann::json::object()}});
  const auto record =
      read(ZipBuilder()
               .add("ETRECORD_V0", "")
               .add("edge_dialect_exported_program", RecordBuilder::program(nodes).dump())
               .add("edge_dialect_exported_program_state_dict", "w")
               .add("debug_handle_map", "{\"forward\": {}}")
               .add("delegate_map", "{}")
               .build());
  REQUIRE(record);
  CHECK(record->text(record->nodes[0].name) == "aten_native_layer_norm_default");
  CHECK(record->text(record->nodes[1].name) == "aten_native_layer_norm_default_1");
  CHECK(record->text(record->nodes[2].name) == "aten_relu_default");
  CHECK(record->layout == RecordLayout::UpTo03);
}

TEST_CASE("ETRecord: methods whose names end like side files", "[etrecord]") {
  RecordBuilder builder;
  builder.method("forward").node({"a", "aten.add.Tensor", 1, kTrace, "", {}}).map(0, {1});
  builder.method("my_constants").node({"b", "aten.mul.Tensor", 1, kTrace, "", {}}).map(0, {1});
  const auto record = read(builder.build());
  REQUIRE(record);
  REQUIRE(record->methods.size() == 2);
  CHECK(record->text(record->methods[1].name) == "my_constants");
  CHECK(record->methods[1].edge.valid());
}

TEST_CASE("ETRecord: other graphs only for handles that nothing else has", "[etrecord]") {
  const auto extra = RecordBuilder::program(
      nlohmann::json::array({{{"name", "aten_relu"},
                              {"target", "torch.ops.aten.relu.default"},
                              {"inputs", nlohmann::json::array()},
                              {"outputs", {{{"as_tensor", {{"name", "aten_relu"}}}}}},
                              {"metadata", {{"debug_handle", "9"}}}}}));
  auto builder = small_record();
  SECTION("a handle is missing") {
    builder.map(2, {9});
    const auto record = read(builder.zip().add("aten_dialect/forward", extra.dump()).build());
    REQUIRE(record);
    CHECK(record->graphs.size() == 2);
    CHECK(record->graphs[1].kind == GraphKind::Extra);
  }
  SECTION("none is missing") {
    const auto record = read(builder.zip().add("aten_dialect/forward", extra.dump()).build());
    REQUIRE(record);
    CHECK(record->graphs.size() == 1);
  }
}

TEST_CASE("ETRecord: what cannot be used is one sentence", "[etrecord]") {
  const auto message = [](const Bytes& content) {
    const auto record = read(content);
    REQUIRE_FALSE(record);
    return record.error().message;
  };
  CHECK(message(Bytes::copy_of("text")).find("is not a ZIP file") == 0);
  CHECK(message(ZipBuilder().add("archive/data.pkl", "").build()).find("not an ETRecord") !=
        std::string::npos);
  CHECK(message(ZipBuilder().add("ETRECORD_V0", "").build()).find("holds no debug_handle_map") ==
        0);
  CHECK(message(ZipBuilder().add("ETRECORD_V0", "").add("debug_handle_map", "[1").build())
            .find("debug_handle_map: is not a map") == 0);
  CHECK(message(ZipBuilder()
                    .add("ETRECORD_V0", "")
                    .add("edge_dialect_exported_program/forward", "{\"graph_module\": ")
                    .add("debug_handle_map", "{}")
                    .build())
            .find("its member edge_dialect_exported_program/forward") == 0);
}

TEST_CASE("ETRecord: odd map entries are counted, the rest is kept", "[etrecord]") {
  const auto record =
      read(ZipBuilder()
               .add("ETRECORD_V0", "")
               .add("debug_handle_map",
                    R"({"forward": {"0": [1, -2, "x"], "one": 3, "2": null, "3": 4}})")
               .add("delegate_map", R"({"forward": {"3": {"name": "B", "delegate_map": null}}})")
               .build());
  REQUIRE(record);
  CHECK(record->report.find(Oddity::RecordMapOdd)->count == 3);
  const MethodMap& map = record->maps.at(0);
  CHECK(map.find(0)->count == 1);
  CHECK(map.find(2)->count == 0);
  CHECK(map.find_delegate(3)->ids.empty());
}

TEST_CASE("ETRecord: a record of stripped nodes says so", "[etrecord]") {
  RecordBuilder builder;
  builder.node({"a", "aten.add.Tensor", 1, "", "", {}}).map(0, {1});
  const auto record = read(builder.build());
  REQUIRE(record);
  CHECK(record->report.find(Oddity::RecordNoStackTraces) != nullptr);
}

TEST_CASE("ETRecord: non-strict export is recognised", "[etrecord]") {
  const auto of = [](bool strict, const std::string& function) {
    RecordBuilder builder;
    const std::string trace = test::stack_trace({{"/m/a.py", 7, function, "y = x"}}, strict);
    builder.node({"a", "aten.add.Tensor", 1, trace, "", {}}).map(0, {1});
    return read(builder.build())->report.find(Oddity::RecordNonStrict) != nullptr;
  };
  CHECK(of(false, "forward"));
  CHECK_FALSE(of(true, "forward"));
  CHECK_FALSE(of(false, "helper"));
}

TEST_CASE("ETRecord: frames of torch's own passes do not make a record strict", "[etrecord]") {
  const auto of = [](const std::string& file, bool is_indented, const std::string& function) {
    RecordBuilder builder;
    builder.node(
        {"s",
         "torch.ops.aten.sym_size.int",
         1,
         test::stack_trace({{file, 24, "insert_deferred_runtime_asserts", ""}}, is_indented),
         "",
         {}});
    builder.node({"a",
                  "aten.add.Tensor",
                  2,
                  test::stack_trace({{"/m/a.py", 7, function, "y = x"}}),
                  "",
                  {}});
    builder.map(0, {1}).map(1, {2});
    return read(builder.build())->report.find(Oddity::RecordNonStrict) != nullptr;
  };
  const std::string installed = "/v/lib/python3.11/site-packages/torch/fx/passes/runtime_assert.py";
  CHECK(of("torch/fx/passes/runtime_assert.py", false, "forward"));
  CHECK(of("torch/fx/passes/runtime_assert.py", true, "forward"));
  CHECK(of(installed, false, "forward"));
  CHECK(of("<eval_with_key>.7", false, "forward"));
  CHECK_FALSE(of(installed, false, "helper"));
  CHECK_FALSE(of("/m/torch_passes/runtime_assert.py", false, "forward"));  // the user's
}

TEST_CASE("ETRecord: which buffers a method changes", "[etrecord]") {
  RecordBuilder builder;
  builder.node({"a", "aten.add.Tensor", 1, "", "", {}})
      .mutation("layers.0.k_cache", "a")
      .mutation("layers.0.v_cache", "b")
      .map(0, {1});
  const auto record = read(builder.build());
  REQUIRE(record);
  const std::vector<GraphMutation>& mutations = record->graphs.front().mutations;
  REQUIRE(mutations.size() == 2);
  CHECK(record->text(mutations[0].target) == "layers.0.k_cache");
  CHECK(record->text(mutations[1].value) == "b");
}

TEST_CASE("ETRecord: cut off at any byte is an error", "[etrecord]") {
  const Bytes whole = small_record().build();
  for (size_t size = 0; size < whole.size(); size += 3) {
    const auto record = read(Bytes::copy_of(whole.text().substr(0, size)));
    REQUIRE_FALSE(record);
  }
}

}  // namespace etlens::etrecord_reader_test
