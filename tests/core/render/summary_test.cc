// SPDX-License-Identifier: Apache-2.0
// The whole in words: headline, strip, odd executions, kinds.
#include "core/render/summary.h"

#include "tests/support/studies.h"

namespace etlens::summary_test {

using namespace etlens::test;

namespace {

// A method of two lines, once per entry: what each line took in that execution.
std::shared_ptr<const Study> study_with(const std::vector<std::pair<uint64_t, uint64_t>>& runs,
                                        LoadRequest request = {}) {
  RecordBuilder record;
  record.node({"a", "aten.mm.default", 1, stack_trace({{"/m.py", 7, "forward", "a"}}, true)});
  record.node({"b", "aten.relu.default", 2, stack_trace({{"/m.py", 8, "forward", "b"}}, true)});
  record.map(0, {1}).map(1, {2});
  DumpBuilder dump;
  uint64_t clock = 0;
  for (const auto& [first, second] : runs) {
    const uint64_t begin = clock;
    dump.block("Execute");
    dump.operator_call("mm.out", 0, begin, begin + first);
    dump.operator_call("relu.out", 1, begin + first, begin + first + second);
    clock = begin + first + second;
    dump.framework("Method::execute", begin, clock);
    clock += 1000;
  }
  return study_of(dump, record, std::move(request));
}

std::string headline_of(const Facts& facts) {
  return headline_text(headline(facts), facts, std::nullopt);
}

}  // namespace

TEST_CASE("summary: the headline names what disturbed", "[summary]") {
  std::vector<std::pair<uint64_t, uint64_t>> runs(9, {600'000, 200'000});
  runs[2].second = 3'000'000;
  const Facts facts(study_with(runs));
  CHECK(headline_of(facts) ==
        "800 µs typical · 1.11 ms mean, 28% disturbance (1 event in execution 3 took 3.00 ms, line "
        "8)");
  const Headline head = headline(facts);
  REQUIRE(head.odd.size() == 1);
  CHECK(odd_reason(head.odd.front(), facts, std::nullopt) == "1 event took 3.00 ms, line 8");
  CHECK(odd_reason(head.odd.front(), facts, TimeScale::Microseconds) ==
        "1 event took 3000 µs, line 8");
  CHECK(describe_selection(head) == "method forward, block Execute, typical of 9 executions");
  CHECK(strip_text(head) == "▂▂█▂▂▂▂▂▂");
  CHECK(kinds_text(head, facts, std::nullopt) == "");
}

TEST_CASE("summary: a disturbance of many events has no culprit", "[summary]") {
  std::vector<std::pair<uint64_t, uint64_t>> runs(9, {600'000, 600'000});
  runs[2] = {3'000'000, 3'000'000};
  const auto reason = [&](Statistic statistic) {
    LoadRequest request;
    request.time.statistic = statistic;
    const Facts facts(study_with(runs, request));
    const Headline head = headline(facts);
    REQUIRE(head.odd.size() == 1);
    return odd_reason(head.odd.front(), facts, std::nullopt);
  };
  CHECK(reason(Statistic::Typical) == "spread over many events");
  CHECK(reason(Statistic::Maximum) == "");
}

TEST_CASE("summary: executions that are alike need no mean beside the typical", "[summary]") {
  const Facts facts(study_with({{600, 200}, {600, 200}, {601, 200}}));
  CHECK(headline_of(facts) == "800 ns typical");
}

TEST_CASE("summary: one execution is a single sample", "[summary]") {
  const Facts one(study_with({{600, 200}}));
  CHECK(headline_of(one) == "800 ns, a single sample");
  CHECK(strip_text(headline(one)) == "");
  CHECK(describe_selection(headline(one)) == "method forward, block Execute, 1 execution");
  LoadRequest request;
  request.time = {Statistic::Typical, "2"};
  const Facts chosen(study_with({{600, 200}, {700, 300}}, request));
  CHECK(headline_of(chosen) == "1.00 µs, a single sample");
  CHECK(describe_selection(headline(chosen)) == "method forward, block Execute, execution 2 of 2");
}

TEST_CASE("summary: the statistic is named", "[summary]") {
  LoadRequest request;
  request.time.statistic = Statistic::Maximum;
  request.time.is_raw = true;
  const Facts facts(study_with({{600, 200}, {600, 200}, {900, 200}}, request));
  CHECK(headline_of(facts) == "1.10 µs max · 900 ns mean");
  CHECK(describe_selection(headline(facts)) ==
        "method forward, block Execute, max of 3 executions, as logged");
}

TEST_CASE("summary: kinds of executions", "[summary]") {
  std::vector<std::pair<uint64_t, uint64_t>> runs(5, {9'000'000, 3'000'000});
  runs.insert(runs.end(), 45, {700'000, 300'000});
  const Facts facts(study_with(runs));
  CHECK(kinds_text(headline(facts), facts, std::nullopt) ==
        "two kinds of executions: 45 of 1.00 ms, 5 of 12.0 ms; the 45 are shown");
  CHECK(describe_selection(headline(facts)) ==
        "method forward, block Execute, typical of 45 of 50 executions (6-50)");
  LoadRequest request;
  request.time = {Statistic::Typical, "all"};
  const Facts all(study_with(runs, request));
  CHECK(kinds_text(headline(all), all, std::nullopt) ==
        "two kinds of executions: 45 of 1.00 ms, 5 of 12.0 ms; all are shown");
  request.time = {Statistic::Typical, "1-10"};
  const Facts some(study_with(runs, request));
  CHECK(kinds_text(headline(some), some, std::nullopt) ==
        "two kinds of executions: 45 of 1.00 ms, 5 of 12.0 ms; shown: 1-10");
}

TEST_CASE("summary: the strip is never wider than its limit and shows the slowest", "[summary]") {
  Headline head;
  head.totals.assign(kMaxStrip, 10);
  CHECK(strip_step(head) == 1);
  head.totals.assign(1000, 10);
  head.totals[999] = 80;
  CHECK(strip_step(head) == 17);
  std::string expected;
  for (int i = 0; i < 58; ++i) expected += "▁";
  CHECK(strip_text(head) == expected + "█");
  head.totals.assign(3, 0);
  CHECK(strip_text(head) == "▁▁▁");
}

}  // namespace etlens::summary_test
