// SPDX-License-Identifier: Apache-2.0
// What only a program knows: instructions inside control-flow branches, and whether it is the one
// that ran.
#include "core/join/branch_placement.h"

#include "core/formats/etdump/etdump_reader.h"
#include "core/workspace/load.h"
#include "core/join/program_fit.h"
#include "tests/support/corpus.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/payload_builder.h"
#include "tests/support/record_builder.h"

using namespace etlens;
using namespace etlens::test;

namespace {

std::string at(uint32_t line) {
  return stack_trace({{"/m/a.py", line, "forward", "line " + std::to_string(line)}}, true);
}

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

std::shared_ptr<const ProfileSnapshot> load(const std::vector<ProgramStep>& program,
                                            const DumpBuilder& log = dump()) {
  MemoryFileSystem files;
  files.put("/d.etdp", log.build());
  files.put("/r.etrecord", record().build());
  LoadRequest request;
  request.etdump = "/d.etdp";
  request.etrecord = "/r.etrecord";
  if (!program.empty()) {
    files.put("/m.pte", ProgramBuilder().method("forward", program).build());
    request.pte = "/m.pte";
  }
  auto snapshot = load_snapshot(files, request);
  if (!snapshot) FAIL(snapshot.error().message);
  return *snapshot;
}

// Self ticks of a line; 0 if there is none.
uint64_t line(const ProfileSnapshot& snapshot, uint32_t number) {
  for (const LineRow& row : snapshot.profile.lines) {
    if (row.line == number) return row.self_ticks;
  }
  return 0;
}

}  // namespace

TEST_CASE("branches: without a program their instructions are unattributed", "[branches]") {
  const auto snapshot = load({});
  CHECK(snapshot->profile.total[TimePart::Unattributed] == 20);
  CHECK(snapshot->report.find(Oddity::InstructionsUnmapped) != nullptr);
}

TEST_CASE("branches: a program places them exactly", "[branches]") {
  const auto snapshot = load(steps());
  CHECK(snapshot->profile.total[TimePart::Unattributed] == 0);
  CHECK(snapshot->report.find(Oddity::InstructionsUnmapped) == nullptr);
  CHECK(snapshot->report.find(Oddity::ProgramDiffers) == nullptr);
  CHECK(line(*snapshot, 4) == 10);
  CHECK(line(*snapshot, 6) == 10);  // behind a view that was planned away
  for (const EventRow& row : snapshot->profile.events) {
    if (row.part == TimePart::Line) CHECK(row.confidence == Confidence::Exact);
  }
}

TEST_CASE("branches: other operators than the graphs' place nothing", "[branches]") {
  std::vector<ProgramStep> other = steps();
  other[6].name = "aten::tan.out";  // in the branch that did not run
  const auto snapshot = load(other);
  CHECK(snapshot->profile.total[TimePart::Unattributed] == 20);
  std::vector<ProgramStep> straight = steps();
  straight[1] = {'m'};
  straight[5] = {'m'};
  CHECK(load(straight)->profile.total[TimePart::Unattributed] == 20);
}

TEST_CASE("branches: real programs with control flow", "[branches]") {
  size_t placed = 0;
  for (const std::string& folder : case_folders()) {
    if (folder.find("gate-") == std::string::npos) continue;
    const std::string pte = folder + "/model.pte";
    if (!real_file_system().stat(pte)) continue;
    for (const Pair& pair : pairs_of(folder)) {
      CAPTURE(pair.etdump, pair.etrecord);
      LoadRequest request;
      request.etdump = unpacked(pair.etdump);
      request.etrecord = pair.etrecord;
      const auto without = load_snapshot(real_file_system(), request);
      if (!without) FAIL(without.error().message);
      request.pte = pte;
      const auto with = load_snapshot(real_file_system(), request);
      if (!with) FAIL(with.error().message);
      REQUIRE((*without)->profile.total[TimePart::Unattributed] > 0);
      CHECK((*with)->report.find(Oddity::ProgramDiffers) == nullptr);
      CHECK((*with)->report.find(Oddity::InstructionsUnmapped) == nullptr);
      // In release 0.5 branches have no stack traces; then their nodes are known, but no lines.
      for (const EventRow& row : (*with)->profile.events) {
        if (row.role == EventRole::Kernel) CHECK(row.node.valid());
      }
      placed += (*with)->profile.total[TimePart::Unattributed] == 0;
    }
  }
  CHECK(placed > 0);
}

