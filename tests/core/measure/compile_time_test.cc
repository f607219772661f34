// SPDX-License-Identifier: Apache-2.0
// Compile time: functions of a Python profile as a code and a measure.
#include "core/measure/compile_time.h"

#include <cmath>

#include "core/formats/pstats/pstats_reader.h"
#include "test_paths.h"
#include "tests/support/corpus.h"

namespace etlens::compile_time_test {

namespace {

std::shared_ptr<const PythonProfile> read(const std::string& name) {
  const std::string bytes = test::read_file(ETLENS_TEST_DATA "/pstats/" + name);
  Result<PythonProfile> profile =
      read_python_profile({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  if (!profile) FAIL(profile.error().message);
  return std::make_shared<const PythonProfile>(std::move(*profile));
}

// The contribution of the function; fails the test if there is none.
size_t function(const Measure& measure, const std::string& name) {
  for (size_t c = 0; c < measure.labels.size(); ++c) {
    if (measure.labels[c].name == name) return c;
  }
  FAIL("there is no function " + name);
  return 0;
}

}  // namespace

TEST_CASE("compile time: own times add up, cumulative ones count recursion once", "[compile]") {
  const auto profile = read("recursive.dynamo-eager.prof");
  const Measure measure = measure_compile_time(profile).measure;
  CHECK(measure.quantity.id == "compile_time");
  REQUIRE(measure.self.size() == 3);
  CHECK(measure.total.typical() == measure.total.total);
  CHECK(measure.total[Part::Line] == measure.total.total);
  CHECK(measure.total.total.value == std::llround(profile->total.own * 1e9));

  const size_t walk = function(measure, "walk");
  CHECK(measure.self[walk].amount.value == Approx(0.208e9).margin(0.001e9));
  CHECK(measure.inclusive[walk].value == Approx(0.482e9).margin(0.001e9));
  CHECK(measure.occurrences[walk] == 15);
  CHECK(measure.labels[walk].remark == "15 calls, 1 of them not from itself");
  const LineId line = (*measure.landings)[ContributionId(walk)].line;
  const Code& code = *measure.landings->code;
  CHECK(code.lines[line.value].number == 13);
  CHECK(code.text(code.lines[line.value].function) == "walk");
  CHECK(measure.lines[line.value].inclusive.amount == measure.inclusive[walk]);
  CHECK(measure.lines[line.value].occurrences == 15);
  CHECK(code.has_definitions);

  REQUIRE(measure.calls.size() == 3);  // walk by itself and forward, linear's forward by walk
  uint64_t of_itself = 0;
  for (const Call& call : measure.calls) {
    if (call.caller == call.callee) of_itself += call.times;
  }
  CHECK(of_itself == 14);
}

TEST_CASE("compile time: built-in functions are on no line", "[compile]") {
  const auto profile = read("recursive.cprofile-eager.prof");
  const Measure measure = measure_compile_time(profile).measure;
  Amount built_in;
  for (size_t f = 0; f < profile->functions.size(); ++f) {
    const bool has_line = (*measure.landings)[ContributionId(f)].line.valid();
    CHECK(has_line == !profile->is_built_in(PythonFunctionId(f)));
    if (!has_line) built_in += measure.self[f].amount;
  }
  CHECK(built_in > Amount());
  CHECK(measure.total[Part::Framework] == built_in);
  CHECK(measure.total[Part::Line] + built_in == measure.total.total);
}

TEST_CASE("compile time: a clock that was set back, functions of one line", "[compile]") {
  PythonProfileBuilder builder;
  const PythonFunctionId f = builder.function("m.py", 3, "<lambda>");
  const PythonFunctionId g = builder.function("m.py", 3, "g");
  const PythonFunctionId h = builder.function("m.py", INT64_MAX, "h");
  for (const PythonFunctionId id : {f, g, h}) builder.list(id);
  builder.row(f).cost = {2, 2, -0.5, 3};
  builder.row(g).cost = {1, 1, 1, 4};
  builder.row(h).cost = {1, 1, 2, 1};  // less with what it calls than without
  const CompileTime time =
      measure_compile_time(std::make_shared<const PythonProfile>(builder.finish({})));
  CHECK(time.negative == 1);
  const Measure& measure = time.measure;
  CHECK(measure.self[0].amount == Amount());
  CHECK(measure.total.total == Amount(3'000'000'000));
  REQUIRE(measure.lines.size() == 1);
  CHECK(measure.lines[0].self.amount == Amount(1'000'000'000));
  CHECK(measure.lines[0].inclusive.amount == Amount(4'000'000'000));  // one may call the other
  CHECK(measure.lines[0].occurrences == 3);
  CHECK(!(*measure.landings)[ContributionId(2)].line.valid());  // no such line can be
  CHECK(measure.inclusive[2] == Amount(2'000'000'000));
}

}  // namespace etlens::compile_time_test
