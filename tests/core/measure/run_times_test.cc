// SPDX-License-Identifier: Apache-2.0
// Durations that a backend cut to whole steps are centred: half a step goes from the call's
// unmeasured rest to each of its events, as far as it reaches. Nothing is won or lost.
#include "core/measure/run_times.h"

#include "tests/support/times.h"

namespace etlens::run_times_test {

using namespace etlens::test;

namespace {

constexpr uint64_t kMicrosecond = 1000;

// A call of XNNPACK with two events of whole microseconds, on lines 3 and 4, and a rest beside
// them.
Join join_of_call(uint64_t first, uint64_t second, uint64_t rest) {
  RecordBuilder record;
  record.lowered("call", "XnnpackBackend",
                 {{"a", "aten.sigmoid.default", 1, trace_at(3), "", {"x"}},
                  {"b", "aten.tanh.default", 2, trace_at(4), "", {"a"}}});
  record.map(0, {1, 2}).delegate(0, "XnnpackBackend");
  const uint64_t end = first + second;
  DumpBuilder dump;
  dump.block("Execute")
      .delegate("Sigmoid (NC) #1", 0, 0, first)
      .delegate("Tanh (NC) #1", 0, first, end)
      .event("DELEGATE_CALL", 0, 0, end + rest)
      .framework("Method::execute", 0, end + rest + 50);
  return join_of(dump, record);
}

Timed centred(uint64_t first, uint64_t second, uint64_t rest) {
  return time_of(join_of_call(first, second, rest), {Statistic::Mean, "all", false});
}

}  // namespace

TEST_CASE("run times: half a step from the call's rest to each event", "[run_times]") {
  const Timed timed = centred(3 * kMicrosecond, 0, 2500);
  CHECK(timed.self_on(3) == 3500);
  CHECK(timed.self_on(4) == 500);  // what ran is never nothing
  CHECK(timed.part(Part::DelegateOverhead) == 1500);
  CHECK(timed.total() == 5550);
  CHECK(timed.measure().total.typical() == Amount(5550));
}

TEST_CASE("run times: never more than the rest", "[run_times]") {
  const Timed timed = centred(3 * kMicrosecond, 2 * kMicrosecond, 301);
  CHECK(timed.self_on(3) == 3150);
  CHECK(timed.self_on(4) == 2150);
  CHECK(timed.part(Part::DelegateOverhead) == 1);
  CHECK(timed.total() == 5351);
  const Timed none = centred(3 * kMicrosecond, 2 * kMicrosecond, 0);
  CHECK(none.self_on(3) == 3000);
  CHECK(none.part(Part::DelegateOverhead) == 0);
}

TEST_CASE("run times: raw is as it was logged", "[run_times]") {
  const Timed raw = time_of(join_of_call(3 * kMicrosecond, 0, 2500));
  CHECK(raw.self_on(3) == 3000);
  CHECK(raw.self_on(4) == 0);
  CHECK(raw.part(Part::DelegateOverhead) == 2500);
  CHECK(raw.total() == 5550);
}

TEST_CASE("run times: events longer than their call become shares of it, also when centred",
          "[run_times]") {
  RecordBuilder record;
  record.lowered("call", "XnnpackBackend",
                 {{"a", "aten.sigmoid.default", 1, trace_at(3), "", {"x"}}});
  record.map(0, {1}).delegate(0, "XnnpackBackend");
  DumpBuilder dump;
  dump.block("Execute")
      .delegate("Sigmoid (NC) #1", 0, 0, 5000)
      .event("DELEGATE_CALL", 0, 0, 4000)
      .framework("Method::execute", 0, 4100);
  const Timed timed = time_of(join_of(dump, record), {Statistic::Mean, "all", false});
  CHECK(timed.self_on(3) == 4000);
  CHECK(timed.part(Part::DelegateOverhead) == 0);
  CHECK(timed.time.logged.is_rescaled[timed.event("Sigmoid (NC) #1").value]);
}

TEST_CASE("run times: operators on the CPU are not centred", "[run_times]") {
  RecordBuilder record;
  record.node({"a", "aten.add.Tensor", 1, trace_at(3), "", {}}).map(0, {1});
  DumpBuilder dump;
  dump.block("Execute").operator_call("add.out", 0, 1000, 3000, 400);
  dump.framework("Method::execute", 0, 5000);
  const Timed timed = time_of(join_of(dump, record), {Statistic::Mean, "all", false});
  CHECK(timed.self_on(3) == 2000);
  CHECK(timed.part(Part::Dispatch) == 800);
}

}  // namespace etlens::run_times_test
