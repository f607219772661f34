// SPDX-License-Identifier: Apache-2.0
#include "core/join/event_tree.h"

#include "core/base/id.h"
#include "core/formats/etdump/etdump_reader.h"
#include "core/join/block.h"
#include "tests/support/dump_builder.h"

namespace etlens::event_tree_test {

using test::DumpBuilder;

namespace {

struct Built {
  EventLog log;
  std::vector<EventTree> trees;
};

Built build(const DumpBuilder& dump) {
  auto log = read_etdump(dump.build());
  REQUIRE(log);
  Built built{std::move(*log), {}};
  built.trees = build_event_trees(built.log);
  return built;
}

std::vector<uint32_t> parents(const DumpBuilder& dump) { return build(dump).trees[0].parents; }

}  // namespace

TEST_CASE("event tree: execute > instruction > kernel", "[event_tree]") {
  const Built built = build(DumpBuilder()
                                .block("Execute")
                                .operator_call("add.out", 0, 110, 120, 2)  // 0, 1
                                .delegate("Clamp #1", 1, 130, 135)         // 2
                                .event("DELEGATE_CALL", 1, 128, 140)       // 3
                                .event("MOVE_CALL", 2, 141, 142)           // 4
                                .framework("Method::execute", 100, 150));  // 5
  const EventTree& tree = built.trees[0];
  CHECK(tree.parents == std::vector<uint32_t>{1, 5, 3, 5, 5, kNone});
  CHECK(tree.roles[0] == EventRole::Kernel);
  CHECK(tree.roles[2] == EventRole::DelegateEvent);
  CHECK(tree.roles[4] == EventRole::Control);
  CHECK(tree.is_leaf(0));
  CHECK_FALSE(tree.is_leaf(3));
}

TEST_CASE("event tree: framework events carry instruction 0 but belong to none", "[event_tree]") {
  const auto found = parents(DumpBuilder()
                                 .block("Execute")
                                 .framework("Method::init", 10, 20)
                                 .framework("Program::load_method", 5, 25)
                                 .operator_call("add.out", 0, 110, 120)
                                 .framework("Method::execute", 100, 150));
  CHECK(found == std::vector<uint32_t>{1, kNone, 3, 4, kNone});
}

TEST_CASE("event tree: a loop repeats instructions", "[event_tree]") {
  const auto found = parents(DumpBuilder()
                                 .block("Execute")
                                 .operator_call("add.out", 4, 10, 20)
                                 .event("JF_CALL", 5, 21, 22)
                                 .operator_call("add.out", 4, 30, 40)
                                 .event("JF_CALL", 5, 41, 42)
                                 .framework("Method::execute", 0, 50));
  CHECK(found == std::vector<uint32_t>{1, 6, 6, 4, 6, 6, kNone});
}

TEST_CASE("event tree: a clock that stands nests by identity and order", "[event_tree]") {
  const auto found = parents(DumpBuilder()
                                 .block("Execute")
                                 .operator_call("add.out", 4, 7, 7)
                                 .operator_call("add.out", 4, 7, 7)
                                 .framework("Method::execute", 7, 7));
  CHECK(found == std::vector<uint32_t>{1, 4, 3, 4, kNone});
}

TEST_CASE("event tree: kernels call kernels", "[event_tree]") {
  const auto found = parents(DumpBuilder()
                                 .block("Execute")
                                 .event("native_call_mul.out", 0, 12, 14)
                                 .event("native_call_softplus.out", 0, 10, 20)
                                 .event("OPERATOR_CALL", 0, 9, 21)
                                 .framework("Method::execute", 0, 50));
  CHECK(found == std::vector<uint32_t>{1, 2, 3, kNone});
}

TEST_CASE("event tree: delegate events on another clock belong to their call", "[event_tree]") {
  const auto found = parents(DumpBuilder()
                                 .block("Execute")
                                 .delegate("conv2d_1", 0, 5'000'000, 5'000'100)
                                 .delegate("conv2d_2", 0, 4'000'000, 4'000'900)
                                 .event("DELEGATE_CALL", 0, 10, 40)
                                 .framework("Method::execute", 0, 50));
  CHECK(found == std::vector<uint32_t>{2, 2, 3, kNone});
}

TEST_CASE("event tree: zero-length delegate events are siblings", "[event_tree]") {
  const auto found = parents(DumpBuilder()
                                 .block("Execute")
                                 .delegate("Clamp #1", 0, 20, 20)
                                 .delegate("Add #1", 0, 20, 30)
                                 .event("DELEGATE_CALL", 0, 10, 40)
                                 .framework("Method::execute", 0, 50));
  CHECK(found == std::vector<uint32_t>{2, 2, 3, kNone});
}

TEST_CASE("event tree: host phases nest inside their call", "[event_tree]") {
  const Built built = build(DumpBuilder()
                                .block("Execute")
                                .event("+EthosUBackend::execute()NPU", 0, 20, 30)
                                .event("EthosUBackend::execute()", 0, 12, 38)
                                .event("DELEGATE_CALL", 0, 10, 40)
                                .framework("Method::execute", 0, 50));
  CHECK(built.trees[0].parents == std::vector<uint32_t>{1, 2, 3, kNone});
  CHECK(built.trees[0].roles[0] == EventRole::HostPhase);
}

TEST_CASE("event tree: phases nest whatever the device logs between them", "[event_tree]") {
  // As Vulkan logs it since 1.2: the dispatches, in another clock, stand between the phases.
  const auto vulkan = parents(DumpBuilder()
                                  .block("Execute")
                                  .delegate("ETVK_COPY_INPUTS", 0, 12, 16)
                                  .delegate("ETVK_COMPUTE_GRAPH_EXECUTE", 0, 16, 30)
                                  .delegate("shader #1", 0, 7'000'000, 7'000'004)
                                  .delegate("shader #2", 0, 15, 20)  // inside by accident
                                  .delegate("ETVK_COPY_OUTPUTS", 0, 30, 36)
                                  .delegate("ETVK_EXECUTE", 0, 11, 38)
                                  .event("DELEGATE_CALL", 0, 10, 40)
                                  .framework("Method::execute", 0, 50));
  CHECK(vulkan == std::vector<uint32_t>{5, 5, 6, 6, 5, 6, 7, kNone});
  // The phase around the others first, and those inside in no order.
  const auto outer_first = parents(DumpBuilder()
                                       .block("Execute")
                                       .delegate("VGF_EXECUTE", 0, 11, 38)
                                       .delegate("VGF_DISPATCH_AND_WAIT", 0, 16, 30)
                                       .delegate("VGF_COPY_INPUTS", 0, 11, 16)
                                       .delegate("VGF_QUEUE_SUBMIT_AND_WAIT_FENCE", 0, 18, 25)
                                       .event("DELEGATE_CALL", 0, 10, 40)
                                       .framework("Method::execute", 0, 50));
  CHECK(outer_first == std::vector<uint32_t>{4, 0, 0, 1, 5, kNone});
  // What took no time at the end of another step and was logged behind it is none of its.
  const auto behind = parents(DumpBuilder()
                                  .block("Execute")
                                  .delegate("VGF_COPY_INPUTS", 0, 12, 16)
                                  .delegate("VGF_TIMESTAMP_QUERY_READBACK", 0, 16, 16)
                                  .event("DELEGATE_CALL", 0, 10, 40)
                                  .framework("Method::execute", 0, 50));
  CHECK(behind == std::vector<uint32_t>{2, 2, 3, kNone});
}

TEST_CASE("event tree: phases of a loop's calls stay in their calls", "[event_tree]") {
  DumpBuilder dump;
  dump.block("Execute");
  for (const uint64_t begin : {10u, 50u}) {
    dump.delegate("VGF_COPY_INPUTS", 4, begin + 2, begin + 5)
        .delegate("kernel", 4, 9'000'000, 9'000'100)
        .delegate("VGF_EXECUTE", 4, begin + 1, begin + 20)
        .event("DELEGATE_CALL", 4, begin, begin + 30);
  }
  dump.framework("Method::execute", 0, 100);
  CHECK(parents(dump) == std::vector<uint32_t>{2, 3, 3, 8, 6, 7, 7, 8, kNone});
}

TEST_CASE("event tree: delegate events without a call stand under the method", "[event_tree]") {
  const auto found = parents(DumpBuilder()
                                 .block("Execute")
                                 .delegate("Add #1", 3, 20, 30)
                                 .framework("Method::execute", 0, 50));
  CHECK(found == std::vector<uint32_t>{1, kNone});
}

TEST_CASE("event tree: a clock that wraps during the execution", "[event_tree]") {
  const auto found = parents(DumpBuilder()
                                 .block("Execute")
                                 .operator_call("add.out", 0, 0xFFFFFFF0u, 0xFFFFFFF8u)
                                 .operator_call("mul.out", 1, 0xFFFFFFFCu, 0x04)
                                 .operator_call("exp.out", 2, 0x08, 0x10)
                                 .framework("Method::execute", 0xFFFFFF00u, 0x40));
  CHECK(found == std::vector<uint32_t>{1, 6, 3, 6, 5, 6, kNone});
}

TEST_CASE("blocks: runs of the same shape, whatever the delegates reported", "[block]") {
  DumpBuilder dump;
  const auto run = [&](bool with_clamp, int32_t branch) {
    dump.block("Execute").delegate("Add #1", 0, 1, 2);
    if (with_clamp) dump.delegate("Clamp #1", 0, 2, 3);
    dump.event("DELEGATE_CALL", 0, 0, 4).operator_call("sin.out", branch, 5, 6);
    dump.framework("Method::execute", 0, 9);
  };
  dump.block("Default").framework("Program::load_method", 0, 1);
  run(true, 1), run(false, 1), run(true, 2), run(true, 1);
  const Built built = build(dump);
  const auto blocks = group_blocks(built.log, built.trees);
  REQUIRE(blocks.size() == 3);
  CHECK(blocks[0].name == "Default");
  CHECK_FALSE(blocks[0].is_execution);
  CHECK(blocks[1].name == "Execute");
  CHECK(blocks[1].runs == std::vector<RunId>{RunId(1), RunId(2), RunId(4)});
  CHECK(blocks[1].sequences.size() == 2);
  CHECK(blocks[2].name == "Execute #2");
  CHECK(blocks[2].runs == std::vector<RunId>{RunId(3)});
}

TEST_CASE("blocks: bundled inputs stay apart", "[block]") {
  DumpBuilder dump;
  for (const int32_t input : {0, 1, 0})
    dump.block("Execute", input).framework("Method::execute", 0, 9);
  const Built built = build(dump);
  CHECK(group_blocks(built.log, built.trees).size() == 2);
}

}  // namespace etlens::event_tree_test
