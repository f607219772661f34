// SPDX-License-Identifier: Apache-2.0
// What loading and the first execution take, next to the total of time.
#include "core/measure/cold_start.h"

#include "core/measure/time.h"
#include "tests/support/dump_builder.h"
#include "tests/support/joins.h"

namespace etlens::cold_start_test {

using namespace etlens::test;

namespace {

// Executions of one operator, after what `dump` has.
ColdStart cold_start_after(DumpBuilder dump, const std::vector<uint64_t>& executions,
                           const TimeOptions& options = {}) {
  uint64_t clock = 100'000;
  for (const uint64_t took : executions) {
    dump.block("Execute").operator_call("add.out", 0, clock, clock + took - 2);
    dump.framework("Method::execute", clock - 1, clock + took - 1);
    clock += 2 * took;
  }
  Result<TimeMeasure> time = measure_time(join_of(dump), options);
  REQUIRE(time);
  return time->cold;
}

DumpBuilder loaded() {
  DumpBuilder dump;
  dump.block("Default").framework("Method::init", 20, 80).framework("Program::load_method", 0, 100);
  return dump;
}

}  // namespace

TEST_CASE("cold start: loading, Method::init inside it, and the first execution", "[cold]") {
  const ColdStart cold =
      cold_start_after(loaded(), {500, 100, 100, 100, 100, 100, 100, 100, 100, 100});
  CHECK(cold.load == Amount(40));
  CHECK(cold.init == Amount(60));
  CHECK(cold.loading() == Amount(100));
  CHECK(cold.first == 400);
  CHECK(cold.total() == 500);
  CHECK(cold.loads == 1);
}

TEST_CASE("cold start: a first execution that is no slower adds nothing, nor does a single one",
          "[cold]") {
  CHECK(cold_start_after(loaded(), {90, 100, 100, 100}).first == 0);
  CHECK(cold_start_after(loaded(), {500}).first == 0);
}

TEST_CASE("cold start: without loading in the dump nothing is known", "[cold]") {
  const ColdStart cold = cold_start_after(DumpBuilder(), {500, 100, 100, 100});
  CHECK(cold.loads == 0);
  CHECK(cold.total() == 0);
}

TEST_CASE("cold start: every method that was loaded counts", "[cold]") {
  DumpBuilder dump = loaded();
  dump.block("Default").framework("Program::load_method", 200, 230);
  const ColdStart cold = cold_start_after(dump, {100, 100});
  CHECK(cold.loads == 2);
  CHECK(cold.load == Amount(70));
  // An initialisation that nothing is around.
  DumpBuilder alone;
  alone.block("Default").framework("Method::init", 10, 30);
  const ColdStart init = cold_start_after(alone, {100, 100});
  CHECK(init.loads == 1);
  CHECK(init.load == Amount());
  CHECK(init.init == Amount(20));
}

}  // namespace etlens::cold_start_test
