// SPDX-License-Identifier: Apache-2.0
// The whole in words: headline, strip, odd executions, groups.
#include "core/render/summary.h"

#include "core/render/findings.h"
#include "core/render/format.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"
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
        "800 µs typical · 1.11 ms mean, 28% of it noise (1 event in execution 3 took 3.00 "
        "ms, line "
        "8)");
  const Headline head = headline(facts);
  REQUIRE(head.odd.size() == 1);
  CHECK(odd_reason(head.odd.front(), facts, std::nullopt) == "1 event took 3.00 ms, line 8");
  CHECK(odd_reason(head.odd.front(), facts, TimeScale::Microseconds) ==
        "1 event took 3000 µs, line 8");
  CHECK(describe_selection(head) == "method forward, block Execute, typical of 9 executions");
  CHECK(strip_text(head) == "▂▂█▂▂▂▂▂▂");
  CHECK(groups_text(head, facts, std::nullopt) == "");
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

TEST_CASE("summary: groups of executions", "[summary]") {
  const auto study_of_group = [](const std::string& executions, const std::string& group) {
    MemoryFileSystem files;
    files.put("/m/model.etdp", read_file(ETLENS_TEST_DATA "/llm-cache/model.etdp.gz"));
    files.put("/m/model.etrecord", read_file(ETLENS_TEST_DATA "/llm-cache/model.etrecord"));
    LoadRequest request;
    request.etdump = "/m/model.etdp";
    request.etrecord = "/m/model.etrecord";
    request.time.executions = executions;
    request.time.group = group;
    const auto study = load_study(files, request);
    if (!study) FAIL(study.error().message);
    return *study;
  };
  const auto groups = [&](const std::string& executions, const std::string& group) {
    const Facts facts(study_of_group(executions, group));
    return groups_text(headline(facts), facts, std::nullopt);
  };
  const std::string text = groups("", "");
  CHECK_THAT(text, Catch::StartsWith("decode ×30: "));
  CHECK_THAT(text, Catch::Contains(" · prefill ×1: ") && Catch::Contains("(at least ") &&
                       Catch::Contains(" tokens)") && Catch::EndsWith("; decode is shown"));
  CHECK_THAT(groups("", "prefill"), Catch::EndsWith("; prefill is shown"));
  CHECK_THAT(groups("slow", ""), Catch::EndsWith("; prefill is shown"));
  CHECK_THAT(groups("all", "prefill"), Catch::EndsWith("; all are shown"));
  CHECK_THAT(groups("1-3", ""), Catch::EndsWith("; shown: 1-3"));
}

