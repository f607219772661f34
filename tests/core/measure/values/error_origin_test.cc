// SPDX-License-Identifier: Apache-2.0
#include "core/measure/values/error_origin.h"

#include "core/measure/values/error_measure.h"
#include "core/measure/values/value_reference.h"
#include "tests/support/joins.h"

namespace etlens::error_origin_test {

using namespace etlens::test;

namespace {

// A method of operators in a row, each on a line of its own, that logged what they made.
struct Chain {
  DumpBuilder dump;
  RecordBuilder record;
  uint32_t count = 0;

  Chain() { dump.block("Execute"); }

  Chain& op(const std::string& name, std::vector<std::string> inputs, bool is_logged = true) {
    const auto instruction = static_cast<int32_t>(count++);
    record.node({name, "aten.mul.Tensor", count, trace_at(count), "", std::move(inputs)});
    record.map(instruction, {count});
    if (is_logged) dump.tensor({instruction, {4}, 6, 16 * instruction});
    dump.operator_call("mul.out", instruction, 10 * count, 10 * count + 5);
    return *this;
  }
  Join join() {
    dump.framework("Method::execute", 0, 1000);
    return join_of(dump, record);
  }
};

Gap noisy(double noise) {
  Gap gap;
  gap.noise = noise;
  return gap;
}

struct Found {
  Join join;
  ValueGraph graph;
  std::vector<LoggedValue> values;
  std::vector<ErrorOrigin> origins;

