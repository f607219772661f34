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

namespace {

// scan(mul, add), as ExecuTorch writes it: one carry, one input, one result; then exp. Value 9
// counts.
std::vector<ProgramStep> loop_steps() {
  const auto kernel = [](const char* name, std::vector<int32_t> arguments) {
    return ProgramStep{'k', name, 0, "", std::move(arguments)};
  };
  return {kernel("aten::sym_size.int", {0, 8, 10}),
          kernel("aten::copy_", {1, 0, 8, 1}),
          kernel("aten::select_copy.int_out", {0, 8, 9, 2, 2}),
          kernel("aten::mul.out", {1, 2, 3, 3}),
          kernel("aten::add.out", {3, 2, 8, 4, 4}),
          kernel("aten::copy_", {1, 3, 8, 1}),
          kernel("executorch_prim::et_copy_index.tensor", {5, 4, 9}),
          kernel("executorch_prim::add.Scalar", {9, 8, 9}),
          kernel("executorch_prim::eq.Scalar", {9, 10, 11}),
          {'j', "", 2, "", {11}},
          kernel("executorch_prim::sub.Scalar", {9, 10, 9}),
          kernel("aten::exp.out", {5, 6, 6})};
}

RecordBuilder loop_record() {
  RecordBuilder record;
  record
      .control("scan", "s", 9,
               {{{"m", "aten.mul.Tensor", 4, at(4), "", {}},
                 {"a", "aten.add.Tensor", 5, at(5), "", {}}}},
               at(7))
      .node({"e", "aten.exp.default", 2, at(8), "", {}});
  return record.map(11, {2});
}

// Two rounds.
DumpBuilder loop_dump() {
  DumpBuilder dump;
  dump.block("Execute").event("OPERATOR_CALL", 0, 100, 101).operator_call("copy_", 1, 101, 110);
  uint64_t now = 110;
  for (int round = 0; round < 2; ++round) {
    for (const auto& [name, instruction] :
         {std::pair("select_copy.int_out", 2), std::pair("mul.out", 3), std::pair("add.out", 4),
          std::pair("copy_", 5)}) {
      dump.operator_call(name, instruction, now, now + 10);
      now += 10;
    }
    for (const int instruction : {6, 7, 8}) {
      dump.event("OPERATOR_CALL", instruction, now, now + 2);
      now += 2;
    }
    dump.event("JF_CALL", 9, now, now + 1);
    ++now;
  }
  dump.event("OPERATOR_CALL", 10, now, now + 1).operator_call("exp.out", 11, now + 1, now + 9);
  return dump.framework("Method::execute", 90, now + 20);
}

Join load_loop(const std::vector<ProgramStep>& steps) {
  ProgramPlan plan;
  for (int v = 0; v < 8; ++v) plan.values.push_back({'t', {2, 3}, 1, 32ull * v, 0});
  for (int v = 0; v < 3; ++v) plan.values.push_back({'i', {0}});
  plan.values.push_back({'b', {0}});
  plan.inputs = {0};
  plan.buffer_sizes = {0, 1024};
  JoinOptions options;
  options.program = ProgramBuilder().method("forward", steps, plan).build();
  return join_of(loop_dump(), loop_record(), options);
}

}  // namespace

TEST_CASE("branches: a loop's own kernels are on the line of the loop", "[branches]") {
  const Join join = load_loop(loop_steps());
  CHECK(unattributed(join) == 0);
  CHECK(line_of(join, "mul.out") == 4);
  CHECK(line_of(join, "add.out") == 5);
  CHECK(line_of(join, "select_copy.int_out") == 7);
  CHECK(line_of(join, "copy_") == 7);
  CHECK(line_of(join, "exp.out") == 8);
  REQUIRE(join.bodies.size() == 1);
  CHECK(join.bodies.front().witness == Instruction(2));
  const ContributionId carry = find_event(join, "native_call_copy_");
  CHECK(join.readable_name(carry) == "carry of scan");
}

TEST_CASE("branches: a loop that is not written as ExecuTorch writes it places nothing",
          "[branches]") {
  const auto places_nothing = [](size_t i, ProgramStep step) {
    std::vector<ProgramStep> steps = loop_steps();
    steps[i] = std::move(step);
    const Join join = load_loop(steps);
    CAPTURE(i);
    CHECK(join.bodies.empty());
    CHECK(line_of(join, "mul.out") == 0);
    CHECK(line_of(join, "exp.out") == 8);
  };
  // The slice of another row than the loop's, other kernels in the body and behind it, another
  // way back.
  places_nothing(2, {'k', "aten::select_copy.int_out", 0, "", {0, 8, 8, 2, 2}});
  places_nothing(3, {'k', "aten::div.out", 0, "", {1, 2, 3, 3}});
  places_nothing(7, {'k', "executorch_prim::sub.Scalar", 0, "", {9, 8, 9}});
  places_nothing(9, {'j', "", 3, "", {11}});
  places_nothing(10, {'k', "executorch_prim::add.Scalar", 0, "", {9, 10, 9}});
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
