// SPDX-License-Identifier: Apache-2.0
// From a delegate's events to nodes and lines, on records and payloads that show one rule each.
#include "core/join/delegate_placement.h"

#include "core/backend/payload_part.h"
#include "core/formats/etdump/etdump_reader.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "tests/support/joins.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/payload_builder.h"
#include "tests/support/program_builder.h"

namespace etlens::delegate_placement_test {

using namespace etlens::test;
using K = XnnpackKind;
using T = XnnpackType;

namespace {

constexpr const char* kXnnpack = "XnnpackBackend";

RecordNode node(std::string name, std::string target, uint32_t handle, uint32_t line,
                std::vector<std::string> inputs = {}) {
  return {std::move(name),  "aten." + target, handle, line == 0 ? "" : trace_at(line), "",
          std::move(inputs)};
}

// One delegate call with events of 10 ticks each.
DumpBuilder dump_of(const std::vector<std::string>& events) {
  DumpBuilder dump;
  dump.block("Execute");
  uint64_t now = 100;
  for (const std::string& event : events) {
    dump.delegate(event, 0, now, now + 10);
    now += 10;
  }
  dump.event("DELEGATE_CALL", 0, 95, now + 5).framework("Method::execute", 90, now + 10);
  return dump;
}

const Landing& landing(const Join& join, std::string_view name) {
  return (*join.landings)[find_event(join, name)];
}

std::string node_of(const Join& join, std::string_view name) {
  return name_of(join, landing(join, name).node);
}

std::vector<std::string> fused_of(const Join& join, std::string_view name) {
  return names_of(join, join.landings->fused_of(landing(join, name)));
}

using Names = std::vector<std::string>;

// linear -> relu (folded at export), add -> relu (an event of its own), and a node that nobody
// runs.
std::vector<RecordNode> small_graph() {
  return {node("lin", "linear.default", 1, 3, {"x"}), node("act", "relu.default", 2, 4, {"lin"}),
          node("sum", "add.Tensor", 3, 5, {"act", "x"}),
          node("act2", "relu.default", 4, 6, {"sum"}), node("idle", "sin.default", 5, 7, {"x"})};
}

PayloadBuilder small_payload() {
  PayloadBuilder b;
  const uint32_t x = b.input();
  const uint32_t a = b.value();
  PayloadNode lin{K::FullyConnected, 1, {x, b.constant()}, {a}, true};
  PayloadNode sum{K::Add, 3, {a, x}, {b.output()}, true};
  b.node(lin).node(sum);
  return b;
}

const Names kSmallEvents{"Fully Connected (NC, F32) GEMM #1", "Add (ND) #1", "Clamp (NC) #1"};

RecordBuilder lowered_record(const std::vector<RecordNode>& nodes, const PayloadBuilder& payload) {
  std::vector<uint32_t> handles;
  for (const RecordNode& n : nodes) handles.push_back(n.debug_handle);
  RecordBuilder record;
  record.map(0, handles).delegate(0, kXnnpack).lowered("call", kXnnpack, nodes, payload.build());
  return record;
}

RecordBuilder early_record(const std::vector<RecordNode>& nodes) {
  RecordBuilder record;
  std::vector<uint32_t> handles;
  for (const RecordNode& n : nodes) {
    record.node(n);
    handles.push_back(n.debug_handle);
  }
  record.map(0, handles).delegate(0, kXnnpack);
  return record;
}

JoinOptions with_program(const std::string& payload) {
  JoinOptions options;
  options.program = ProgramBuilder().method("forward", {{'d', kXnnpack, 0, payload}}).build();
  return options;
}
JoinOptions with_program(const PayloadBuilder& payload) { return with_program(payload.build()); }

void check_small(const Join& join) {
  CHECK(node_of(join, kSmallEvents[0]) == "lin");
  CHECK(node_of(join, kSmallEvents[1]) == "sum");
  CHECK(node_of(join, kSmallEvents[2]) == "act2");
  for (const std::string& name : kSmallEvents) {
    CHECK(landing(join, name).confidence == Confidence::Aligned);
    CHECK(landing(join, name).part == Part::Line);
    CHECK_FALSE(landing(join, name).is_layout);
  }
  CHECK(fused_of(join, kSmallEvents[0]) == Names{"act"});
  CHECK(fused_of(join, kSmallEvents[1]).empty());
  const PartitionLandings& partition = join.landings->partitions.front();
  CHECK(names_of(join, partition.unreported) == Names{"idle"});
  CHECK(partition.inside.size() == 3);
}

}  // namespace

TEST_CASE("delegate placement: payload of a lowered record", "[delegate]") {
  const Join join = join_of(dump_of(kSmallEvents), lowered_record(small_graph(), small_payload()));
  check_small(join);
}

TEST_CASE("delegate placement: payload of a program, nodes of an early record", "[delegate]") {
  const Join join =
      join_of(dump_of(kSmallEvents), early_record(small_graph()), with_program(small_payload()));
  check_small(join);
  CHECK(join.report.find(Oddity::DelegateInferred) == nullptr);
}

TEST_CASE("delegate placement: without a payload nothing is certain", "[delegate]") {
  const Join join = join_of(dump_of(kSmallEvents), early_record(small_graph()));
  CHECK(node_of(join, kSmallEvents[0]) == "lin");
  CHECK(node_of(join, kSmallEvents[1]) == "sum");
  CHECK(node_of(join, kSmallEvents[2]) == "act2");
  for (const std::string& name : kSmallEvents)
    CHECK(landing(join, name).confidence == Confidence::Inferred);
  REQUIRE(join.report.find(Oddity::DelegateInferred) != nullptr);
  CHECK(join.report.find(Oddity::DelegateInferred)->count == 3);
}

TEST_CASE("delegate placement: a payload with foreign handles is not used", "[delegate]") {
  PayloadBuilder foreign;
  foreign.node(K::FullyConnected, {foreign.input(), foreign.constant()}, foreign.output(), 77);
  const Join join =
      join_of(dump_of({kSmallEvents[0]}), early_record(small_graph()), with_program(foreign));
  CHECK(join.report.find(Oddity::ProgramDiffers) != nullptr);
  CHECK(landing(join, kSmallEvents[0]).confidence == Confidence::Inferred);
}

TEST_CASE("delegate placement: a damaged payload leaves the other ways", "[delegate]") {
  const Join join = join_of(dump_of(kSmallEvents), early_record(small_graph()),
                            with_program(small_payload().build().substr(0, 80)));
  CHECK(join.report.find(Oddity::DelegateUnaligned) != nullptr);
  CHECK(landing(join, kSmallEvents[0]).confidence == Confidence::Inferred);
}

TEST_CASE("delegate placement: of a handle's nodes the one that fits the kind", "[delegate]") {
  const std::vector<RecordNode> nodes{node("q0", "quantize_per_tensor.default", 1, 9, {"x"}),
                                      node("dq0", "dequantize_per_tensor.default", 2, 0, {"q0"}),
                                      node("conv", "convolution.default", 2, 3, {"dq0"}),
                                      node("q1", "quantize_per_tensor.default", 2, 4, {"conv"}),
                                      node("dq1", "dequantize_per_tensor.default", 2, 5, {"q1"})};
  PayloadBuilder b;
  const uint32_t q = b.value(T::Qint8);
  const uint32_t c = b.value(T::Qint8);
  b.node(K::Convert, {b.input()}, q, 1).node(K::Conv2d, {q, b.constant(T::Qcint8)}, c, 2);
  b.node(K::Convert, {c}, b.output(), 2);
  const Join join =
      join_of(dump_of({"Convert (NC) #1", "Convolution (NHWC, QC8) IGEMM #1", "Convert (NC) #2"}),
              lowered_record(nodes, b));
  CHECK(node_of(join, "Convert (NC) #1") == "q0");
  CHECK(node_of(join, "Convolution (NHWC, QC8) IGEMM #1") == "conv");
  // Two nodes of the handle dequantize, on different lines or none: one operator cannot be both.
  CHECK(landing(join, "Convert (NC) #2").confidence == Confidence::Inferred);
  CHECK(landing(join, "Convert (NC) #2").candidates == 2);
  CHECK(fused_of(join, "Convolution (NHWC, QC8) IGEMM #1") == Names{"q1", "dq1"});
}

TEST_CASE("delegate placement: equal nodes of one handle go by order where it is known",
          "[delegate]") {
  const std::vector<RecordNode> nodes{node("a", "mul.Tensor", 1, 3, {"x"}),
                                      node("b", "mul.Tensor", 1, 8, {"a"})};
  PayloadBuilder b;
  const uint32_t x = b.input();
  const uint32_t v = b.value();
  b.node(K::Multiply, {x, b.scalar()}, v, 1).node(K::Multiply, {v, x}, b.output(), 1);
  const Names events{"Multiply (ND) #1", "Multiply (ND) #2"};
  const Join lowered = join_of(dump_of(events), lowered_record(nodes, b));
  CHECK(node_of(lowered, events[0]) == "a");
  CHECK(node_of(lowered, events[1]) == "b");
  CHECK(landing(lowered, events[1]).confidence == Confidence::Aligned);
  // The graph of an early record may be in another order.
  const Join early = join_of(dump_of(events), early_record(nodes), with_program(b));
  CHECK(landing(early, events[1]).confidence == Confidence::Inferred);
  CHECK(landing(early, events[1]).candidates == 2);
}

TEST_CASE("delegate placement: what the exporter inserted is layout of what it feeds",
          "[delegate]") {
  const std::vector<RecordNode> nodes{node("conv", "convolution.default", 1, 3, {"x"}),
                                      node("one", "sin.default", 2, 4, {"x"}),
                                      node("two", "cos.default", 3, 5, {"x"})};
  PayloadBuilder b;
  const uint32_t x = b.input();
  const uint32_t nhwc = b.value();
  const uint32_t conv = b.value();
  const uint32_t both = b.value();
  b.node(K::StaticTranspose, {x}, nhwc).node(K::Conv2d, {nhwc, b.constant()}, conv, 1);
  b.node(K::StaticTranspose, {conv}, b.output()).node(K::StaticTranspose, {x}, both);
  b.node(K::Sin, {both}, b.output(), 2).node(K::Cos, {both}, b.output(), 3);
  const Join join = join_of(dump_of({"Transpose (ND, X32) #1", "Convolution (NHWC, F32) IGEMM #1",
                                     "Transpose (ND, X32) #2", "Transpose (ND, X32) #3",
                                     "Sine (NC) #1", "Cosine (NC) #1"}),
                            lowered_record(nodes, b));
  CHECK(node_of(join, "Transpose (ND, X32) #1") == "conv");
  CHECK(node_of(join, "Transpose (ND, X32) #2") == "conv");  // feeds nothing: of what feeds it
  for (const char* name :
       {"Transpose (ND, X32) #1", "Transpose (ND, X32) #2", "Transpose (ND, X32) #3"}) {
    CHECK(landing(join, name).is_layout);
    CHECK(fused_of(join, name).empty());
  }
  CHECK(landing(join, "Transpose (ND, X32) #1").confidence == Confidence::Aligned);
  CHECK(landing(join, "Transpose (ND, X32) #3").confidence == Confidence::Inferred);
  CHECK(landing(join, "Transpose (ND, X32) #3").candidates == 2);
}

TEST_CASE("delegate placement: operators that lost their handle are inferred by their place",
          "[delegate]") {
  const std::vector<RecordNode> nodes{
      node("conv", "convolution.default", 1, 2, {"x"}),
      node("bn", "_native_batch_norm_legit_no_training.default", 2, 3, {"conv"}),
      node("lin1", "addmm.default", 3, 4, {"bn"}),
      node("sig", "sigmoid.default", 4, 5, {"lin1"}),
      node("lin2", "addmm.default", 5, 6, {"sig"}),
      node("bn2", "_native_batch_norm_legit_no_training.default", 6, 7, {"lin2"})};
  PayloadBuilder b;
  const uint32_t x = b.input();
  uint32_t v[4] = {b.value(), b.value(), b.value(), b.value()};
  b.node(K::Conv2d, {x, b.constant()}, v[0], 1).node(K::FullyConnected, {v[0], b.constant()}, v[1]);
  b.node(K::Sigmoid, {v[1]}, v[2], 4).node(K::FullyConnected, {v[2], b.constant()}, v[3]);
  b.node(K::DepthwiseConv2d, {v[3], b.constant()}, b.output());
  const Join join =
      join_of(dump_of({"Convolution (NHWC, F32) IGEMM #1", "Fully Connected (NC, F32) GEMM #1",
                       "Sigmoid (NC) #1", "Fully Connected (NC, F32) GEMM #2",
                       "Convolution (NHWC, F32) DWConv #1"}),
              lowered_record(nodes, b));
  CHECK(node_of(join, "Fully Connected (NC, F32) GEMM #1") == "lin1");
  CHECK(node_of(join, "Fully Connected (NC, F32) GEMM #2") == "lin2");
  // The normalisation behind a convolution is folded into that, so it is not the lost one.
  CHECK(node_of(join, "Convolution (NHWC, F32) DWConv #1") == "bn2");
  CHECK(fused_of(join, "Convolution (NHWC, F32) IGEMM #1") == Names{"bn"});
  for (const char* name : {"Fully Connected (NC, F32) GEMM #1", "Fully Connected (NC, F32) GEMM #2",
                           "Convolution (NHWC, F32) DWConv #1"}) {
    CHECK(landing(join, name).confidence == Confidence::Inferred);
  }
  CHECK(landing(join, "Sigmoid (NC) #1").confidence == Confidence::Aligned);
}

TEST_CASE("delegate placement: several operators on one line are aligned", "[delegate]") {
  // Three equal branches, of which one event is missing: which it was does not matter on one line.
  for (const bool same_line : {true, false}) {
    std::vector<RecordNode> nodes;
    PayloadBuilder b;
    const uint32_t x = b.input();
    for (uint32_t i = 0; i < 3; ++i) {
      nodes.push_back(
          node("n" + std::to_string(i), "abs.default", i + 1, same_line ? 3 : 3 + i, {"x"}));
      b.node(K::Abs, {x}, b.output(), i + 1);
    }
    nodes.push_back(node("last", "exp.default", 9, 8, {"x"}));
    b.node(K::Exp, {x}, b.output(), 9);
    const Join join =
        join_of(dump_of({"Abs (NC) #1", "Abs (NC) #2", "Exp (NC) #1"}), lowered_record(nodes, b));
    // As many events as operators would be needed for that; here the class is not sound.
    CHECK(landing(join, "Abs (NC) #1").confidence == Confidence::Inferred);
    CHECK(landing(join, "Exp (NC) #1").confidence == Confidence::Aligned);
    CHECK(landing(join, "Abs (NC) #1").part == Part::Line);
  }
  // Two orders of the same call on one line: sound, and so the line is known.
  std::vector<RecordNode> nodes{node("deq", "dequantize_per_tensor.default", 1, 3, {"k"}),
                                node("a", "abs.default", 2, 3, {"x"}),
                                node("e", "exp.default", 3, 3, {"a"}),
                                node("p", "bmm.default", 4, 4, {"e", "deq"})};
  PayloadBuilder b;
  const uint32_t x = b.input();
  const uint32_t k = b.input(T::Qint8);
  const uint32_t wide = b.value();
  const uint32_t abs = b.value();
  const uint32_t exp = b.value();
  b.node(K::Convert, {k}, wide, 1).node(K::Abs, {x}, abs, 2).node(K::Exp, {abs}, exp, 3);
  b.node(K::BatchMatrixMultiply, {exp, wide}, b.output(), 4);
  const Names events{"Unary Elementwise (NC) #1", "Unary Elementwise (NC) #2",
                     "Unary Elementwise (NC) #3", "Batch Matrix Multiply (NC, F32) GEMM #1"};
  const Join join = join_of(dump_of(events), lowered_record(nodes, b));
  for (const std::string& name : events)
    CHECK(landing(join, name).confidence == Confidence::Aligned);
  nodes[2].stack_trace = trace_at(5);
  const Join apart = join_of(dump_of(events), lowered_record(nodes, b));
  CHECK(landing(apart, events[0]).confidence ==
        Confidence::Aligned);  // the exponential needs a source
  CHECK(landing(apart, events[1]).confidence == Confidence::Inferred);
  CHECK(landing(apart, events[1]).candidates == 2);
}

TEST_CASE("delegate placement: equal calls are placed once", "[delegate]") {
  const DumpBuilder dump = dump_of(kSmallEvents);
  const Result<EventLog> log = read_etdump(dump.build());
  REQUIRE(log);
  MemoryFileSystem files;
  files.put("/r.etrecord", lowered_record(small_graph(), small_payload()).build());
  const Result<EtRecord> record =
      read_etrecord(files, "/r.etrecord", {}, payload_decoder(built_in_backends()));
  REQUIRE(record);
  const ProjectFrames frames(*record, {});
  const MethodContext context(*record, record->methods.front(), frames);
  const OperatorPlacer operators(context, {});
  LoadReport report;
  BackendEvents backends(*log, &context);
  DelegatePlacer placer(context, operators, *log, backends, {}, report);
  std::vector<EventKey> call(log->sequences[0].events.begin(),
                             log->sequences[0].events.begin() + 3);
  const std::span<const NodePlacement> first = placer.place(0, call);
  REQUIRE(first.size() == 3);
  CHECK(placer.place(0, call).data() == first.data());
  std::swap(call[0], call[1]);
  CHECK(placer.place(0, call).data() != first.data());
  CHECK(placer.place(7, call)[0].node == NodeId());  // no delegate call of the map
}

TEST_CASE("delegate placement: a backend's own map is exact", "[delegate]") {
  RecordBuilder record;
  for (const RecordNode& n : small_graph()) record.node(n);
  record.map(0, {1, 2, 3, 4, 5}).delegate(0, "VulkanBackend", {{"0", {1, 2}}, {"1", {3}}});
  DumpBuilder dump;
  dump.block("Execute").delegate(0, 0, 100, 110).delegate(1, 0, 110, 120).delegate(12, 0, 120, 130);
  dump.event("DELEGATE_CALL", 0, 95, 135).framework("Method::execute", 90, 140);
  const Join join = join_of(dump, record);
  CHECK(node_of(join, "0") == "lin");
  CHECK(landing(join, "0").confidence == Confidence::Exact);
  CHECK(fused_of(join, "0") == Names{"act"});
  CHECK(node_of(join, "1") == "sum");
  CHECK(node_of(join, "12").empty());
  CHECK(landing(join, "12").part == Part::OpaquePartition);
  REQUIRE(join.report.find(Oddity::DelegateUnaligned) != nullptr);
  CHECK(names_of(join, join.landings->partitions[0].unreported) == Names{"act2", "idle"});
}

}  // namespace etlens::delegate_placement_test
