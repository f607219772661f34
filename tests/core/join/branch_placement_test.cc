// SPDX-License-Identifier: Apache-2.0
// What only a program knows: where instructions inside control-flow branches come from.
#include "core/join/branch_placement.h"

#include <algorithm>

#include "tests/support/corpus.h"
#include "tests/support/joins.h"
#include "tests/support/program_builder.h"

namespace etlens::branch_placement_test {

using namespace etlens::test;

namespace {

std::string at(uint32_t line) { return trace_at(line); }

// gt; cond(sin, view, exp | cos); add
RecordBuilder record() {
  RecordBuilder record;
  record.node({"g", "aten.gt.Scalar", 1, at(2), "", {}})
      .cond("c", 9,
            {{{"s", "aten.sin.default", 4, at(4), "", {}},
              {"v", "aten.view_copy.default", 5, at(5), "", {}},
              {"e", "aten.exp.default", 6, at(6), "", {}}},
             {{"o", "aten.cos.default", 7, at(8), "", {}}}})
      .node({"a", "aten.add.Tensor", 2, at(10), "", {}});
  record.map(0, {1}).map(8, {2});
  return record;
}

std::vector<ProgramStep> steps() {
  return {{'k', "aten::gt.Scalar_out"}, {'j', "", 6}, {'k', "aten::sin.out"},
          {'k', "aten::exp.out"},       {'m'},        {'j', "", 8},
          {'k', "aten::cos.out"},       {'m'},        {'k', "aten::add.out"}};
}

// The condition holds, so the first branch runs.
DumpBuilder dump() {
  DumpBuilder dump;
  dump.block("Execute")
      .operator_call("gt.Scalar_out", 0, 100, 110)
      .event("JF_CALL", 1, 110, 111)
      .operator_call("sin.out", 2, 120, 130)
      .operator_call("exp.out", 3, 130, 140)
      .event("MOVE_CALL", 4, 140, 141)
      .event("JF_CALL", 5, 141, 142)
      .operator_call("add.out", 8, 150, 160)
      .framework("Method::execute", 90, 170);
  return dump;
}

Join load(const std::vector<ProgramStep>& program) {
  JoinOptions options;
  if (!program.empty()) options.program = ProgramBuilder().method("forward", program).build();
  return join_of(dump(), record(), options);
}

// The line that a kernel is placed on; 0 if it has none.
uint32_t line_of(const Join& join, std::string_view kernel) {
  const Landing& landing = (*join.landings)[find_event(join, "native_call_" + std::string(kernel))];
  CHECK((landing.part == Part::Line) == landing.line.valid());
  if (landing.part == Part::Line) CHECK(landing.confidence == Confidence::Exact);
  else CHECK(landing.part == Part::Unattributed);
  return landing.line.valid() ? join.code().lines[landing.line.value].number : 0;
}

// Operator events without a line.
size_t unattributed(const Join& join) {
  const auto is_unattributed = [](const Landing& row) { return row.part == Part::Unattributed; };
  return static_cast<size_t>(std::ranges::count_if(join.landings->rows, is_unattributed));
}

}  // namespace

TEST_CASE("branches: without a program their instructions are unattributed", "[branches]") {
  const Join join = load({});
  CHECK(line_of(join, "gt.Scalar_out") == 2);
  CHECK(line_of(join, "sin.out") == 0);
  CHECK(line_of(join, "exp.out") == 0);
  CHECK(join.report.find(Oddity::InstructionsUnmapped) != nullptr);
}

TEST_CASE("branches: a program places them exactly", "[branches]") {
  const Join join = load(steps());
  CHECK(unattributed(join) == 0);
  CHECK(join.report.find(Oddity::InstructionsUnmapped) == nullptr);
  CHECK(line_of(join, "sin.out") == 4);
  CHECK(line_of(join, "exp.out") == 6);  // behind a view that was planned away
}

TEST_CASE("branches: other operators than the graphs' place nothing", "[branches]") {
  std::vector<ProgramStep> other = steps();
  other[6].name = "aten::tan.out";  // in the branch that did not run
  CHECK(unattributed(load(other)) == 2);
  std::vector<ProgramStep> straight = steps();
  straight[1] = {'m'};
  straight[5] = {'m'};
  CHECK(unattributed(load(straight)) == 2);
}

TEST_CASE("branches: real programs with control flow", "[branches]") {
  size_t placed = 0;
  for (const std::string& folder : case_folders()) {
    if (folder.find("gate-") == std::string::npos) continue;
    const std::string pte = folder + "/model.pte";
    if (!real_file_system().stat(pte)) continue;
    for (const Pair& pair : pairs_of(folder)) {
      CAPTURE(pair.etdump, pair.etrecord);
      const std::string etdump = unpacked(pair.etdump);
      const std::vector<JoinedFiles> without = joins_of(etdump, pair.etrecord, "");
      const std::vector<JoinedFiles> with = joins_of(etdump, pair.etrecord, pte);
      REQUIRE(without.size() == with.size());
      for (size_t b = 0; b < with.size(); ++b) {
        const Join& join = with[b].join;
        REQUIRE(unattributed(without[b].join) > 0);
        CHECK(join.report.find(Oddity::ProgramDiffers) == nullptr);
        CHECK(join.report.find(Oddity::InstructionsUnmapped) == nullptr);
        // In release 0.5 branches have no stack traces; then their nodes are known, but no lines.
        for (size_t e = 0; e < join.events.size(); ++e) {
          if (join.events[e].role == EventRole::Kernel) CHECK(join.landings->rows[e].node.valid());
        }
        placed += unattributed(join) == 0;
      }
    }
  }
  CHECK(placed > 0);
}

}  // namespace etlens::branch_placement_test
