// SPDX-License-Identifier: Apache-2.0
// Programs and values that are made to cost much, at the sizes at which a measure once looked
// through all of one list for each of another.
#include <map>

#include "core/base/budget.h"
#include "core/formats/pte/pte_reader.h"
#include "core/join/program_code.h"
#include "core/measure/file_bytes.h"
#include "core/measure/memory.h"
#include "core/measure/values/inspector_gap.h"
#include "core/measure/values/logged_values.h"
#include "tests/support/dump_builder.h"
#include "tests/support/joins.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"
#include "tests/support/record_builder.h"
#include "tests/support/sanitized.h"

namespace etlens::hostile_measures_test {

using namespace etlens::test;

namespace {

constexpr int kMany = 30'000;

EtProgram program_of(std::vector<ProgramStep> steps, ProgramPlan plan) {
  ProgramBuilder builder;
  builder.method("forward", std::move(steps), std::move(plan));
  MemoryFileSystem files;
  files.put("/m.pte", builder.build());
  Result<EtProgram> program = read_program(files, "/m.pte");
  if (!program) FAIL(program.error().message);
  return std::move(*program);
}

// Planned tensors and then one list of them all, whose value is `kMany`.
ProgramPlan tensors_and_list() {
  ProgramPlan plan;
  std::vector<int32_t> all;
  for (int i = 0; i < kMany; ++i) {
    plan.values.push_back({'t', {1}, 1, static_cast<uint64_t>(i) * 4, 0});
    all.push_back(i);
  }
  plan.values.push_back({'l', all});
  plan.buffer_sizes = {0, 4LL * kMany};
  return plan;
}

// Does the work end within two seconds of processor time? What looks at each pair takes minutes.
template <typename Work>
void check_is_quick(const Work& work) {
  set_base_budget(Ledger::kBaseBytes * 16, static_cast<int64_t>(kSlowdown * 2e9));
  const Result<int> done = within_budget({}, [&]() -> Result<int> {
    work();
    go_on(Ledger::kStepsPerLook);
    return 0;
  });
  set_base_budget(Ledger::kBaseBytes, Ledger::kBaseNs);
  INFO((done ? std::string() : done.error().message));
  CHECK(done);
}

}  // namespace

TEST_CASE("hostile measures: a kernel that writes a long list of tensors", "[hostile]") {
  const EtProgram program =
      program_of({{'k', "aten::split.out", 0, "", {kMany}}}, tensors_and_list());
  const ProgramMethod& method = program.methods.front();
  check_is_quick([&] {
    const MemoryPlan plan = plan_memory(method);
    CHECK(plan.tensors.size() == kMany);
    CHECK(plan.tensors.back().life.maker == 0);
  });
}

TEST_CASE("hostile measures: a call with many outputs", "[hostile]") {
  const EtProgram program =
      program_of({{'d', "OtherBackend", 0, "payload", {kMany}}}, tensors_and_list());
  const ProgramMethod& method = program.methods.front();
  check_is_quick([&] {
    const MemoryMeasure memory = measure_memory(code_of_program(nullptr, method, {}), method);
    CHECK(memory.plan.tensors.size() == kMany);
  });
}

namespace {

constexpr int kValues = 4'000;

// Instructions with a node and a logged value each.
struct Logged {
  Join join;
  std::unique_ptr<ValueGraph> graph;
  std::vector<LoggedValue> values;
};

Logged many_values() {
  RecordBuilder record;
  DumpBuilder dump;
  dump.block("Execute");
  for (int i = 0; i < kValues; ++i) {
    const auto handle = static_cast<uint32_t>(i + 1);
    const auto at = static_cast<uint64_t>(10 + 10 * i);
    record.node({"n" + std::to_string(i), "aten.neg.default", handle, "", "", {}});
    record.map(i, {handle});
    dump.tensor({i, {1}});
    dump.operator_call("neg.out", i, at, at + 5);
  }
  dump.framework("Method::execute", 0, 20 + 10 * kValues);
  Logged logged{join_of(dump, record), nullptr, {}};
  logged.graph = std::make_unique<ValueGraph>(logged.join.code());
  logged.values = logged_values({logged.join, *logged.graph, nullptr, {}});
  return logged;
}

}  // namespace

TEST_CASE("hostile measures: many values that are compared as the Inspector does", "[hostile]") {
  const Logged logged = many_values();
  REQUIRE(logged.values.size() == kValues);
  const StoredTensor tensor = number_tensor(int64_t{1});
  std::vector<HandleArray> arrays;
  for (int i = 0; i < kValues; ++i) {
    HandleArray& array = arrays.emplace_back();
    array.handles = {DebugHandle(static_cast<uint32_t>(kValues - i))};
    array.tensor = &tensor;
  }
  check_is_quick([&] {
    const ValueSide side{logged.values, logged.join, *logged.graph};
    CHECK(inspector_gaps(side, arrays, GapMetric::Mse).size() == kValues);
  });
}

}  // namespace etlens::hostile_measures_test
