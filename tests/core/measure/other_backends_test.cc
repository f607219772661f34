// SPDX-License-Identifier: Apache-2.0
// Backends other than XNNPACK. No real dump of theirs is at hand: these are test artifacts, written
// from the formats' documented facts as real FlatBuffers and ZIP bytes and read by the ordinary
// readers.
#include <catch2/catch.hpp>

#include "tests/support/times.h"

namespace etlens::other_backends_test {

using namespace etlens::test;

namespace {

using Ids = std::map<std::string, std::vector<uint32_t>>;

RecordNode node(std::string name, std::string target, uint32_t handle, uint32_t line) {
  return {std::move(name), "aten." + target, handle, trace_at(line), "", {"x"}};
}

// linear on line 3, relu on line 4, mean on line 5; all in one delegate call, instruction 0.
RecordBuilder record_of(const char* backend, const Ids& ids = {}) {
  RecordBuilder record;
  record.map(0, {1, 2, 3}).delegate(0, backend, ids);
  record.lowered(
      "call", backend,
      {node("aten_linear_default", "linear.default", 1, 3),
       node("aten_relu_default_3", "relu.default", 2, 4), node("aten_mean_dim", "mean.dim", 3, 5)});
  return record;
}

Timed load(const DumpBuilder& dump, const RecordBuilder& record,
           TimeScale clock = TimeScale::Nanoseconds) {
  JoinOptions options;
  options.clock = clock;
  return time_of(join_of(dump, record, options));
}

uint64_t reported(const Timed& timed, std::string_view name) {
  return timed.time.logged.reported[timed.event(name).value];
}

bool is_rescaled(const Timed& timed, std::string_view name) {
  return timed.time.logged.is_rescaled[timed.event(name).value];
}

const Event& event(const Timed& timed, std::string_view name) {
  return timed.join.event(timed.event(name));
}

bool reports(const Timed& timed, Oddity oddity) {
  return timed.join.report.find(oddity) != nullptr;
}

// A call of 1,000 ticks in a method of 1,100.
DumpBuilder& close(DumpBuilder& dump) {
  return dump.event("DELEGATE_CALL", 0, 1050, 2050).framework("Method::execute", 1000, 2100);
}

std::string vulkan_id(const char* name, int node_id, const char* kernel) {
  return R"({"operator": {"name": ")" + std::string(name) + R"(", "delegate_node_id": )" +
         std::to_string(node_id) + R"(, "args": []}, "kernel_name": ")" + kernel +
         R"(", "operator_id": 0, "dispatch_id": 0})";
}

}  // namespace

TEST_CASE("Core ML: whole ids, nanoseconds of another clock, estimates", "[backends]") {
  const Ids ids{{"var_5:ios17.linear", {1}}, {"var_50:ios17.relu", {2}}};
  DumpBuilder dump;
  dump.block("Execute")
      .delegate("var_50:ios17.relu", 0, 900'000'100, 900'000'400)
      .delegate("var_5:ios17.linear", 0, 900'000'000, 900'000'600)
      .delegate("var_7:ios17.unknown", 0, 900'000'000, 900'000'050);
  const Timed timed = load(close(dump), record_of("CoreMLBackend", ids));
  CHECK(timed.self_on(3) == 600);
  CHECK(timed.self_on(4) == 300);
  CHECK(timed.landing_of("var_5:ios17.linear").confidence == Confidence::Exact);
  CHECK(timed.landing_of("var_7:ios17.unknown").part == Part::OpaquePartition);
  CHECK(timed.part(Part::DelegateOverhead) == 50);
  CHECK(reports(timed, Oddity::DelegateEstimates));
}