  Found(Join joined, const std::vector<double>& noise)
      : join(std::move(joined)),
        graph(join.code()),
        values(logged_values({join, graph, nullptr, {}})) {
    REQUIRE(values.size() == noise.size());
    std::vector<std::optional<Gap>> gaps;
    for (const double n : noise) gaps.push_back(n < 0 ? std::nullopt : std::optional(noisy(n)));
    origins = find_error_origins(join, graph, values, gaps);
  }
  uint32_t line(size_t row) const { return join.code().lines[origins[row].line.value].number; }
};

}  // namespace

TEST_CASE("logged values: each with its event, node and line", "[values]") {
  Chain chain;
  chain.op("a", {"x"}).op("b", {"a"});
  const Join join = chain.join();
  const ValueGraph graph(join.code());
  const auto values = logged_values({join, graph, nullptr, {}});
  REQUIRE(values.size() == 2);
  CHECK(join.logged_name(values[1].event) == "native_call_mul.out");
  CHECK(values[1].instruction == 1);
  CHECK(values[1].output == 0);
  CHECK(name_of(join, values[1].made_by.node) == "b");
  CHECK(values[1].line == find_line(join, 2));
  CHECK(!values[1].tensor);
  CHECK(handles_of(join, values[1]) == std::vector<DebugHandle>{2});
}

TEST_CASE("error origin: a fault is first, what it leads to is inherited", "[values]") {
  Chain chain;
  chain.op("a", {"x"}).op("b", {"a"}).op("c", {"b"}).op("d", {"c"});
  const Found found(chain.join(), {1e-14, 0.01, 0.02, 0.004});
  REQUIRE(!found.origins.empty());
  CHECK(found.line(0) == 2);
  CHECK(found.origins[0].made > 0.999);
  REQUIRE(found.origins[0].snr_before);
  CHECK(*found.origins[0].snr_before == Approx(140));
  CHECK(found.origins[0].snr_after == Approx(19.956).epsilon(1e-3));
}

TEST_CASE("error origin: shares add up to one over branches", "[values]") {
  Chain chain;
  chain.op("a", {"x"}).op("b", {"a"}).op("c", {"a"}).op("d", {"b", "c"});
  const Found found(chain.join(), {0, 0.01, 0.03, 0.02});
  REQUIRE(found.origins.size() == 2);
  CHECK(found.line(0) == 3);
  CHECK(found.origins[0].made == Approx(0.75));
  CHECK(found.origins[1].made == Approx(0.25));
  CHECK(!found.origins[0].snr_before);

  const Measure measure = measure_error(found.join.landings->code, found.origins);
  CHECK(measure.total.total.value == kErrorUnit);
  CHECK(measure.lines[find_line(found.join, 3).value].self.amount.value == kErrorUnit * 3 / 4);
}

TEST_CASE("error origin: through operators that logged nothing", "[values]") {
  Chain chain;
  chain.op("a", {"x"}).op("b", {"a"}, false).op("c", {"b"});
  const Found found(chain.join(), {1e-12, 0.01});
  REQUIRE(!found.origins.empty());
  CHECK(found.origins[0].nodes.size() == 2);  // b or c
  CHECK(found.origins[0].lines.size() == 2);
}

TEST_CASE("error origin: nothing is wrong, or nothing is known", "[values]") {
  Chain chain;
  chain.op("a", {"x"}).op("b", {"a"});
  const Join join = chain.join();
  CHECK(Found(join, {0, 0}).origins.empty());
  CHECK(Found(join, {-1, -1}).origins.empty());
}

TEST_CASE("value reference: arrays by debug handle", "[values]") {
  const auto array = [](std::string name, double value) {
    return NpzArray{std::move(name), number_tensor(value)};
  };
  const std::vector<NpzArray> arrays{array("h1", 1),    array("h2_7", 2), array("h7__1", 3),
                                     array("h7__0", 4), array("x", 5),    array("h", 6),
                                     array("h1_x", 7),  array("h3__y", 8)};
  const auto rows = arrays_by_handle(arrays);
  REQUIRE(rows.size() == 4);
  CHECK(rows[1].handles == std::vector<DebugHandle>{2, 7});
  CHECK(rows[2].element == 1);

  Chain chain;
  chain.op("a", {"x"}).op("b", {"a"});
  const Join join = chain.join();
  const ValueGraph graph(join.code());
  const auto values = logged_values({join, graph, nullptr, {}});
  const std::vector<NpzArray> own{array("h2", 20), array("h1__0", 10), array("h1__1", 11)};
  const Counterparts found = match_arrays(values, join, graph, arrays_by_handle(own));
  REQUIRE(found.count() == 2);
  CHECK(first_values(*found.of_value[0], 1)->front() == 10);
  CHECK(first_values(*found.of_value[1], 1)->front() == 20);
}

TEST_CASE("value reference: of decomposed operators the last has the operator's value",
          "[values]") {
  Chain chain;
  chain.record.node({"var", "aten.var.correction", 1, trace_at(1), "", {"x"}});
  chain.record.node({"sqrt", "aten.sqrt.default", 1, trace_at(1), "", {"var"}});
  chain.record.map(0, {1}).map(1, {1});
  chain.dump.tensor({0, {4}}).operator_call("var.out", 0, 1, 2);
  chain.dump.tensor({1, {4}}).operator_call("sqrt.out", 1, 3, 4);
  const Join join = chain.join();
  const ValueGraph graph(join.code());
  const auto values = logged_values({join, graph, nullptr, {}});
  const std::vector<NpzArray> arrays{{"h1", number_tensor(1.0)}};
  const Counterparts found = match_arrays(values, join, graph, arrays_by_handle(arrays));
  REQUIRE(found.of_value.size() == 2);
  CHECK(!found.of_value[0]);
  CHECK(found.of_value[1]);
}

TEST_CASE("value reference: values of another export by module, line and operator", "[values]") {
  Chain before;
  before.op("a", {"x"}).op("b", {"a"});
  Chain after;  // with an operator in front, and other names
  after.record.node({"cast", "aten.clone.default", 9, trace_at(90), "", {"x"}});
  after.record.map(0, {9});
  after.dump.operator_call("clone.out", 0, 1, 2);
  after.record.node({"a_1", "aten.mul.Tensor", 10, trace_at(1), "", {"cast"}}).map(1, {10});
  after.dump.tensor({1, {4}}).operator_call("mul.out", 1, 3, 4);
  after.record.node({"b_1", "aten.mul.Tensor", 11, trace_at(2), "", {"a_1"}}).map(2, {11});
  after.dump.tensor({2, {4}}).operator_call("mul.out", 2, 5, 6);
  const Join one = before.join();
  const Join other = after.join();
  const ValueGraph graph(one.code());
  const ValueGraph other_graph(other.code());
  const auto values = logged_values({one, graph, nullptr, {}});
  auto others = logged_values({other, other_graph, nullptr, {}});
  REQUIRE(others.size() == 2);
  others[0].tensor = number_tensor(1.0);
  others[1].tensor = number_tensor(2.0);
  const Counterparts found = match_values({values, one, graph}, {others, other, other_graph});
  REQUIRE(found.count() == 2);
  CHECK(first_values(*found.of_value[1], 1)->front() == 2);
}

TEST_CASE("value reference: the test case is the nearest one", "[values]") {
  std::vector<LoggedValue> values(2);
  for (uint32_t e = 0; e < 2; ++e) {
    values[e].execution = e;
    values[e].role = ValueRole::Program;
  }
  values[0].tensor = number_tensor(10.0);
  values[1].tensor = number_tensor(-3.0);
  const std::vector<ExpectedOutputs> cases{
      {number_tensor(-3.1)}, {number_tensor(10.1)}, {std::nullopt}, {}};
  const Counterparts found = match_outputs(values, cases);
  CHECK(found.test_cases == std::vector<std::optional<uint32_t>>{1, 0});

  // Bytes alone, of the types and shapes that the values have.
  for (LoggedValue& value : values) {
    value.scalar_type = 7;
    value.sizes = {};
  }
  std::vector<Bytes> tensors;
  for (const double expected : {1.0, -3.1, 10.1})
    tensors.push_back(*number_tensor(expected).read(0, sizeof expected));
  tensors.push_back(Bytes(3));
  const Counterparts by_bytes = match_outputs(values, tensors);
  CHECK(by_bytes.test_cases == std::vector<std::optional<uint32_t>>{2, 1});
}

}  // namespace etlens::error_origin_test
