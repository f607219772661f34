// SPDX-License-Identifier: Apache-2.0
// Branches and loops: where their kernels are, and how often they ran, in programs of ExecuTorch's
// release 1.5.1 whose inputs decide it (tests/data/control/loops.py).
#include "core/render/control_text.h"

#include <map>
#include <set>

#include "core/render/hover.h"
#include "core/workspace/load.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/studies.h"

namespace etlens::control_text_test {

using namespace etlens::test;

namespace {

// Lines by the name of an event.
using Rows = std::map<std::string, std::multiset<uint32_t>>;

Facts facts_of(const std::string& name, const std::string& block = {}, bool has_program = true) {
  const std::string folder = ETLENS_TEST_DATA "/" + name + "/";
  MemoryFileSystem files;
  files.put("/m/model.etdp", read_file(folder + "model.etdp.gz"));
  files.put("/m/model.etrecord", read_file(folder + "model.etrecord"));
  std::string program = read_file(folder + "model.pte");
  if (program.empty()) program = read_file(folder + "model.pte.gz");
  files.put("/m/model.pte", program);
  LoadRequest request;
  request.etdump = "/m/model.etdp";
  request.etrecord = "/m/model.etrecord";
  if (has_program) request.pte = "/m/model.pte";
  request.selection.block = block;
  const auto study = load_study(files, request);
  if (!study) FAIL(study.error().message);
  return Facts(*study);
}

uint32_t number_of(const Facts& facts, LineId line) {
  return line.valid() ? facts.code().lines[line.value].number : 0;
}

// Of every operator.
Rows places_of(const Facts& facts) {
  Rows places;
  for (const ContributionId id : facts.ranked()) {
    const EventFacts event = facts.event(id);
    const EventRole role = facts.join().event(id).role;
    const bool is_leaf = role == EventRole::Kernel ||
                         (role == EventRole::OperatorCall && event.part != Part::Dispatch);
    if (!is_leaf) continue;
    CHECK(event.part == Part::Line);
    CHECK(event.confidence == Confidence::Exact);
    places[event.name].insert(number_of(facts, event.line));
  }
  return places;
}

std::multimap<uint32_t, std::string> texts_of(const Facts& facts) {
  std::multimap<uint32_t, std::string> texts;
  for (size_t l = 0; l < facts.line_count(); ++l) {
    for (const BodyRuns* body : facts.bodies_of(LineId(l)))
      texts.emplace(number_of(facts, LineId(l)), body_text(facts, *body));
  }
  return texts;
}

uint64_t runs_of(const Facts& facts, uint32_t number) {
  for (size_t l = 0; l < facts.line_count(); ++l) {
    if (number_of(facts, LineId(l)) == number) return facts.line(LineId(l)).runs;
  }
  return 0;
}

}  // namespace

TEST_CASE("control flow: every kernel of a loop has its line", "[control]") {
  CHECK(places_of(facts_of("control/map")) == Rows{{"loop size of map", {38}},
                                                   {"slice of map", {38}},
                                                   {"native_call_mul.out", {35}},
                                                   {"native_call_add.out", {36}},
                                                   {"native_call_tanh.out", {36}},
                                                   {"result of map", {38}},
                                                   {"loop counter of map", {38, 38, 38}},
                                                   {"native_call_exp.out", {39}}});
  CHECK(places_of(facts_of("control/scan")) == Rows{{"native_call_select_copy.int_out", {53}},
                                                    {"native_call_full_like.out", {53}},
                                                    {"loop size of scan", {53}},
                                                    {"carry of scan", {53, 53}},
                                                    {"slice of scan", {53}},
                                                    {"native_call_mul.out", {48, 54}},
                                                    {"native_call_add.out", {49}},
                                                    {"native_call_sigmoid.out", {50}},
                                                    {"result of scan", {53}},
                                                    {"loop counter of scan", {53, 53, 53}}});
}

TEST_CASE("control flow: how often a body ran", "[control]") {
  using Texts = std::multimap<uint32_t, std::string>;
  const std::string map = "body of map: runs 8 × per execution";
  const std::string scan = "body of scan: runs 8 × per execution";
  CHECK(texts_of(facts_of("control/map")) == Texts{{35, map}, {36, map}, {38, map}});
  CHECK(texts_of(facts_of("control/scan")) ==
        Texts{{48, scan}, {49, scan}, {50, scan}, {53, scan}});
  const Facts facts = facts_of("control/map");
  CHECK(runs_of(facts, 36) == 8);
  CHECK(runs_of(facts, 38) == 1);
  CHECK(texts_of(facts_of("control/map", "", false)).empty());
}

TEST_CASE("control flow: in how many executions a branch was taken", "[control]") {
  using Texts = std::multimap<uint32_t, std::string>;
  const std::string yes = "true branch of cond: taken in 7 of 10 executions";
  const std::string no = "false branch of cond: taken in 3 of 10 executions";
  const Texts expected{{17, yes}, {20, no}, {21, no}, {24, yes}, {24, no}};
  CHECK(texts_of(facts_of("control/cond")) == expected);
  const Facts other = facts_of("control/cond", "Execute #2");
  CHECK(texts_of(other) == expected);
  CHECK(runs_of(other, 17) == 0);
  CHECK(runs_of(other, 20) == 1);
}

// Five of eight rows are positive, and in the last four executions the other three.
TEST_CASE("control flow: branches inside of a loop", "[control]") {
  using Texts = std::multimap<uint32_t, std::string>;
  const std::string yes =
      "true branch of cond: taken 5 × per execution (3 to 5 × in the 10 executions of the dump)";
  const std::string no =
      "false branch of cond: taken 3 × per execution (3 to 5 × in the 10 executions of the dump)";
  const std::string map = "body of map: runs 8 × per execution";
  const std::string scan = "body of scan: runs 8 × per execution";
  const Facts facts = facts_of("control/nested");
  CHECK(texts_of(facts) == Texts{{66, yes},
                                 {69, no},
                                 {72, map},
                                 {72, yes},
                                 {72, no},
                                 {73, map},
                                 {76, scan},
                                 {77, scan},
                                 {79, map},
                                 {80, scan}});
  CHECK(runs_of(facts, 66) == 5);
  CHECK(runs_of(facts, 69) == 3);
  CHECK(runs_of(facts, 72) == 8);
  CHECK(runs_of(facts_of("control/nested", "Execute #2"), 66) == 3);
  // A default export has the lines of the calls alone.
  CHECK(texts_of(facts_of("control/nested-default")) ==
        Texts{{79, map}, {79, yes}, {79, no}, {80, scan}});
  places_of(facts_of("control/nested-default"));
}

TEST_CASE("control flow: hovers and the table of lines", "[control]") {
  const Facts facts = facts_of("control/cond");
  const Table table = control_table(facts, {TableStyle::Human});
  REQUIRE(table.rows.size() == 5);
  CHECK(
      table.rows.front() ==
      std::vector<std::string>{"loops.py:17", "true branch of cond: taken in 7 of 10 executions"});
  for (size_t l = 0; l < facts.line_count(); ++l) {
    if (number_of(facts, LineId(l)) != 20) continue;  // in the branch that this block did not take
    const std::string text = to_plain_text(line_hover(facts, LineId(l), {}));
    CHECK(text.find("false branch of cond: taken in 3 of 10 executions") != std::string::npos);
  }
}

TEST_CASE("state: which line writes which buffer", "[control]") {
  const Facts facts = facts_of("llm-cache");
  std::map<uint32_t, std::vector<std::string>> writes;
  for (size_t l = 0; l < facts.line_count(); ++l) {
    for (const StateWrite& write : facts.writes_of(LineId(l)))
      writes[number_of(facts, LineId(l))].emplace_back(write.buffer);
  }
  const std::map<uint32_t, std::vector<std::string>> expected{
      {638,
       {"layers.0.attention.kv_cache.k_cache", "layers.0.attention.kv_cache.v_cache",
        "layers.1.attention.kv_cache.k_cache", "layers.1.attention.kv_cache.v_cache"}}};
  CHECK(writes == expected);
  for (size_t l = 0; l < facts.line_count(); ++l) {
    if (facts.writes_of(LineId(l)).empty()) continue;
    const std::string text = to_plain_text(line_hover(facts, LineId(l), {}));
    CHECK(text.find("writes layers.0.attention.kv_cache.") != std::string::npos);
    CHECK(text.find("65.5 kB in all") != std::string::npos);
    CHECK(writes_text(facts, LineId(l)) ==
          "writes layers.0.attention.kv_cache.k_cache and 3 more, 65.5 kB in all");
  }
}

}  // namespace etlens::control_text_test
