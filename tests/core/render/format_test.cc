// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them, and as Python prints them.
#include <limits>

#include "core/render/format.h"
#include "tests/support/studies.h"

namespace etlens::format_test {

using namespace etlens::test;

TEST_CASE("format: Python's floats", "[format]") {
  CHECK(python_float(1) == "1.0");
  CHECK(python_float(0.1) == "0.1");
  CHECK(python_float(1e-5) == "1e-05");
  CHECK(python_float(0.0001) == "0.0001");
  CHECK(python_float(1e16) == "1e+16");
  CHECK(python_float(123456.789) == "123456.789");
  CHECK(python_float(-0.0) == "-0.0");
  CHECK(python_float(std::numeric_limits<double>::quiet_NaN()) == "nan");
  CHECK(python_float(-std::numeric_limits<double>::infinity()) == "-inf");
}

TEST_CASE("format: times", "[format]") {
  const auto ns = [](double ticks) { return format_time(ticks, TimeScale::Nanoseconds); };
  CHECK(ns(0) == "0 ns");
  CHECK(ns(1) == "1.00 ns");
  CHECK(ns(999.4) == "999 ns");
  CHECK(ns(999.6) == "1.00 µs");
  CHECK(ns(12'345) == "12.3 µs");
  CHECK(ns(904'000) == "904 µs");
  CHECK(ns(3.1e6) == "3.10 ms");
  CHECK(ns(12.4e6) == "12.4 ms");
  CHECK(ns(5e9) == "5.00 s");
  CHECK(ns(-400'000) == "-400 µs");
  CHECK(format_time(2, TimeScale::Microseconds) == "2.00 µs");
  CHECK(format_time(6.5e6, TimeScale::Cycles) == "6.50 Mcyc");
  CHECK(format_time(3.1e6, {TimeScale::Nanoseconds, TimeScale::Seconds}) == "0.00310 s");
  CHECK(format_time(3.1e6, {TimeScale::Cycles, TimeScale::Seconds}) == "3.10 Mcyc");
}

TEST_CASE("format: what is more than nothing is never 0", "[format]") {
  CHECK(format_time(0.02, TimeScale::Nanoseconds) == "<1 ns");
  CHECK(format_time(0.9999, TimeScale::Nanoseconds) == "1.00 ns");
  CHECK(format_time(0.02, {TimeScale::Nanoseconds, TimeScale::Milliseconds}) == "<0.000001 ms");
  CHECK(format_time(0.00002, TimeScale::Microseconds) == "<1 ns");
  CHECK(format_time(0.5, TimeScale::Cycles) == "<1 cyc");
  CHECK(format_time(-0.5, TimeScale::Nanoseconds) == "-0.50 ns");
}

// One operator that took no tick, and one in a delegate call whose clock knows whole microseconds.
TEST_CASE("format: what ran for less than its clock can tell", "[format]") {
  RecordBuilder record;
  record.node({"a", "aten.mm.default", 1, stack_trace({{"/m.py", 1, "forward", "a"}}, true)});
  record.lowered(
      "call", "XnnpackBackend",
      {{"b", "aten.relu.default", 2, stack_trace({{"/m.py", 2, "forward", "b"}}, true)}});
  record.map(0, {1}).map(1, {2}).delegate(1, "XnnpackBackend", {{"5", {2}}});
  DumpBuilder dump;
  dump.block("Execute").operator_call("mm.out", 0, 10, 10).delegate(5, 1, 20, 20);
  dump.event("DELEGATE_CALL", 1, 20, 20).framework("Method::execute", 0, 1000);
  const Facts facts(study_of(dump, record));
  REQUIRE(facts.line_count() == 2);
  const LineFacts on_cpu = facts.line(LineId(0));
  const LineFacts delegated = facts.line(LineId(1));
  CHECK(on_cpu.self.amount == Amount());
  CHECK(format_cost(facts, on_cpu.self, std::nullopt) == "<1 ns");
  CHECK(format_cost(facts, delegated.self, std::nullopt) == "<1 µs");
  CHECK(format_cost(facts, delegated.self, TimeScale::Milliseconds) == "<0.001 ms");
  CHECK(format_cost(facts, facts.event(delegated.own.front()).self, std::nullopt) == "<1 µs");
  CHECK(format_cost(facts, facts.cost_of({}), std::nullopt) == "0 ns");
}

TEST_CASE("format: shares, heat", "[format]") {
  CHECK(format_share(0) == "0%");
  CHECK(format_share(0.0004) == "<0.1%");
  CHECK(format_share(0.0441) == "4.4%");
  CHECK(format_share(0.61) == "61%");
  CHECK(format_share(0.998) == "99.8%");
  CHECK(format_share(0.99999) == "99.9%");
  CHECK(format_share(1) == "100%");
  CHECK(format_share(-0.12) == "-12%");
  CHECK(format_share(-0.0001) == "0%");
  CHECK(heat_level(0) == 0);
  CHECK(heat_level(0.006) == 1);
  CHECK(heat_level(0.5) == 4);
}

}  // namespace etlens::format_test
