// SPDX-License-Identifier: Apache-2.0
// Whether a program is the one that ran, as loading tells.
#include "core/join/program_fit.h"

#include "core/formats/etdump/etdump_reader.h"
#include "core/workspace/load.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"
#include "tests/support/studies.h"
#include "tests/support/surface_words.h"
#include "tests/support/times.h"

namespace etlens::program_fit_test {

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

std::shared_ptr<const Study> load(const std::vector<ProgramStep>& program) {
  return study_of(dump(), record(), {}, ProgramBuilder().method("forward", program).build());
}

}  // namespace

TEST_CASE("program fit: one disagreement is enough", "[program_fit]") {
  CHECK(load(steps())->pte_path == "/m.pte");
  const auto differs = [](size_t i, ProgramStep step) {
    std::vector<ProgramStep> program = steps();
    program[i] = std::move(step);
    const auto study = load(program);
    CHECK(study->pte_path.empty());
    const ReportRow* row = study->report.find(Oddity::ProgramDiffers);
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
    const auto study = load_study(files, request);
    if (!study) FAIL(study.error().message);
    const bool fits = std::string_view(backend) == "XnnpackBackend";
    CHECK(((*study)->report.find(Oddity::ProgramDiffers) == nullptr) == fits);
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
  const auto missing = load_study(files, request);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::NotFound);

  files.put("/m.pte", ProgramBuilder().method("forward", steps()).build().substr(0, 200));
  const auto cut = load_study(files, request);
  if (!cut) FAIL(cut.error().message);
  REQUIRE((*cut)->report.find(Oddity::ProgramUnreadable) != nullptr);
  CHECK((*cut)->report.find(Oddity::ProgramUnreadable)->first.starts_with("/m.pte is damaged"));

  files.put("/m.pte", dump().build());
  static constexpr ControlWords kWords = control_words({{Control::Dump, " with --etdump"}});
  const SurfaceWords words(kWords);
  const auto wrong = load_study(files, request);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message.find(
            "is an ETDump, not a .pte program; give it with --etdump instead") !=
        std::string::npos);
}

}  // namespace etlens::program_fit_test
