// SPDX-License-Identifier: Apache-2.0
// Records as releases 0.1 to 0.3 wrote them: with every member of a union, those that are not set
// as null.
#include "core/formats/etrecord/etrecord_reader.h"

#include "core/base/file_system.h"
#include "test_paths.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"

namespace etlens::old_releases_test {

using nlohmann::json;
using test::MemoryFileSystem;
using test::RecordBuilder;
using test::ZipBuilder;

namespace {

constexpr const char* kArgumentKeys[] = {"as_none",      "as_tensor",      "as_tensors",
                                         "as_int",       "as_ints",        "as_float",
                                         "as_floats",    "as_string",      "as_strings",
                                         "as_sym_int",   "as_sym_ints",    "as_device",
                                         "as_bool",      "as_bools",       "as_sym_bool",
                                         "as_sym_bools", "as_graph",       "as_memory_format",
                                         "as_layout",    "as_scalar_type", "as_optional_tensors",
                                         "as_custom_obj"};

bool is_union(const json& value) {
  return value.is_object() && value.size() == 1 && value.begin().key().starts_with("as_");
}

// Every union gets all of its members.
json with_nulls(const json& value) {
  if (value.is_array()) {
    json list = json::array();
    for (const json& item : value) list.push_back(with_nulls(item));
    return list;
  }
  if (!value.is_object()) return value;
  json all = json::object();
  if (is_union(value)) {
    for (const char* key : kArgumentKeys) all[key] = nullptr;
  }
  for (const auto& [key, item] : value.items()) all[key] = with_nulls(item);
  return all;
}

enum class Release { V01, V02 };

json as_written_by(Release release, json program) {
  program = with_nulls(program);
  json& graph = program["graph_module"]["graph"];
  for (json& node : graph["nodes"]) {
    node.erase("name");
    if (release == Release::V02) node["metadata"]["nothing"] = nullptr;
  }
  for (json& meta : graph["tensor_values"]) {
    meta["device"] = {{"type", "cpu"}, {"index", nullptr}};
    for (json& size : meta["sizes"]) size = {{"as_expr", nullptr}, {"as_int", size["as_int"]}};
    if (release == Release::V01) meta = {{"meta", meta}};
  }
  for (json& spec : program["graph_module"]["signature"]["input_specs"]) {
    for (const char* kind : {"user_input", "parameter", "buffer"}) {
      if (!spec.contains(kind)) spec[kind] = nullptr;
    }
  }
  program["graph_module"]["module_call_graph"] = json::array(
      {{{"fqn", ""}, {"signature", nullptr}}, {{"fqn", "lin"}, {"signature", nullptr}}});
  if (release == Release::V01) program["schema_version"] = 1;
  else program["schema_version"] = {{"major", -1}, {"minor", nullptr}};
  program["example_inputs"] = nullptr;
  return program;
}

json linear_program(json extra_inputs = json::array()) {
  const json tensor = {{"as_tensor", {{"name", "x"}}}};
  json inputs =
      json::array({{{"name", "self"}, {"arg", tensor}},
                   {{"name", "dim"}, {"arg", {{"as_ints", {-1}}}}},
                   {{"name", "keep"}, {"arg", {{"as_bool", false}}}},
                   {{"name", "none"}, {"arg", {{"as_none", json::array()}}}},
                   {{"name", "size"}, {"arg", {{"as_sym_int", {{"as_name", "s0"}}}}}},
                   {{"name", "list"},
                    {"arg", {{"as_optional_tensors", {tensor, {{"as_none", json::array()}}}}}}}});
  for (json& input : extra_inputs) inputs.push_back(input);
  json node = {{"name", "aten_mean"},
               {"target", "executorch.exir.dialects.edge.ops.aten.mean.dim"},
               {"inputs", inputs},
               {"outputs", {{{"as_tensor", {{"name", "aten_mean"}}}}}},
               {"metadata", {{"debug_handle", "1"}}}};
  json program = RecordBuilder::program(
      json::array({node}),
      json::array({{{"parameter", {{"arg", {{"name", "p"}}}, {"parameter_name", "lin.weight"}}}},
                   {{"user_input", {{"arg", tensor}}}}}));
  program["graph_module"]["graph"]["outputs"] = {{{"as_tensor", {{"name", "aten_mean"}}}}};
  return program;
}

ZipBuilder zip_of(const json& program) {
  return ZipBuilder()
      .add("ETRECORD_V0", "")
      .add("edge_dialect_exported_program", program.dump())
      .add("edge_dialect_exported_program_state_dict", "weights");
}

Result<EtRecord> read(const ZipBuilder& zip) {
  MemoryFileSystem files;
  files.put("/m.etrecord", zip.build());
  return read_etrecord(files, "/m.etrecord");
}

}  // namespace

TEST_CASE("ETRecord: unset members of unions are null up to release 0.3", "[etrecord]") {
  for (const Release release : {Release::V01, Release::V02}) {
    ZipBuilder zip = zip_of(as_written_by(release, linear_program()));
    zip.add("debug_handle_map", R"({"forward": {"0": 1, "1": null}, "other": null})");
    zip.add("delegate_map",
            R"({"forward": {"3": {"name": null, "delegate_map": null}, "4": null}})");
    const auto record = read(zip);
    REQUIRE(record);
    CHECK(record->layout == RecordLayout::UpTo03);
    REQUIRE(record->nodes.size() == 1);
    const Node& node = record->nodes.front();
    CHECK(record->text(node.name) == "aten_mean");  // of the output
    CHECK(node.debug_handle == 1);
    CHECK(record->text(node.shape) == "[2, 3] float32");
    std::vector<std::string_view> inputs;
    for (const StringId name : record->inputs_of(node)) inputs.push_back(record->text(name));
    CHECK(inputs == std::vector<std::string_view>{"x", "s0", "x"});
    REQUIRE(record->constants_of(node).size() == 1);
    CHECK(record->values_of(record->constants_of(node)[0])[0] == -1);
    const Graph& graph = record->graphs.front();
    REQUIRE(graph.inputs.size() == 2);
    CHECK(graph.inputs[0].kind == GraphInputKind::Parameter);
    CHECK(record->text(graph.inputs[0].name) == "p");
    CHECK(record->text(graph.inputs[0].target) == "lin.weight");
    CHECK(graph.inputs[1].kind == GraphInputKind::User);
    CHECK(record->text(graph.inputs[1].name) == "x");
    CHECK(graph.module_paths.size() == 2);
    REQUIRE(graph.outputs.size() == 1);
    CHECK(record->text(graph.outputs[0]) == "aten_mean");
    REQUIRE(record->map_of(record->strings.find("forward")) != nullptr);
    CHECK(record->report.find(Oddity::RecordMapEmpty) == nullptr);
  }
}

TEST_CASE("ETRecord: unset members inside a lowered module and a branch", "[etrecord]") {
  const json inner = {{"backend_id", "XnnpackBackend"},
                      {"compile_specs", nullptr},
                      {"original_constants", nullptr},
                      {"original_module", as_written_by(Release::V01, linear_program())}};
  const json branch = as_written_by(Release::V02, linear_program())["graph_module"]["graph"];
  const json program = linear_program(json::array(
      {{{"name", "lowered_module_0"}, {"arg", {{"as_string", inner.dump()}}}},
       {{"name", "branch"}, {"arg", {{"as_graph", {{"name", "then"}, {"graph", branch}}}}}}}));
  ZipBuilder zip = zip_of(as_written_by(Release::V01, program));
  const auto record = read(zip.add("debug_handle_map", R"({"forward": {"0": 1}})"));
  REQUIRE(record);
  CHECK(record->nodes.size() == 3);
  REQUIRE(record->lowered.size() == 1);
  CHECK(record->text(record->lowered[0].backend) == "XnnpackBackend");
  CHECK(record->lowered[0].graph.valid());
  CHECK(record->report.find(Oddity::RecordLoweredUnreadable) == nullptr);
}

TEST_CASE("ETRecord: the sample of release 0.1, whose maps are empty", "[etrecord]") {
  const auto record =
      read_etrecord(real_file_system(), ETLENS_TEST_DATA "/field/sample-0.1.etrecord.bin");
  REQUIRE(record);
  REQUIRE(record->methods.size() == 1);
  CHECK(record->text(record->methods[0].name) == "forward");
  REQUIRE_FALSE(record->nodes.empty());
  CHECK(record->text(record->nodes[0].target) == "aten.mul.Tensor");
  CHECK(record->text(record->nodes[0].name) == "aten_mul_tensor");
  CHECK(record->text(record->nodes[0].shape) == "[3, 2] float32");
  CHECK(record->nodes[0].debug_handle == 2);
  CHECK(record->graphs[0].inputs.size() >= 2);
  CHECK(record->report.find(Oddity::RecordMapEmpty) != nullptr);
}

}  // namespace etlens::old_releases_test
