// SPDX-License-Identifier: Apache-2.0
// Graphs of small programs: lists, views, outputs in place, jumps and loops, what repeats, and
// programs that are made to cost much.
#include <algorithm>
#include <set>

#include "core/base/budget.h"
#include "core/formats/pte/pte_reader.h"
#include "core/join/program_code.h"
#include "core/program_graph/program_graph.h"
#include "core/program_graph/repeats.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"

namespace etlens::program_graph_test {

using namespace etlens::test;

namespace {

ProgramStep kernel(std::string op, std::vector<int32_t> arguments) {
  return {'k', std::move(op), 0, "", std::move(arguments)};
}
ProgramPlanValue at(uint64_t offset) { return {'t', {4}, 1, offset, 0}; }
ProgramPlanValue list(std::vector<int32_t> values) { return {'l', std::move(values)}; }
ProgramPlanValue number(int32_t of) { return {'i', {of}}; }

Result<ProgramGraph> try_graph(std::vector<ProgramStep> steps, ProgramPlan plan) {
  ProgramBuilder builder;
  builder.constant("0123456789abcdef");
  builder.method("forward", std::move(steps), std::move(plan));
  MemoryFileSystem files;
  files.put("/m.pte", builder.build());
  return within_budget({}, [&]() -> Result<ProgramGraph> {
    const Result<EtProgram> program = read_program(files, "/m.pte");
    if (!program) return program.error();
    const ProgramMethod& method = program->methods.front();
    return graph_of_program(method, code_of_program(nullptr, method, {}), built_in_backends(),
                            [](const ProgramDelegate&) { return std::vector<uint8_t>(); });
  });
}

ProgramGraph graph(std::vector<ProgramStep> steps, ProgramPlan plan) {
  Result<ProgramGraph> made = try_graph(std::move(steps), std::move(plan));
  if (!made) FAIL(made.error().message);
  return std::move(*made);
}

std::string name_of_node(const ProgramGraph& graph, uint32_t n) {
  const GraphNode& node = graph.nodes[n];
  if (node.instruction != kNone) return std::to_string(node.instruction);
  return std::string(name_of(node.kind)) +
         (node.makes.empty() ? "" : std::to_string(node.makes.front()));
}

// "input0>0:0", or "3>4:1.0" for an element of a list.
std::set<std::string> edges(const ProgramGraph& graph) {
  std::set<std::string> found;
  for (const GraphEdge& edge : graph.edges) {
    found.insert(name_of_node(graph, edge.from) + ">" + name_of_node(graph, edge.to) + ":" +
                 std::to_string(edge.at.argument) +
                 (edge.at.element == kNone ? "" : "." + std::to_string(edge.at.element)));
  }
  return found;
}
using Edges = std::set<std::string>;

}  // namespace

TEST_CASE("graph: lists that are read and lists that are written", "[graph]") {
  // x → split → [1, 2]; cat([2, 1]) → 5, with another list of the same tensors.
  const ProgramGraph made = graph({kernel("aten::split_copy.Tensor_out", {0, 7, 8, 3, 9}),
                                   kernel("aten::cat.out", {4, 8, 5, 5})},
                                  {{at(0), at(16), at(32), list({1, 2}), list({2, 1, -1}), at(48),
                                    at(64), number(2), number(0), list({1, 2})},
                                   {0},
                                   {5},
                                   {0, 128}});
  CHECK(edges(made) == Edges{"input0>0:0", "0>1:0.0", "0>1:0.1", "1>output:0"});
  CHECK(made.values[1].shape == "[4]");
  CHECK(made.values[1].dtype == "float32");
  CHECK(made.values[7].literal == "2");
}

TEST_CASE("graph: outputs that stand in front of the list that a kernel returns", "[graph]") {
  const ProgramGraph made =
      graph({kernel("aten::max.dim_max", {0, 1, 2, 3}), kernel("aten::add.out", {1, 2, 4, 5, 5})},
            {{at(0), at(16), at(32), list({1, 2}), number(1), at(48)}, {0}, {5}, {0, 128}});
  CHECK(edges(made) == Edges{"input0>0:0", "0>1:0", "0>1:1", "1>output:0"});
}

TEST_CASE("graph: a kernel that writes into what it reads", "[graph]") {
  const ProgramGraph made =
      graph({kernel("aten::mul.out", {0, 0, 1, 1}), kernel("aten::add.out", {1, 0, 2, 1, 1}),
             kernel("aten::exp.out", {1, 3, 3})},
            {{at(0), at(16), number(1), at(32)}, {0}, {3}, {0, 128}});
  CHECK(edges(made) ==
        Edges{"input0>0:0", "input0>0:1", "0>1:0", "input0>1:1", "1>2:0", "2>output:0"});
}

TEST_CASE("graph: views that were planned away lead to the maker of their base", "[graph]") {
  // 2 has the bytes of 1, and nothing writes it.
  const ProgramGraph made =
      graph({kernel("aten::mul.out", {0, 0, 1, 1}), kernel("aten::exp.out", {2, 3, 3})},
            {{at(0), at(16), {'t', {2, 2}, 1, 16, 0}, at(32)}, {0}, {3}, {0, 128}});
  CHECK(edges(made) == Edges{"input0>0:0", "input0>0:1", "0>1:0", "1>output:0"});
}

TEST_CASE("graph: sizes that kernels compute are edges, in lists of integers, too", "[graph]") {
  const ProgramGraph made =
      graph({kernel("aten::sym_size.int", {0, 1, 2}), kernel("aten::view_copy.out", {0, 3, 4, 4})},
            {{at(0), number(0), number(4), {'s', {2, 1}}, at(16)}, {0}, {4}, {0, 128}});
  CHECK(edges(made) == Edges{"input0>0:0", "input0>1:0", "0>1:1.0", "1>output:0"});
}

TEST_CASE("graph: constants and state are sources", "[graph]") {
  // 0 is planned state, 1 a constant, 2 the input.
  const ProgramGraph made =
      graph({kernel("aten::add.out", {2, 1, 3, 3}), kernel("aten::mul.out", {3, 0, 4, 4}),
             kernel("aten::copy_", {0, 4, 0})},
            {{at(0), {'t', {4}, 0, 0, 1}, at(16), at(32), at(48)}, {2}, {4}, {0, 128}});
  CHECK(edges(made) == Edges{"input2>0:0", "constant1>0:1", "0>1:0", "state0>1:1", "state0>2:0",
                             "1>2:1", "1>output:0"});
}

TEST_CASE("graph: after a branch a value has a maker on each way", "[graph]") {
  // 0: gt → 1; if false to 4; then: 2 exp → 3, move to 5, jump to 6; else: 5 …
  const ProgramGraph made = graph(
      {kernel("aten::gt.Scalar_out", {0, 2, 1, 1}),
       {'j', "", 5, "", {1}},
       kernel("aten::exp.out", {0, 3, 3}),
       {'m', "", 0, "", {3, 5}},
       {'j', "", 7, "", {6}},
       kernel("aten::sin.out", {0, 4, 4}),
       {'m', "", 0, "", {4, 5}},
       kernel("aten::neg.out", {5, 7, 7})},
      {{at(0), at(16), number(0), at(32), at(48), at(64), {'b', {0}}, at(80)}, {0}, {7}, {0, 128}});
  CHECK(edges(made) == Edges{"input0>0:0", "0>1:0", "input0>2:0", "2>3:0", "input0>5:0", "5>6:0",
                             "3>7:0", "6>7:0", "7>output:0"});
}

TEST_CASE("graph: around a loop a value comes from the turn before", "[graph]") {
  const ProgramGraph made =
      graph({kernel("aten::exp.out", {0, 1, 1}),
             kernel("executorch_prim::add.Scalar", {2, 3, 2}),
             kernel("executorch_prim::et_copy_index.tensor", {5, 1, 2}),
             kernel("executorch_prim::eq.Scalar", {2, 3, 4}),
             {'j', "", 0, "", {4}}},
            {{at(0), at(16), number(0), number(1), {'b', {0}}, at(32)}, {0}, {5}, {0, 128}});
  CHECK(edges(made) ==
        Edges{"input0>0:0", "1>1:0", "0>2:1", "1>2:2", "1>3:0", "3>4:0", "2>2:0", "2>output:0"});
}

TEST_CASE("graph: runs that repeat", "[graph]") {
  const auto text = [](std::string_view tokens) {
    const std::vector<uint32_t> numbers(tokens.begin(), tokens.end());
    std::string found;
    for (const Repeat& repeat : repeats_in(numbers))
      found += std::to_string(repeat.first) + ":" + std::to_string(repeat.count) + "x" +
               std::to_string(repeat.times) + " ";
    return found;
  };
  CHECK(text("") == "");
  CHECK(text("abcdabcd") == "");
  CHECK(text("xabcdabcdabcdy") == "1:4x3 ");
  CHECK(text("abcabcabc") == "");
  CHECK(text("aabcaabcaabcaabc") == "0:4x4 ");
  CHECK(text("aaaaaaaaaaaa") == "0:4x3 ");
  CHECK(text("abcdabcdabcdefghefghefgh") == "0:4x3 12:4x3 ");
}

TEST_CASE("graph: programs that are made to cost much end, with a sentence or a graph",
          "[graph][hostile]") {
  // Every instruction jumps back and writes what all others read: a maker for each on every way.
  std::vector<ProgramStep> steps;
  for (uint32_t i = 0; i < 20'000; ++i) {
    steps.push_back(kernel("aten::add.out", {0, 1, 1, 1}));
    steps.push_back({'j', "", (i * 7919) % 40'000, "", {1}});
  }
  const Result<ProgramGraph> made =
      try_graph(std::move(steps), {{at(0), at(16)}, {0}, {1}, {0, 128}});
  if (made) CHECK(made->edges.size() < 10'000'000);
  else CHECK(made.error().message.find("/m.pte") != std::string::npos);
}

TEST_CASE("graph: odd arguments", "[graph][hostile]") {
  CHECK(graph({}, {}).nodes.empty());
  // No arguments, lists that contain themselves, jumps on nothing.
  const ProgramGraph made = graph({kernel("aten::add.out", {}),
                                   kernel("aten::cat.out", {1, 1, 1}),
                                   {'j', "", 0, "", {1}},
                                   {'m', "", 0, "", {1, 1}},
                                   {'f', "", 0, "", {0}}},
                                  {{at(0), list({1, 0, 1})}, {1}, {1, 1}, {0, 16}});
  CHECK(made.nodes.size() == 8);
}

}  // namespace etlens::program_graph_test
