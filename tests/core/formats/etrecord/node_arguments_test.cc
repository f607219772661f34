// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/node_arguments.h"

#include <cmath>

#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"

namespace etlens::node_arguments_test {

using test::MemoryFileSystem;
using test::ZipBuilder;

namespace {

Result<NodeArguments> read_graph(const std::string& json) {
  static MemoryFileSystem files;
  ZipBuilder zip;
  zip.add("edge_dialect_exported_program/forward", json);
  files.put("/model.etrecord", zip.build());
  return read_node_arguments(files, "/model.etrecord", "forward");
}

// A graph of one node, "add", with these arguments.
std::string graph_of(const std::string& inputs) {
  return R"({"graph_module": {"graph": {"nodes": [{"name": "add", "inputs": [)" + inputs +
         R"(], "outputs": [{"as_tensor": {"name": "add"}}]}], "tensor_values": {}}}})";
}

std::vector<NodeArgument> arguments_of(const std::string& inputs) {
  const Result<NodeArguments> read = read_graph(graph_of(inputs));
  INFO(inputs);
  REQUIRE(read);
  const std::vector<NodeArgument>* found = read->find("add");
  REQUIRE(found != nullptr);
  return *found;
}

std::string argument(const std::string& kind, const std::string& value) {
  return R"({"name": "other", "arg": {")" + kind + "\": " + value + "}}";
}

}  // namespace

// Python writes these words, which are no JSON: masks of attention are full of them.
TEST_CASE("node arguments: numbers that JSON has no words for", "[etrecord]") {
  const std::string behind = ", " + argument("as_int", "3");
  for (const std::string word : {"Infinity", "-Infinity", "NaN", "1e400", "-0.5"}) {
    const std::vector<NodeArgument> found = arguments_of(argument("as_float", word) + behind);
    INFO(word);
    REQUIRE(found.size() == 2);
    CHECK(found[0].kind == ArgumentKind::Float);
    CHECK(found[1].integers == std::vector<int64_t>{3});
  }
  CHECK(std::isinf(arguments_of(argument("as_float", "-Infinity"))[0].numbers.at(0)));
  CHECK(std::isnan(arguments_of(argument("as_float", "NaN"))[0].numbers.at(0)));
  const std::vector<NodeArgument> list =
      arguments_of(argument("as_floats", "[1.0, Infinity, -Infinity, NaN, 2]"));
  CHECK(list[0].numbers.size() == 5);
  // Kinds whose values nobody asks for.
  for (const std::string kind : {"as_complex", "as_device", "as_layout", "as_operator"})
    CHECK(arguments_of(argument(kind, "Infinity") + behind).size() == 2);
}

TEST_CASE("node arguments: what is no graph is one sentence", "[etrecord]") {
  const std::string graph = graph_of(argument("as_ints", "[1, 2]"));
  CHECK(read_graph(graph));
  for (size_t size = 0; size < graph.size(); ++size) {
    const Result<NodeArguments> read = read_graph(graph.substr(0, size));
    if (read) continue;
    CHECK(read.error().message == "is not the JSON of an exported program");
  }
  for (const char* wrong :
       {"null", "[]", "7", "\"graph\"", "{}", R"({"graph_module": 3})",
        R"({"graph_module": {"graph": {"nodes": 3}}})",
        R"({"graph_module": {"graph": {"nodes": [3]}}})",
        R"({"graph_module": {"graph": {"nodes": [{"inputs": {}}]}}})",
        R"({"graph_module": {"graph": {"nodes": [{"name": [], "inputs": []}]}}})",
        R"({"graph_module": {"graph": {"nodes": [{"inputs": [{"arg": [1]}]}]}}})",
        R"({"graph_module": {"graph": {"nodes": [{"outputs": [{"as_tensor": [[[]]]}]}, 4]}}})",
        R"({"graph_module": {"graph": {"tensor_values": [1]}}})",
        R"({"graph_module": {"graph": {"tensor_values": {"a": {"strides": 7}}}}})"}) {
    INFO(wrong);
    CHECK_FALSE(read_graph(wrong));
  }
}

TEST_CASE("node arguments: values of other types than their kinds are left out", "[etrecord]") {
  for (const auto& [kind, value] : std::vector<std::pair<std::string, std::string>>{
           {"as_int", "\"seven\""},
           {"as_int", "123456789012345678901234567890"},
           {"as_ints", "[1, \"2\", null, 3.5, 4]"},
           {"as_float", "\"nan\""},
           {"as_string", "7"},
           {"as_tensor", "7"},
           {"as_tensors", "[7, null, {\"name\": \"x\"}]"},
           {"as_none", "[]"},
           {"as_none", "true"}}) {
    const std::vector<NodeArgument> found =
        arguments_of(argument(kind, value) + ", " + argument("as_bool", "true"));
    INFO(kind << " " << value);
    REQUIRE(found.size() == 2);
    CHECK(found[1].numbers == std::vector<double>{1});
  }
}

// Deeper than any graph: no stack that overflows.
TEST_CASE("node arguments: nesting without an end", "[etrecord]") {
  for (const size_t depth : {64u, 1000u, 100'000u, 2'000'000u}) {
    const std::string open(depth, '[');
    const std::string close(depth, ']');
    CHECK(read_graph(graph_of(argument("as_tensors", open + close))));
    CHECK_FALSE(read_graph(graph_of(argument("as_tensors", open))));
    std::string names;
    for (size_t i = 0; i < depth; ++i) names += R"({"as_tensor": )";
    CHECK_FALSE(read_graph(graph_of(argument("as_tensor", names))));
  }
}

}  // namespace etlens::node_arguments_test