TEST_CASE("program fit: one disagreement is enough", "[program_fit]") {
  CHECK(load(steps())->pte_path == "/m.pte");
  const auto differs = [](size_t i, ProgramStep step) {
    std::vector<ProgramStep> program = steps();
    program[i] = std::move(step);
    const auto snapshot = load(program);
    CHECK(snapshot->pte_path.empty());
    const ReportRow* row = snapshot->report.find(Oddity::ProgramDiffers);
    return row == nullptr ? std::string() : row->first;
  };
  CHECK(differs(3, {'k', "aten::log.out"}) ==
        "/m.pte: instruction 3 ran native_call_exp.out, the program has aten::log.out");
  CHECK(differs(3, {'k', "aten::exp.Tensor_out"}).find("instruction 3") != std::string::npos);
  CHECK(differs(2, {'d', "XnnpackBackend"}) ==
        "/m.pte: instruction 2 is a kernel in the dump, a delegate call in the program");
  CHECK(differs(4, {'k', "aten::add.out"}).find("instruction 4 moved or jumped") !=
        std::string::npos);

  std::vector<ProgramStep> shorter = steps();
  shorter.resize(8);
  CHECK(load(shorter)->report.find(Oddity::ProgramDiffers)->first.find("has only 8") !=
        std::string::npos);

  MemoryFileSystem files;
  files.put("/m.pte", ProgramBuilder().method("other", steps()).build());
  const Result<EtProgram> program = read_program(files, "/m.pte");
  REQUIRE(program);
  const Result<EventLog> log = read_etdump(dump().build());
  REQUIRE(log);
  const std::vector<EventTree> trees = build_event_trees(*log);
  const std::vector<Block> blocks = group_blocks(*log, trees);
  CHECK(fits_any_method(*program, *log, trees, blocks.front(), nullptr));
}

TEST_CASE("program fit: the record's maps count too", "[program_fit]") {
  RecordBuilder delegated;
  delegated.node({"a", "aten.add.Tensor", 1, at(3), "", {}})
      .map(0, {1})
      .delegate(0, "XnnpackBackend");
  DumpBuilder log;
  log.block("Execute").delegate("Add (ND) #1", 0, 100, 110).event("DELEGATE_CALL", 0, 95, 115);
  log.framework("Method::execute", 90, 120);
  MemoryFileSystem files;
  files.put("/d.etdp", log.build());
  files.put("/r.etrecord", delegated.build());
  for (const char* backend : {"XnnpackBackend", "OtherBackend"}) {
    files.put("/m.pte", ProgramBuilder().method("forward", {{'d', backend, 0, "x"}}).build());
    LoadRequest request;
    request.etdump = "/d.etdp";
    request.etrecord = "/r.etrecord";
    request.pte = "/m.pte";
    const auto snapshot = load_snapshot(files, request);
    if (!snapshot) FAIL(snapshot.error().message);
    const bool fits = std::string_view(backend) == "XnnpackBackend";
    CHECK(((*snapshot)->report.find(Oddity::ProgramDiffers) == nullptr) == fits);
  }
}

TEST_CASE("program: one that cannot be read is a row of the report", "[program_fit]") {
  MemoryFileSystem files;
  files.put("/d.etdp", dump().build());
  files.put("/r.etrecord", record().build());
  LoadRequest request;
  request.etdump = "/d.etdp";
  request.etrecord = "/r.etrecord";
  request.pte = "/m.pte";
  const auto missing = load_snapshot(files, request);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::NotFound);

  files.put("/m.pte", ProgramBuilder().method("forward", steps()).build().substr(0, 200));
  const auto cut = load_snapshot(files, request);
  if (!cut) FAIL(cut.error().message);
  REQUIRE((*cut)->report.find(Oddity::ProgramUnreadable) != nullptr);
  CHECK((*cut)->report.find(Oddity::ProgramUnreadable)->first.starts_with("/m.pte is damaged"));

  files.put("/m.pte", dump().build());
  const auto wrong = load_snapshot(files, request);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message.find("give it with --etdump instead of --pte") != std::string::npos);
}
