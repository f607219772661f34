// SPDX-License-Identifier: Apache-2.0
// One row more is all that a new measure takes: facts and hints read the sample as they read time.
#include "core/facts/headline.h"
#include "core/facts/hints.h"
#include "tests/core/measure/sample/count.h"
#include "tests/support/studies.h"
#include "tests/support/times.h"

namespace etlens::new_measure_test {

using namespace etlens::test;

namespace {

// Two operators on line 3, one on line 4.
std::shared_ptr<const Study> study() {
  RecordBuilder record;
  record.node({"a", "aten.add.Tensor", 1, trace_at(3), "", {}})
      .node({"b", "aten.mul.Tensor", 2, trace_at(3), "", {}})
      .node({"c", "aten.exp.default", 3, trace_at(4), "", {}});
  record.map(0, {1}).map(1, {2}).map(2, {3});
  DumpBuilder dump;
  for (int execution = 0; execution < 3; ++execution) {
    dump.block("Execute")
        .operator_call("add.out", 0, 100, 120, 5)
        .operator_call("mul.out", 1, 140, 150, 5)
        .operator_call("exp.out", 2, 160, 360, 5)
        .framework("Method::execute", 0, 400);
  }
  LoadRequest request;
  request.measures = {count_measure()};
  return study_of(dump, record, request);
}

}  // namespace

TEST_CASE("new measure: one more row, and facts read it", "[measure]") {
  const auto opened = study();
  REQUIRE(opened->measures.size() == 2);
  const Facts time(opened);
  const Facts counts(opened, 1);
  CHECK(counts.quantity().id == "count");
  CHECK(counts.quantity().dimension == Dimension::Count);

  const LineId three = find_line(counts.join(), 3);
  const LineId four = find_line(counts.join(), 4);
  CHECK(counts.line(three).self.value == 2);  // not divided by the three executions
  CHECK(counts.line(four).self.value == 1);
  CHECK(time.hot_lines() == std::vector<LineId>{four, three});
  CHECK(counts.hot_lines() == std::vector<LineId>{three, four});

  const Headline all = headline(counts);
  CHECK(all.total.value == static_cast<double>(counts.contribution_count()));
  CHECK(all.disturbance == 0);
  CHECK(counts.line(three).self.share == Approx(2 / all.total.value));
}

TEST_CASE("new measure: hints are of the measure that they are asked about", "[measure]") {
  const Facts counts(study(), 1);
  const std::vector<PlacedHint> hints = recorded_hints(counts, FileId(0), {});
  REQUIRE(hints.size() == 2);
  CHECK(hints[0].line == 3);
  CHECK(hints[0].hint.cost.value == 2);
  CHECK(hints[1].line == 4);
  CHECK(hints[1].hint.cost.value == 1);
}

}  // namespace etlens::new_measure_test