TEST_CASE("summary: executions of static shapes are one group, whatever they took", "[summary]") {
  std::vector<std::pair<uint64_t, uint64_t>> runs(5, {9'000'000, 3'000'000});
  runs.insert(runs.end(), 45, {700'000, 300'000});
  const Facts facts(study_with(runs));
  CHECK(groups_text(headline(facts), facts, std::nullopt) == "");
  CHECK(describe_selection(headline(facts)) ==
        "method forward, block Execute, typical of 50 executions");
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

namespace {

std::vector<std::string> findings_of(const std::shared_ptr<const Study>& study) {
  const Facts facts(study);
  return finding_texts(headline(facts), facts, std::nullopt);
}

}  // namespace

TEST_CASE("findings: noise above a third of the mean says what it means and what to do",
          "[summary]") {
  CHECK(findings_of(study_with(std::vector<std::pair<uint64_t, uint64_t>>(9, {600'000, 200'000})))
            .empty());
  // Less than a third.
  std::vector<std::pair<uint64_t, uint64_t>> runs(9, {600'000, 200'000});
  runs[2].second = 3'000'000;
  CHECK(findings_of(study_with(runs)).empty());
  // One execution is the reason.
  runs[0].first = 9'000'000;
  const auto one = findings_of(study_with(runs));
  REQUIRE(one.size() == 1);
  CHECK_THAT(one[0], Catch::StartsWith("Noise is "));
  CHECK_THAT(one[0], Catch::Contains("of the mean, most of it in execution"));
  CHECK_THAT(one[0], Catch::Contains("record more executions"));
  // All are slow: nothing is typical.
  std::vector<std::pair<uint64_t, uint64_t>> loaded;
  for (uint64_t i = 0; i < 20; ++i)
    loaded.emplace_back(100'000 + (i * 7919 % 20) * 60'000, 100'000 + (i * 104'729 % 19) * 60'000);
  for (const std::string& text : findings_of(study_with(loaded)))
    CHECK_THAT(text, Catch::StartsWith("Noise is ") && Catch::Contains("record"));
  const Facts facts(study_with(runs));
  const std::string sentence = one[0].substr(0, one[0].find(". ") + 1);
  CHECK_THAT(summary_text(headline(facts), facts, std::nullopt), Catch::Contains(sentence + "\n"));
}

TEST_CASE("findings: a clock that stands is said, and nothing is shown as 0 ns", "[summary]") {
  for (const uint64_t tick : {uint64_t{0}, uint64_t{77}}) {
    RecordBuilder record;
    record.node({"a", "aten.mm.default", 1, stack_trace({{"/m.py", 7, "forward", "a"}}, true)});
    record.map(0, {1});
    DumpBuilder dump;
    for (int i = 0; i < 3; ++i)
      dump.block("Execute")
          .operator_call("mm.out", 0, tick, tick)
          .framework("Method::execute", tick, tick);
    const auto study = study_of(dump, record);
    CHECK(study->report.find(Oddity::DumpClockStands) != nullptr);
    const Facts facts(study);
    CHECK(facts.clock_stands());
    const std::string text = summary_text(headline(facts), facts, std::nullopt);
    CHECK_THAT(text, Catch::Contains("The clock stands"));
    CHECK_THAT(text, !Catch::Contains("0 ns"));
    CHECK(headline_of(facts) == "nothing was timed");
    CHECK(format_cost(facts, facts.line(LineId(0)).self, std::nullopt) == "–");
  }
}

TEST_CASE("findings: a backend that reports no operators is said with its time", "[summary]") {
  RecordBuilder record;
  record.node({"a", "aten.mm.default", 1, stack_trace({{"/m.py", 7, "forward", "a"}}, true)});
  record.map(0, {1}).map(1, {1}).map(2, {1});
  record.delegate(1, "OpenvinoBackend").delegate(2, "OpenvinoBackend");
  DumpBuilder dump;
  dump.block("Execute")
      .operator_call("mm.out", 0, 0, 100)
      .event("DELEGATE_CALL", 1, 100, 300)
      .event("DELEGATE_CALL", 2, 300, 900)
      .framework("Method::execute", 0, 1000);
  CHECK(findings_of(study_of(dump, record)) ==
        std::vector<std::string>{
            "OpenVINO reports no operators, so no line has the 800 ns (80%) inside its 2 delegate "
            "calls."});
  // Phases of the host are no operators; an operator is one, in whichever call.
  DumpBuilder phases;
  phases.block("Execute")
      .event("EthosUBackend::execute()", 1, 110, 290)
      .event("DELEGATE_CALL", 1, 100, 300)
      .framework("Method::execute", 0, 1000);
  RecordBuilder ethos;
  ethos.node({"a", "aten.mm.default", 1, "", "", {}}).map(1, {1}).delegate(1, "EthosUBackend");
  CHECK(findings_of(study_of(phases, ethos)).size() == 1);
  DumpBuilder told;
  told.block("Execute")
      .event("DELEGATE_CALL", 1, 100, 300)
      .delegate("kernel", 2, 400, 500)
      .event("DELEGATE_CALL", 2, 300, 900)
      .framework("Method::execute", 0, 1000);
  RecordBuilder two;
  two.node({"a", "aten.mm.default", 1, "", "", {}}).map(1, {1}).map(2, {1});
  two.delegate(1, "OpenvinoBackend").delegate(2, "OpenvinoBackend");
  CHECK(findings_of(study_of(told, two)).empty());
}

}  // namespace etlens::summary_test
