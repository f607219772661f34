// SPDX-License-Identifier: Apache-2.0
// What the exporter adds to a graph: write-backs of buffers, views of dynamic shapes, arithmetic on
// sizes, copies to a device.
#include "core/join/inserted_placement.h"

#include "core/join/inserted_operators.h"
#include "core/join/program_code.h"
#include "core/workspace/load.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"
#include "tests/support/times.h"

namespace etlens::inserted_placement_test {

using namespace etlens::test;

namespace {

RecordNode node(std::string name, std::string target, uint32_t handle, uint32_t line,
                std::vector<std::string> inputs) {
  return {std::move(name), std::move(target), handle, trace_at(line), "", std::move(inputs)};
}

// x -> update (line 3) -> view (line 4) -> relu (line 5); two buffers take what line 3 and line 5
// made.
RecordBuilder cache_record() {
  RecordBuilder record;
  record.input("buffer", "b_k").input("buffer", "b_v").input("user_input", "x");
  record.node(node("upd", "aten.index_put.default", 1, 3, {"b_k", "x"}))
      .node(node("v", "aten.view_copy.default", 2, 4, {"upd"}))
      .node(node("r", "aten.relu.default", 3, 5, {"v"}))
      .mutation("layers.0.k_cache", "upd")
      .mutation("layers.0.v_cache", "r");
  record.map(0, {1}).map(2, {3});
  return record;
}

DumpBuilder cache_dump() {
  DumpBuilder dump;
  dump.block("Execute")
      .operator_call("index_put.out", 0, 100, 200)
      .event("OPERATOR_CALL", 1, 200, 230)
      .operator_call("relu.out", 2, 230, 330)
      .operator_call("copy_", 3, 330, 340)
      .operator_call("copy_", 4, 340, 360)
      .framework("Method::execute", 100, 360);
  return dump;
}

ProgramPlanValue at(uint64_t offset) { return {'t', {2, 3}, 1, offset, 0}; }

// The write-backs in the other order than the record has its buffers.
std::string cache_program(bool is_swapped) {
  std::vector<ProgramStep> steps{{'k', "aten::index_put.out", 0, "", {0, 2, 3, 3}},
                                 {'k', "executorch_prim::et_view.default", 0, "", {3, 6, 4}},
                                 {'k', "aten::relu.out", 0, "", {4, 5, 5}},
                                 {'k', "aten::copy_", 0, "", {0, 3, 6, 0}},
                                 {'k', "aten::copy_", 0, "", {1, 5, 6, 1}}};
  if (is_swapped) std::swap(steps[3], steps[4]);
  return ProgramBuilder()
      .method("forward", steps,
              {.values = {at(0), at(32), at(64), at(96), at(96), at(128), {'i'}},
               .inputs = {2},
               .outputs = {5},
               .buffer_sizes = {0, 160}})
      .build();
}

Timed load(const DumpBuilder& dump, const RecordBuilder& record, const std::string& program = {}) {
  JoinOptions options;
  options.program = program;
  return time_of(join_of(dump, record, options));
}

uint32_t line_of(const Timed& timed, std::string_view name) {
  const Landing& landing = timed.landing_of(name);
  return landing.line.valid() ? timed.join.code().lines[landing.line.value].number : 0;
}

constexpr const char* kKey = "write-back of layers.0.k_cache";
constexpr const char* kValue = "write-back of layers.0.v_cache";

}  // namespace

TEST_CASE("inserted: write-backs go to the line that made the new value, views to their own",
          "[inserted]") {
  for (const bool is_swapped : {false, true}) {
    CAPTURE(is_swapped);
    const Timed timed = load(cache_dump(), cache_record(), cache_program(is_swapped));
    CHECK(line_of(timed, kKey) == 3);
    CHECK(line_of(timed, kValue) == 5);
    CHECK(timed.self_of(kKey) == (is_swapped ? 20 : 10));
    CHECK(timed.landing_of(kKey).confidence == Confidence::Inferred);
    CHECK(timed.self_on(4) == 30);  // the view
    CHECK(timed.part(Part::Unattributed) == 0);
    CHECK(timed.join.report.find(Oddity::InstructionsUnmapped) == nullptr);
    CHECK(timed.join.report.find(Oddity::InstructionsUnplaced) == nullptr);
  }
}

TEST_CASE("inserted: without a program write-backs are told by their order", "[inserted]") {
  const Timed timed = load(cache_dump(), cache_record());
  CHECK(line_of(timed, kKey) == 3);
  CHECK(line_of(timed, kValue) == 5);
  CHECK(timed.part(Part::Unattributed) == 30);  // the view: only a program says what it reads
  const ReportRow* unmapped = timed.join.report.find(Oddity::InstructionsUnmapped);
  REQUIRE(unmapped != nullptr);
  CHECK(unmapped->count == 1);
}

TEST_CASE("inserted: a custom operator that changes a buffer is placed by the buffer",
          "[inserted]") {
  // The program runs the calls in another order than the record has them.
  RecordBuilder record;
  record.input("buffer", "b_k").input("buffer", "b_v").input("user_input", "x");
  record
      .node(
          {"f", "torch.ops.higher_order.auto_functionalized_v2", 1, trace_at(3), "", {"x", "b_k"}})
      .node({"f_1",
             "torch.ops.higher_order.auto_functionalized_v2",
             2,
             trace_at(4),
             "",
             {"x", "b_v"}})
      .node(node("r", "aten.relu.default", 3, 5, {"f"}))
      .mutation("b_k", "getitem")
      .mutation("b_v", "getitem_1");
  record.map(2, {3});
  DumpBuilder dump;
  dump.block("Execute")
      .operator_call("update_cache.out", 0, 100, 110)
      .operator_call("update_cache.out", 1, 110, 130)
      .operator_call("relu.out", 2, 130, 200)
      .framework("Method::execute", 100, 200);
  const std::string program =
      ProgramBuilder()
          .method("forward",
                  {{'k', "llama::update_cache.out", 0, "", {2, 1, 3, 3}},
                   {'k', "llama::update_cache.out", 0, "", {2, 0, 4, 4}},
                   {'k', "aten::relu.out", 0, "", {2, 5, 5}}},
                  {.values = {at(0), at(32), at(64), at(96), at(128), at(160)},
                   .inputs = {2},
                   .outputs = {5},
                   .buffer_sizes = {0, 192}})
          .build();
  const Timed timed = load(dump, record, program);
  CHECK(timed.self_on(4) == 10);
  CHECK(timed.self_on(3) == 20);
  CHECK(timed.part(Part::Unattributed) == 0);
  CHECK(load(dump, record).part(Part::Unattributed) == 30);  // no order is to be relied on
}

TEST_CASE("inserted: a copy more than buffers that change is told by no order", "[inserted]") {
  DumpBuilder dump = cache_dump();
  RecordBuilder record = cache_record();
  record.mutation("layers.1.k_cache", "upd");
  const Timed timed = load(dump, record);
  CHECK(timed.part(Part::Unattributed) == 30 + 10 + 20);
  // With the program their values tell: two buffers take the same one.
  const Timed told = load(dump, record, cache_program(false));
  CHECK(line_of(told, kKey) == 3);
  CHECK(line_of(told, kValue) == 5);
  CHECK(told.part(Part::Unattributed) == 0);
}

TEST_CASE("inserted: what neither record nor program ties to a node has no false remedy",
          "[inserted]") {
  RecordBuilder record;
  record.node(node("r", "aten.relu.default", 1, 3, {"x"})).map(0, {1});
  DumpBuilder dump;
  dump.block("Execute")
      .operator_call("relu.out", 0, 100, 200)
      .operator_call("mystery.out", 1, 200, 210)
      .framework("Method::execute", 100, 210);
  const std::string program = ProgramBuilder()
                                  .method("forward",
                                          {{'k', "aten::relu.out", 0, "", {0, 1, 1}},
                                           {'k', "my::mystery.out", 0, "", {1, 2, 2}}},
                                          {.values = {at(0), at(32), at(64)},
                                           .inputs = {0},
                                           .outputs = {2},
                                           .buffer_sizes = {0, 96}})
                                  .build();
  AttributionRequest request = read_artifacts(dump, record);
  request.block = BlockId(0);
  request.method = request.record->methods.front();
  MemoryFileSystem files;
  files.put("/m.pte", program);
  Result<EtProgram> read = read_program(files, "/m.pte");
  REQUIRE(read);
  request.program = std::make_shared<EtProgram>(std::move(*read));
  const Join join = attribute(std::move(request));
  CHECK(join.report.find(Oddity::InstructionsUnmapped) == nullptr);
  const ReportRow* row = join.report.find(Oddity::InstructionsUnplaced);
  REQUIRE(row != nullptr);
  CHECK(row->first == "instruction 1 my::mystery.out");
  CHECK(info_of(Oddity::InstructionsUnplaced).severity == Severity::Info);
}

TEST_CASE("inserted: arithmetic on sizes that no line owns is a part of its own", "[inserted]") {
  RecordBuilder record;
  record
      .node({"s",
             "torch.ops.aten.sym_size.int",
             1,
             stack_trace({{"torch/fx/passes/runtime_assert.py", 24, "f", ""}}),
             "",
             {"x"}})
      .node({"n", "_operator.add", 2, "", "", {"s"}})
      .node(node("r", "aten.relu.default", 3, 3, {"x"}));
  record.map(0, {1}).map(1, {2}).map(2, {3});
  DumpBuilder dump;
  dump.block("Execute")
      .event("OPERATOR_CALL", 0, 100, 110)
      .event("OPERATOR_CALL", 1, 110, 130)
      .operator_call("relu.out", 2, 130, 200)
      .framework("Method::execute", 100, 200);
  const Timed timed = load(dump, record);
  CHECK(timed.part(Part::Sizes) == 30);
  CHECK(timed.part(Part::Unattributed) == 0);
  CHECK(timed.self_on(3) == 70);
}

TEST_CASE("inserted: symbolic sizes fit what a program has as upper bounds", "[inserted]") {
  CHECK(fits_shape("[1, s0, 64] float32", "[1, 63, 64] float32"));
  CHECK(fits_shape("[1, Max(2, s0), 64] float32", "[1, 63, 64] float32"));
  CHECK(fits_shape("[] int64", "[] int64"));
  CHECK_FALSE(fits_shape("[1, s0, 32] float32", "[1, 63, 64] float32"));
  CHECK_FALSE(fits_shape("[1, s0] float32", "[1, 63, 64] float32"));
  CHECK_FALSE(fits_shape("[1, s0, 64] float16", "[1, 63, 64] float32"));
  CHECK_FALSE(fits_shape("", "[1] float32"));
}

TEST_CASE("inserted: which names are arithmetic on sizes", "[inserted]") {
  for (const char* name :
       {"executorch_prim::add.Scalar", "executorch_prim::floordiv.Scalar", "aten::sym_size.int",
        "aten.sym_size.int", "aten.sym_numel.default", "_operator.floordiv", "math.ceil"})
    CHECK(is_size_operator(name));
  for (const char* name : {"executorch_prim::et_view.default", "aten::add.out", "aten.add.Tensor",
                           "executorch_prim::et_copy_index.tensor", "", "llama::custom_sdpa.out"})
    CHECK_FALSE(is_size_operator(name));
}

TEST_CASE("inserted: a language model with a cache is placed to the last instruction",
          "[inserted]") {
  const std::string folder = ETLENS_TEST_DATA "/llm-cache/";
  MemoryFileSystem files;
  files.put("/m/model.etdp", read_file(folder + "model.etdp.gz"));
  files.put("/m/model.etrecord", read_file(folder + "model.etrecord"));
  files.put("/m/model.pte", read_file(folder + "model.pte.gz"));
  LoadRequest request;
  request.etdump = "/m/model.etdp";
  request.etrecord = "/m/model.etrecord";
  for (const bool has_program : {true, false}) {
    CAPTURE(has_program);
    if (has_program) request.pte = "/m/model.pte";
    else request.pte.clear();
    const auto study = load_study(files, request);
    if (!study) FAIL(study.error().message);
    const Join& join = *(*study)->join;
    CHECK((*study)->fit->score == 1);
    CHECK((*study)->fit->reasons.empty());
    size_t write_backs = 0;
    size_t unattributed = 0;
    for (size_t e = 0; e < join.events.size(); ++e) {
      const ContributionId id(e);
      const Landing& landing = (*join.landings)[id];
      unattributed += landing.part == Part::Unattributed ? 1 : 0;
      if (!join.readable_name(id).starts_with("write-back of layers.")) continue;
      ++write_backs;
      REQUIRE(landing.line.valid());
      CHECK(join.code().lines[landing.line.value].number == 638);
      CHECK(landing.confidence == Confidence::Inferred);
    }
    CHECK(write_backs == 4);
    CHECK((unattributed == 0) == has_program);
    CHECK((join.report.find(Oddity::InstructionsUnmapped) == nullptr) == has_program);
    CHECK(join.report.find(Oddity::InstructionsUnplaced) == nullptr);
    CHECK((*study)->report.find(Oddity::RecordNonStrict) != nullptr);
    for (const CodeLine& line : join.code().lines) CHECK(line.runs > 0);
  }
}

}  // namespace etlens::inserted_placement_test
