// SPDX-License-Identifier: Apache-2.0
// Values that a delegate logged itself, under ids of its own.
#include "core/measure/values/logged_values.h"

#include "tests/support/joins.h"

namespace etlens::delegate_values_test {

using namespace etlens::test;

namespace {

RecordNode node(std::string name, std::string target, uint32_t handle, uint32_t line) {
  return {std::move(name), "aten." + target, handle, trace_at(line), "", {"x"}};
}

RecordBuilder record_of(const char* backend,
                        const std::map<std::string, std::vector<uint32_t>>& ids) {
  RecordBuilder record;
  record.map(0, {1, 2, 3}).delegate(0, backend, ids);
  record.lowered("call", backend,
                 {node("aten_linear_default", "linear.default", 1, 3),
                  node("aten_relu_default", "relu.default", 2, 4),
                  node("aten_mul_tensor", "mul.Tensor", 3, 5)});
  return record;
}

struct Row {
  std::string id;
  std::string node;
  uint32_t line = 0;
  std::vector<uint32_t> handles;
  Confidence confidence = Confidence::Exact;
};

std::vector<Row> values_of(const DumpBuilder& dump, const RecordBuilder& record) {
  const Join join = join_of(dump, record);
  const ValueGraph graph(join.code());
  std::vector<Row> rows;
  for (const LoggedValue& value : logged_values({join, graph, nullptr, {}})) {
    Row& row = rows.emplace_back();
    row.id = value.delegate_id;
    if (value.made_by.node.valid()) row.node = name_of(join, value.made_by.node);
    if (value.line.valid()) row.line = join.code().lines[value.line.value].number;
    for (const DebugHandle handle : handles_of(join, value)) row.handles.push_back(handle.value);
    row.confidence = value.confidence;
  }
  return rows;
}

DumpBuilder dump_of(const std::vector<std::string>& ids) {
  DumpBuilder dump;
  dump.block("Execute");
  for (const std::string& id : ids)
    dump.tensor({.instruction = 0, .sizes = {2, 3}, .delegate_id = id});
  dump.event("DELEGATE_CALL", 0, 10, 20).framework("Method::execute", 0, 30);
  return dump;
}

}  // namespace

TEST_CASE("values: a delegate's own ids find their nodes through its map", "[values]") {
  const auto rows = values_of(
      dump_of({"aten_mul_tensor__debugID_7_0", "output_12", "nobody_knows", "output_12"}),
      record_of(
          "QnnBackend",
          {{"aten_mul_tensor__debugID_7_0", {2, 3}}, {"output_12", {1, 2}}, {"output_1", {3}}}));
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].node == "aten_mul_tensor");
  CHECK(rows[0].line == 5);
  CHECK(rows[0].handles == std::vector<uint32_t>{2, 3});
  CHECK(rows[0].confidence == Confidence::Exact);
  CHECK(rows[1].node == "aten_relu_default");  // the last of its handles' nodes made the value
  CHECK(rows[1].line == 4);
  CHECK(rows[2].node.empty());
  CHECK(rows[2].id == "nobody_knows");  // it is shown as it is
  CHECK(rows[3].line == 4);
}

TEST_CASE("values: ids that name a node need no map", "[values]") {
  const auto rows = values_of(dump_of({"aten_linear_default:OpId_14 (cycles)", "other:OpId_3"}),
                              record_of("QnnBackend", {}));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].line == 3);
  CHECK(rows[0].confidence == Confidence::Aligned);
  CHECK(rows[1].line == 0);
}

TEST_CASE("values: an id of a backend that nothing is known of is found in its map", "[values]") {
  const auto rows = values_of(dump_of({"17"}), record_of("MyBackend", {{"17", {2}}, {"7", {1}}}));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].line == 4);
}

}  // namespace etlens::delegate_values_test