TEST_CASE("Core ML: nanoseconds on a clock of microseconds", "[backends]") {
  DumpBuilder dump;
  dump.block("Execute").delegate("var_5:ios17.linear", 0, 0, 400'000);
  const Timed timed = load(close(dump), record_of("CoreMLBackend", {{"var_5:ios17.linear", {1}}}),
                           TimeScale::Microseconds);
  CHECK(timed.self_on(3) == 400);
  CHECK(reported(timed, "var_5:ios17.linear") == 400'000);
  // What the statistics are made of is in ticks as well.
  const ContributionId linear = timed.event("var_5:ios17.linear");
  CHECK(timed.measure().series.at(linear.value, 0) == 400);
}

TEST_CASE("Core ML: on a clock of cycles only shares of the call are known", "[backends]") {
  DumpBuilder dump;
  dump.block("Execute")
      .delegate("var_5:ios17.linear", 0, 0, 300)
      .delegate("var_50:ios17.relu", 0, 0, 100);
  const Ids ids{{"var_5:ios17.linear", {1}}, {"var_50:ios17.relu", {2}}};
  const Timed timed = load(close(dump), record_of("CoreMLBackend", ids), TimeScale::Cycles);
  CHECK(timed.self_on(3) == 750);
  CHECK(timed.self_on(4) == 250);
  CHECK(is_rescaled(timed, "var_5:ios17.linear"));
}

TEST_CASE("QNN: cycles become shares of the call, totals, counts and bytes are in no sum",
          "[backends]") {
  DumpBuilder dump;
  dump.block("Execute")
      .delegate("RPC (execute) time (us)", 0, 0, 900)
      .delegate("Number of HVX threads used (count)", 0, 0, 4)
      .delegate("Spill fill (bytes)", 0, 0, 1 << 20)
      .delegate("Accelerator (execute) time (cycles)", 0, 0, 5'000'000)
      .delegate("aten_linear_default:OpId_14 (cycles)", 0, 0, 3'000'000)
      .delegate("aten_relu_default_3:OpId_60 (cycles)", 0, 0, 750'000)
      .delegate("renamed_by_a_pass:OpId_61 (cycles)", 0, 0, 250'000);
  const Timed timed = load(close(dump), record_of("QnnBackend"));
  CHECK(timed.self_on(3) == 750);
  CHECK(timed.self_on(4) == 188);  // of 187.5: rounded so that the parts add up
  const char* linear = "aten_linear_default:OpId_14 (cycles)";
  CHECK(timed.landing_of(linear).confidence == Confidence::Aligned);
  CHECK(is_rescaled(timed, linear));
  CHECK(event(timed, linear).unit == DelegateUnit::Cycles);
  CHECK(reported(timed, linear) == 3'000'000);
  CHECK_FALSE(event(timed, linear).has_duration());
  CHECK(timed.part(Part::OpaquePartition) == 62);  // the node that no recorded node is named like
  CHECK(timed.part(Part::DelegateOverhead) == 0);
  const char* threads = "Number of HVX threads used (count)";
  CHECK(event(timed, threads).role == EventRole::DelegateTotal);
  CHECK(timed.self_of(threads) == 0);
  CHECK(reported(timed, threads) == 4);
  CHECK(event(timed, threads).unit == DelegateUnit::Count);
  CHECK(reports(timed, Oddity::DelegateCycles));
  CHECK(reports(timed, Oddity::DelegateNotTimes));
  CHECK_FALSE(reports(timed, Oddity::EventOutsideExecution));
}

TEST_CASE("QNN: a pair of totals says how long a cycle took", "[backends]") {
  DumpBuilder dump;
  dump.block("Execute");
  for (int run = 0; run < 2; ++run) {
    if (run == 1) dump.block("Execute");
    // 500 ns, then 250 ns, for 1,000 cycles: the clock of the accelerator changes between
    // executions.
    dump.delegate("Accelerator (execute) time (us)", 0, 0, run == 0 ? 500 : 250)
        .delegate("Accelerator (execute) time (cycles)", 0, 0, 1000)
        .delegate("aten_linear_default:OpId_14 (cycles)", 0, 0, 600)
        .delegate("aten_relu_default_3:OpId_60 (cycles)", 0, 0, 300)
        .event("DELEGATE_CALL", 0, 0, 600'000)
        .framework("Method::execute", 0, 700'000);
  }
  const Timed timed = load(dump, record_of("QnnBackend"));
  CHECK(timed.self_on(3) == 300'000 + 150'000);
  CHECK(timed.self_on(4) == 150'000 + 75'000);
  CHECK_FALSE(is_rescaled(timed, "aten_linear_default:OpId_14 (cycles)"));
  CHECK(timed.part(Part::DelegateOverhead) == 150'000 + 375'000);
}

TEST_CASE("Vulkan: dispatches by node id inside the phase that waits for them", "[backends]") {
  // Id 1 is a part of id 12's text: only whole ids count.
  const Ids ids{{"1", {1}}, {"12", {2}}};
  for (const bool dispatches_last : {false, true}) {
    INFO("dispatches logged behind the phases: " << dispatches_last);
    DumpBuilder dump;
    dump.block("Execute");
    const auto dispatches = [&] {
      dump.delegate(vulkan_id("aten.linear.default", 1, "linear_naive"), 0, 77'000'000, 77'000'300)
          .delegate(vulkan_id("aten.relu.default", 12, "relu_half"), 0, 77'000'300, 77'000'400)
          .delegate(R"({"kernel_name": "nchw_to_image", "operator_id": 9, "dispatch_id": 2})", 0,
                    76'000'000, 76'000'050);
    };
    if (!dispatches_last) dispatches();
    dump.delegate("ETVK_COPY_INPUTS", 0, 1100, 1150)
        .delegate("ETVK_COMPUTE_GRAPH_EXECUTE", 0, 1200, 1800)
        .delegate("ETVK_COPY_OUTPUTS", 0, 1800, 1900)
        .delegate("ETVK_EXECUTE", 0, 1090, 1950);
    if (dispatches_last) dispatches();
    const Timed timed = load(close(dump), record_of("VulkanBackend", ids));
    CHECK(timed.self_on(3) == 300);
    CHECK(timed.self_on(4) == 100);
    const char* linear = "aten.linear.default (linear_naive)";
    CHECK(timed.landing_of(linear).confidence == Confidence::Exact);
    CHECK_FALSE(is_rescaled(timed, linear));
    CHECK(timed.self_of("ETVK_COMPUTE_GRAPH_EXECUTE") == 150);
    CHECK(timed.self_of("ETVK_EXECUTE") == 860 - 50 - 600 - 100);
    CHECK(timed.part(Part::DelegateOverhead) == 140);
    CHECK(timed.part(Part::OpaquePartition) == 1000 - 140 - 400);
  }
}

TEST_CASE(
    "Vulkan: whatever the order in which a call's events are logged, the numbers are the same",
    "[backends]") {
  struct Row {
    std::string id;
    uint64_t start;
    uint64_t end;
  };
  const Row inputs{"ETVK_COPY_INPUTS", 1100, 1150};
  const Row resize{"ETVK_RESIZE", 1150, 1160};
  const Row compute{"ETVK_COMPUTE_GRAPH_EXECUTE", 1200, 1800};
  const Row outputs{"ETVK_COPY_OUTPUTS", 1800, 1900};
  const Row all{"ETVK_EXECUTE", 1090, 1950};
  const Row linear{vulkan_id("aten.linear.default", 1, "linear_naive"), 77'000'000, 77'000'300};
  const Row relu{vulkan_id("aten.relu.default", 2, "relu_half"), 77'000'300, 77'000'400};
  const std::vector<std::vector<Row>> orders{
      {inputs, resize, compute, outputs, all, linear, relu},   // 1.1 with phases
      {inputs, resize, compute, linear, relu, outputs, all},   // since 1.2
      {linear, relu, inputs, resize, compute, outputs, all},   // dispatches first
      {linear, inputs, relu, resize, compute, outputs, all},   // in between
      {all, outputs, compute, resize, inputs, relu, linear},   // by nothing in particular
      {all, inputs, linear, resize, outputs, relu, compute}};  // likewise
  for (size_t o = 0; o < orders.size(); ++o) {
    CAPTURE(o);
    DumpBuilder dump;
    dump.block("Execute");
    for (const Row& row : orders[o]) dump.delegate(row.id, 0, row.start, row.end);
    const Timed timed = load(close(dump), record_of("VulkanBackend", {{"1", {1}}, {"2", {2}}}));
    CHECK(timed.self_on(3) == 300);
    CHECK(timed.self_on(4) == 100);
    CHECK_FALSE(is_rescaled(timed, "aten.linear.default (linear_naive)"));
    CHECK(timed.self_of("ETVK_COPY_INPUTS") == 50);
    CHECK(timed.self_of("ETVK_RESIZE") == 10);
    CHECK(timed.self_of("ETVK_COPY_OUTPUTS") == 100);
    CHECK(timed.self_of("ETVK_COMPUTE_GRAPH_EXECUTE") == 200);
    CHECK(timed.self_of("ETVK_EXECUTE") == 860 - 50 - 10 - 600 - 100);
    CHECK(timed.part(Part::DelegateOverhead) == 140);
  }
}

TEST_CASE("Vulkan: a call that waits twice has each dispatch in the wait before it", "[backends]") {
  DumpBuilder dump;
  dump.block("Execute")
      .delegate("ETVK_COMPUTE_GRAPH_EXECUTE", 0, 1100, 1500)
      .delegate(vulkan_id("aten.linear.default", 1, "linear"), 0, 0, 300)
      .delegate("ETVK_COMPUTE_GRAPH_EXECUTE", 0, 1500, 1700)
      .delegate(vulkan_id("aten.relu.default", 2, "relu"), 0, 0, 150)
      .delegate("ETVK_EXECUTE", 0, 1090, 1950);
  const Timed timed = load(close(dump), record_of("VulkanBackend", {{"1", {1}}, {"2", {2}}}));
  CHECK(timed.self_on(3) == 300);
  CHECK(timed.self_on(4) == 150);
  CHECK_FALSE(is_rescaled(timed, "aten.linear.default (linear)"));
  CHECK(timed.self_of("ETVK_COMPUTE_GRAPH_EXECUTE") == 100 + 50);
}

TEST_CASE("Arm VGF: single copies and reports are inside their phases", "[backends]") {
  DumpBuilder dump;
  dump.block("Execute")
      .delegate("VGF::input_copy", 0, 1110, 1140)
      .delegate("VGF_COPY_INPUTS", 0, 1100, 1150)
      .delegate("VGF::runtime_report", 0, 1900, 1900)
      .delegate("VGF_EXECUTE", 0, 1090, 1950);
  const Timed timed = load(close(dump), record_of("VgfBackend"));
  CHECK(timed.self_of("VGF::input_copy") == 30);
  CHECK(timed.self_of("VGF_COPY_INPUTS") == 20);
  CHECK(timed.self_of("VGF_EXECUTE") == 860 - 50);
  CHECK(timed.part(Part::DelegateOverhead) == 140);
}

TEST_CASE("Vulkan: dispatches that overlap on the GPU become shares of the phase", "[backends]") {
  DumpBuilder dump;
  dump.block("Execute")
      .delegate("ETVK_COMPUTE_GRAPH_EXECUTE", 0, 1200, 1300)
      .delegate(vulkan_id("aten.linear.default", 1, "linear"), 0, 0, 150)
      .delegate(vulkan_id("aten.relu.default", 2, "relu"), 0, 0, 50);
  const Timed timed = load(close(dump), record_of("VulkanBackend", {{"1", {1}}, {"2", {2}}}));
  CHECK(timed.self_on(3) == 75);
  CHECK(timed.self_on(4) == 25);
  CHECK(is_rescaled(timed, "aten.linear.default (linear)"));
  CHECK(timed.part(Part::DelegateOverhead) == 900);
}

TEST_CASE("Vulkan up to 1.0: kernel names have no place, and their workgroups are read",
          "[backends]") {
  const std::string sizes("\x40\0\0\0\x02\0\0\0\x01\0\0\0\x08\0\0\0\x04\0\0\0\x01\0\0\0", 24);
  DumpBuilder dump;
  dump.block("Execute").delegate("linear_naive_texture_1", 0, 5, 205, sizes);
  const Timed timed = load(close(dump), record_of("VulkanBackend", {{"1", {1}}}));
  CHECK(timed.landing_of("linear_naive_texture_1").part == Part::OpaquePartition);
  CHECK(timed.part(Part::DelegateOverhead) == 800);
}

TEST_CASE("Arm VGF and Ethos-U: phases of the host are the backend's, not operators",
          "[backends]") {
  DumpBuilder vgf;
  vgf.block("Execute")
      .delegate("VGF_COPY_INPUTS", 0, 1100, 1150)
      .delegate("VGF_QUEUE_SUBMIT_AND_WAIT_FENCE", 0, 1210, 1700)
      .delegate("VGF_DISPATCH_AND_WAIT", 0, 1200, 1800)
      .delegate("VGF_EXECUTE", 0, 1090, 1950);
  const Timed a = load(close(vgf), record_of("VgfBackend"));
  CHECK(a.part(Part::OpaquePartition) == 860);
  CHECK(a.part(Part::DelegateOverhead) == 140);
  CHECK(a.self_of("VGF_DISPATCH_AND_WAIT") == 110);
  CHECK(a.self_on(3) == 0);

  DumpBuilder ethos;
  ethos.block("Execute")
      .event("+EthosUBackend::execute()NPU", 0, 1200, 1800)
      .event("EthosUBackend::execute()", 0, 1100, 1900);
  const Timed b = load(close(ethos), record_of("EthosUBackend"));
  CHECK(b.part(Part::OpaquePartition) == 800);
  CHECK(b.part(Part::DelegateOverhead) == 200);
}

TEST_CASE("NXP Neutron: counter ticks are shares of the call, and the tail is none", "[backends]") {
  DumpBuilder dump;
  dump.block("Execute")
      .delegate(0, 0, 0, 6000, "\x05")
      .delegate(1, 0, 4'294'967'000, 704, "\x06")  // 1,000 of a counter of 32 bits that wrapped
      .delegate(2, 0, 704, 1'000'000, "\x07");
  const Timed timed = load(close(dump), record_of("NeutronBackend", {{"0", {1}}, {"1", {3}}}));
  CHECK(timed.self_on(3) == 858);
  CHECK(timed.self_on(5) == 142);
  CHECK(timed.landing_of("0").confidence == Confidence::Exact);
  CHECK(reported(timed, "1") == 1000);
  CHECK(event(timed, "2").role == EventRole::DelegateTotal);
  CHECK(event(timed, "0").unit == DelegateUnit::Counter);
}

}  // namespace etlens::other_backends_test
