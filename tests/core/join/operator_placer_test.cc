// SPDX-License-Identifier: Apache-2.0
// Which of several nodes with one handle and one operator an instruction ran.
#include "core/join/operator_placer.h"

#include <fmt/format.h>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "core/formats/pte/pte_reader.h"
#include "core/join/program_code.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"
#include "tests/support/record_builder.h"

namespace etlens::operator_placer_test {

using namespace etlens::test;

namespace {

using Names = std::vector<std::string>;
using Sizes = std::vector<int32_t>;

// Nodes a, b, … of these shapes, which one handle and one operator have, and a program whose
// instructions write tensors of those sizes. Returns the nodes that the instructions are placed on.
Names placed(const Names& shapes, const std::vector<Sizes>& written, bool has_program = true) {
  RecordBuilder builder;
  builder.input("user_input", "x", "1, s0");
  std::vector<ProgramStep> steps;
  ProgramPlan plan{.values = {{'t', {1, 63}}}, .inputs = {0}};
  for (size_t k = 0; k < shapes.size(); ++k) {
    RecordNode node{std::string(1, static_cast<char>('a' + k)), "aten.expand_copy.default", 7};
    node.inputs = {"x"};
    node.shape = shapes[k];
    builder.node(node);
  }
  for (size_t k = 0; k < written.size(); ++k) {
    builder.map(static_cast<int32_t>(k), {7});
    plan.values.push_back({'t', written[k]});
    const auto value = static_cast<int32_t>(k + 1);
    steps.push_back({'k', "aten::expand_copy.out", 0, "", {0, value, value}});
  }
  MemoryFileSystem files;
  files.put("/m.etrecord", std::string(builder.build().text()));
  files.put("/m.pte", ProgramBuilder().method("forward", steps, plan).build());
  const Result<EtRecord> record = read_etrecord(files, "/m.etrecord", {});
  REQUIRE(record);
  const Result<EtProgram> program = read_program(files, "/m.pte", {});
  REQUIRE(program);
  const ProjectFrames frames(*record, {});
  const MethodContext context(*record, record->methods.front(), frames);
  std::vector<ExecutedInstruction> executed;
  for (size_t k = 0; k < written.size(); ++k)
    executed.push_back({Instruction(static_cast<int32_t>(k)), "native_call_expand_copy.out"});
  const OperatorPlacer placer(context, executed, has_program ? &program->methods.front() : nullptr);
  Names nodes;
  for (const ExecutedInstruction& row : executed) {
    const NodeId node = placer.place(row.instruction, row.kernel).node;
    REQUIRE(node.valid());
    nodes.emplace_back(record->text(record->nodes[node.value].name));
  }
  return nodes;
}

}  // namespace

TEST_CASE("operators: of nodes with one handle an instruction ran the one whose shape it writes",
          "[operators]") {
  const Names factors{"1, 6, s0, 128", "1, 6, 128, 24"};
  CHECK(placed(factors, {{1, 6, 63, 128}, {1, 6, 128, 24}}) == Names{"a", "b"});
  // A backend took nodes between them, and what was left changed places.
  CHECK(placed(factors, {{1, 6, 128, 24}, {1, 6, 63, 128}}) == Names{"b", "a"});
  CHECK(placed(factors, {{1, 6, 128, 24}, {1, 6, 63, 128}}, false) == Names{"a", "b"});
}

TEST_CASE("operators: sizes that are equal say more than those that may be", "[operators]") {
  // The first fits both.
  CHECK(placed({"1, s0, 32", "1, 128, 32"}, {{1, 128, 32}, {1, 63, 32}}) == Names{"b", "a"});
  // Nodes of one shape stay in their order.
  CHECK(placed({"4, s0", "s0, 4", "4, s0"}, {{4, 63}, {4, 63}, {63, 4}}) == Names{"a", "c", "b"});
}

TEST_CASE("operators: shapes that do not fit change nothing", "[operators]") {
  CHECK(placed({"1, s0, 32", "1, 128, 16"}, {{1, 128, 16}, {1, 63, 8}}) == Names{"a", "b"});
  CHECK(placed({"1, 8", "1, 9"}, {{1, 9}, {2, 8}}) == Names{"a", "b"});
  // Another number of instructions: all of them ran the first.
  CHECK(placed({"1, 8", "1, 9"}, {{1, 9}}) == Names{"a"});
}

TEST_CASE("operators: in a program with a cache every kernel writes the shape of its node",
          "[operators]") {
  const std::string folder = ETLENS_TEST_DATA "/llm-cache/";
  MemoryFileSystem files;
  files.put("/m.etrecord", read_file(folder + "model.etrecord"));
  files.put("/m.pte", read_file(folder + "model.pte.gz"));
  const Result<EtRecord> record = read_etrecord(files, "/m.etrecord", {});
  REQUIRE(record);
  const Result<EtProgram> program = read_program(files, "/m.pte", {});
  REQUIRE(program);
  const ProgramMethod& method = program->methods.front();
  const InstructionNodes nodes = find_nodes(*record, record->methods.front(), method);
  size_t checked = 0;
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    const ProgramInstruction& row = method.instructions[i];
    const NodeId id = nodes.placements[i].node;
    if (row.kind != InstructionKind::Kernel || !id.valid() || row.argument_count == 0) continue;
    const Node& node = record->nodes[id.value];
    std::vector<uint32_t> written;
    method.append_tensors_of(method.arguments_of(row).back(), written);
    const std::string_view base = base_operator_of_kernel(method.operator_of(row));
    if (written.empty() || !node.shape.valid() ||
        base != base_operator_of_target(record->text(node.target)))
      continue;
    CAPTURE(i, base, record->text(node.shape));
    CHECK(
        fits_shape(record->text(node.shape), shape_text(method, method.tensors[written.front()])));
    ++checked;
  }
  CHECK(checked >= 50);
}

}  // namespace etlens::operator_placer_test
