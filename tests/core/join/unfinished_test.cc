// SPDX-License-Identifier: Apache-2.0
// Failed executions of releases that close Method::execute all the same.
#include "core/join/unfinished.h"

#include "core/join/no_execution.h"
#include "tests/support/joins.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"

namespace etlens::unfinished_test {

using namespace etlens::test;

namespace {

constexpr const char* kKernels[] = {"addmm", "relu", "sigmoid", "tanh"};

// A method of the first kernels.
void add_method(RecordBuilder& record, const std::string& name, int32_t count) {
  record.method(name);
  for (int32_t i = 0; i < count; ++i) {
    const auto handle = static_cast<uint32_t>(i + 1);
    record.node({name + std::to_string(i),
                 std::string("aten.") + kKernels[i] + ".default",
                 handle,
                 trace_at(3),
                 "",
                 {"x"}});
    record.map(i, {handle});
  }
}

RecordBuilder record_of(int32_t forward) {
  RecordBuilder record;
  add_method(record, "forward", forward);
  return record;
}

// An execution of the first `count` of them.
DumpBuilder& run(DumpBuilder& dump, int32_t count, bool jumps = false) {
  dump.block("Execute");
  for (int32_t i = 0; i < count; ++i) {
    const auto at = static_cast<uint64_t>(100 * i);
    dump.operator_call(std::string(kKernels[i]) + ".out", i, at + 10, at + 90, 5);
  }
  if (jumps) dump.event("JF_CALL", count, 900, 901);
  return dump.framework("Method::execute", 0, 1000);
}

std::string program_of(const std::vector<int32_t>& methods, bool jumps = false) {
  ProgramBuilder builder;
  for (size_t m = 0; m < methods.size(); ++m) {
    std::vector<ProgramStep> steps;
    for (int32_t i = 0; i < methods[m]; ++i)
      steps.push_back({'k', std::string("aten::") + kKernels[i] + ".out"});
    if (jumps) steps.push_back({'j', "", 0, "", {0}});
    builder.method("m" + std::to_string(m), steps);
  }
  return builder.build();
}

// Numbers of the blocks, from 1 on.
std::vector<uint32_t> unfinished(const DumpBuilder& dump, const RecordBuilder* record,
                                 const std::string& program = "") {
  const AttributionRequest read = read_artifacts(dump, record ? *record : record_of(1));
  std::optional<EtProgram> pte;
  if (!program.empty()) {
    MemoryFileSystem files;
    files.put("/m.pte", program);
    Result<EtProgram> bytes = read_program(files, "/m.pte", {});
    REQUIRE(bytes);
    pte = std::move(*bytes);
  }
  std::vector<uint32_t> numbers;
  for (const BlockId id :
       unfinished_blocks(*read.log, read.trees, read.blocks, record ? read.record.get() : nullptr,
                         pte ? &*pte : nullptr, built_in_backends()))
    numbers.push_back(id.value + 1);
  return numbers;
}

using Blocks = std::vector<uint32_t>;

}  // namespace

TEST_CASE("unfinished: executions that end early beside whole ones", "[no_execution]") {
  DumpBuilder dump;
  run(run(run(run(dump, 4), 2), 2), 3);
  const RecordBuilder record = record_of(4);
  CHECK(unfinished(dump, &record) == Blocks{2, 3});
  CHECK(unfinished(dump, nullptr, program_of({4})) == Blocks{2, 3});
  CHECK(unfinished(dump, nullptr).empty());
}

TEST_CASE("unfinished: a method that is the front of another is whole", "[no_execution]") {
  DumpBuilder dump;
  run(run(run(dump, 4), 2), 1);
  RecordBuilder record;
  add_method(record, "encode", 2);
  add_method(record, "forward", 4);
  CHECK(unfinished(dump, &record) == Blocks{3});
  CHECK(unfinished(dump, nullptr, program_of({4, 2})) == Blocks{3});
}

TEST_CASE("unfinished: jumps, gaps, other models and dumps without a whole execution",
          "[no_execution]") {
  const RecordBuilder record = record_of(4);
  DumpBuilder jumped;
  run(run(jumped, 4), 2, true);
  CHECK(unfinished(jumped, &record).empty());
  CHECK(unfinished(jumped, nullptr, program_of({4}, true)).empty());
  DumpBuilder gap;
  run(gap, 4).block("Execute").operator_call("addmm.out", 0, 10, 20);
  gap.operator_call("tanh.out", 3, 30, 40).framework("Method::execute", 0, 50);
  CHECK(unfinished(gap, &record).empty());
  CHECK(unfinished(gap, nullptr, program_of({4})).empty());
  // They may be of another export as well: the pair says both.
  DumpBuilder all;
  run(run(all, 3), 3);
  CHECK(unfinished(all, &record).empty());
  const AttributionRequest read = read_artifacts(all, record);
  const std::vector<MethodFit> fits =
      fit_methods(*read.log, read.trees, read.blocks[0], *read.record);
  REQUIRE(fits.size() == 1);
  CHECK(fits.front().is_front);
  REQUIRE(fits.front().reasons.size() == 1);
  CHECK(fits.front().reasons.front().find("the executions broke off, or the record is of another "
                                          "export") != std::string::npos);
}

}  // namespace etlens::unfinished_test
