// SPDX-License-Identifier: Apache-2.0
// What a record knows of a program's instructions, and what it costs to find out.
#include "core/join/program_code.h"

#include <fmt/format.h>

#include "core/base/budget.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "core/formats/pte/pte_reader.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"
#include "tests/support/record_builder.h"

using namespace etlens;
using namespace etlens::test;

namespace {

// So many calls of a backend, each of one node that reads the node of the call before; the record
// was made before lowering.
struct Chain {
  explicit Chain(int calls) {
    RecordBuilder record;
    std::vector<ProgramStep> steps;
    ProgramPlan plan{.values = {{'t', {4}, 1, 0}}, .inputs = {0}, .buffer_sizes = {0, 32}};
    for (int c = 0; c < calls; ++c) {
      const auto handle = static_cast<uint32_t>(c + 1);
      record.node(
          {fmt::format("x{}", c + 1), "aten.neg.default", handle, "", "", {fmt::format("x{}", c)}});
      record.map(c, {handle}).delegate(c, "OtherBackend");
      plan.values.push_back({'t', {4}, 1, c % 2 == 0 ? 16u : 0u});
      steps.push_back({'d', "OtherBackend", 0, "p", {c, c + 1}});
    }
    plan.outputs = {calls};
    files.put("/m.pte", ProgramBuilder().method("forward", steps, plan).build());
    files.put("/m.etrecord", std::string(record.build().text()));
  }

  MemoryFileSystem files;
};

// How many allocations it takes.
int64_t cost_of(int calls) {
  const Chain chain(calls);
  const Result<EtProgram> program = read_program(chain.files, "/m.pte", {});
  REQUIRE(program);
  Result<EtRecord> read = read_etrecord(chain.files, "/m.etrecord", {});
  REQUIRE(read);
  const auto record = std::make_shared<const EtRecord>(std::move(*read));
  const std::shared_ptr<const Code> code = code_of_program(record, program->methods.front(), {});
  REQUIRE(code->partitions.size() == static_cast<size_t>(calls));
  REQUIRE(code->partitions.front().nodes.size() == 1);
  const Result<size_t> found = within_budget({}, [&]() -> Result<size_t> {
    return find_nodes(*code, program->methods.front()).returned.size();
  });
  REQUIRE(found);
  CHECK(*found == static_cast<size_t>(calls));
  return counted_allocations();
}

}  // namespace

TEST_CASE("what calls return costs in proportion to them, however large the graph around them is",
          "[program]") {
  CHECK(cost_of(800) < 3 * cost_of(400));
}
