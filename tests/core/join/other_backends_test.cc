// SPDX-License-Identifier: Apache-2.0
// Backends other than XNNPACK. No real dump of theirs is at hand: these are test artifacts, written
// from the formats' documented facts as real FlatBuffers and ZIP bytes and read by the ordinary
// readers.
#include <catch2/catch.hpp>

#include "core/workspace/load.h"
#include "core/facts/hotspots.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"

using namespace etlens;
using namespace etlens::test;

namespace {

using Ids = std::map<std::string, std::vector<uint32_t>>;

RecordNode node(std::string name, std::string target, uint32_t handle, uint32_t line) {
  return {std::move(name),
          "aten." + target,
          handle,
          stack_trace({{"/m/a.py", line, "forward", "line " + std::to_string(line)}}, true),
          "",
          {"x"}};
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

std::shared_ptr<const ProfileSnapshot> load(const DumpBuilder& dump, const RecordBuilder& record,
                                            TimeScale clock = TimeScale::Nanoseconds) {
  MemoryFileSystem files;
  files.put("/d.etdp", dump.build());
  files.put("/r.etrecord", record.build());
  LoadRequest request;
  request.etdump = "/d.etdp";
  request.etrecord = "/r.etrecord";
  request.time_scale = clock;
  auto snapshot = load_snapshot(files, request);
  if (!snapshot) FAIL(snapshot.error().message);
  for (const Reconciliation& execution : (*snapshot)->profile.executions) {
    REQUIRE(execution.sum() == execution.total);
  }
  return *snapshot;
}

const EventRow& event(const ProfileSnapshot& snapshot, std::string_view name) {
  for (const EventRow& row : snapshot.profile.events) {
    if (snapshot.profile.readable_name(row) == name) return row;
  }
  FAIL("no event " << name);
  return snapshot.profile.events.front();
}

uint64_t on_line(const ProfileSnapshot& snapshot, uint32_t line) {
  uint64_t ticks = 0;
  for (const LineRow& row : snapshot.profile.lines) ticks += row.line == line ? row.self_ticks : 0;
  return ticks;
}

uint64_t part(const ProfileSnapshot& snapshot, TimePart part) {
  return snapshot.profile.total[part];
}

bool reports(const ProfileSnapshot& snapshot, Oddity oddity) {
  return snapshot.report.find(oddity) != nullptr;
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
      .delegate("var_50:ios17.relu", 0, 900'000'100, 900'000'400,
                R"({"preferredComputeUnit": "NE"})")
      .delegate("var_5:ios17.linear", 0, 900'000'000, 900'000'600)
      .delegate("var_7:ios17.unknown", 0, 900'000'000, 900'000'050);
  const auto snapshot = load(close(dump), record_of("CoreMLBackend", ids));
  CHECK(on_line(*snapshot, 3) == 600);
  CHECK(on_line(*snapshot, 4) == 300);
  CHECK(event(*snapshot, "var_5:ios17.linear").confidence == Confidence::Exact);
  CHECK(event(*snapshot, "var_7:ios17.unknown").part == TimePart::OpaquePartition);
  CHECK(part(*snapshot, TimePart::DelegateOverhead) == 50);
  CHECK(reports(*snapshot, Oddity::DelegateEstimates));
  const EventRow& relu = event(*snapshot, "var_50:ios17.relu");
  const auto metadata = event_metadata(snapshot->profile);
  CHECK(metadata[static_cast<size_t>(&relu - snapshot->profile.events.data())] ==
        R"({"preferredComputeUnit": "NE"})");
}

TEST_CASE("Core ML: nanoseconds on a clock of microseconds", "[backends]") {
  DumpBuilder dump;
  dump.block("Execute").delegate("var_5:ios17.linear", 0, 0, 400'000);
  const auto snapshot = load(close(dump), record_of("CoreMLBackend", {{"var_5:ios17.linear", {1}}}),
                             TimeScale::Microseconds);
  CHECK(on_line(*snapshot, 3) == 400);
  CHECK(event(*snapshot, "var_5:ios17.linear").reported == 400'000);
  // The statistics are in ticks as well.
  const EventRow& row = event(*snapshot, "var_5:ios17.linear");
  CHECK(event_statistics(
            snapshot->profile)[static_cast<size_t>(&row - snapshot->profile.events.data())]
            .p50 == Approx(400));
}

TEST_CASE("Core ML: on a clock of cycles only shares of the call are known", "[backends]") {
  DumpBuilder dump;
  dump.block("Execute")
      .delegate("var_5:ios17.linear", 0, 0, 300)
      .delegate("var_50:ios17.relu", 0, 0, 100);
  const Ids ids{{"var_5:ios17.linear", {1}}, {"var_50:ios17.relu", {2}}};
  const auto snapshot = load(close(dump), record_of("CoreMLBackend", ids), TimeScale::Cycles);
  CHECK(on_line(*snapshot, 3) == 750);
  CHECK(on_line(*snapshot, 4) == 250);
  CHECK(event(*snapshot, "var_5:ios17.linear").rescaled);
}

TEST_CASE("QNN: cycles become shares of the call; totals, counts and bytes are in no sum",
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
  const auto snapshot = load(close(dump), record_of("QnnBackend"));
  CHECK(on_line(*snapshot, 3) == 750);
  CHECK(on_line(*snapshot, 4) == 188);  // of 187.5: rounded so that the parts add up
  const EventRow& linear = event(*snapshot, "aten_linear_default:OpId_14 (cycles)");
  CHECK(linear.confidence == Confidence::Aligned);
  CHECK(linear.rescaled);
  CHECK(linear.unit == DelegateUnit::Cycles);
  CHECK(linear.reported == 3'000'000);
  CHECK_FALSE(has_statistics(linear));
  CHECK(part(*snapshot, TimePart::OpaquePartition) ==
        62);  // the node that no recorded node is named like
  CHECK(part(*snapshot, TimePart::DelegateOverhead) == 0);
  const EventRow& threads = event(*snapshot, "Number of HVX threads used (count)");
  CHECK(threads.role == EventRole::DelegateTotal);
  CHECK(threads.self_ticks == 0);
  CHECK(threads.reported == 4);
  CHECK(threads.unit == DelegateUnit::Count);
  CHECK(reports(*snapshot, Oddity::DelegateCycles));
  CHECK(reports(*snapshot, Oddity::DelegateNotTimes));
  CHECK_FALSE(reports(*snapshot, Oddity::EventOutsideExecution));
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
  const auto snapshot = load(dump, record_of("QnnBackend"));
  CHECK(on_line(*snapshot, 3) == 300'000 + 150'000);
  CHECK(on_line(*snapshot, 4) == 150'000 + 75'000);
  CHECK_FALSE(event(*snapshot, "aten_linear_default:OpId_14 (cycles)").rescaled);
  CHECK(part(*snapshot, TimePart::DelegateOverhead) == 150'000 + 375'000);
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
    const auto snapshot = load(close(dump), record_of("VulkanBackend", ids));
    CHECK(on_line(*snapshot, 3) == 300);
    CHECK(on_line(*snapshot, 4) == 100);
    const EventRow& linear = event(*snapshot, "aten.linear.default (linear_naive)");
    CHECK(linear.confidence == Confidence::Exact);
    CHECK_FALSE(linear.rescaled);
    CHECK(event(*snapshot, "ETVK_COMPUTE_GRAPH_EXECUTE").self_ticks == 150);
    CHECK(event(*snapshot, "ETVK_EXECUTE").self_ticks == 860 - 50 - 600 - 100);
    CHECK(part(*snapshot, TimePart::DelegateOverhead) == 140);
    CHECK(part(*snapshot, TimePart::OpaquePartition) == 1000 - 140 - 400);
  }
}

TEST_CASE("Vulkan: dispatches that overlap on the GPU become shares of the phase", "[backends]") {
  DumpBuilder dump;
  dump.block("Execute")
      .delegate("ETVK_COMPUTE_GRAPH_EXECUTE", 0, 1200, 1300)
      .delegate(vulkan_id("aten.linear.default", 1, "linear"), 0, 0, 150)
      .delegate(vulkan_id("aten.relu.default", 2, "relu"), 0, 0, 50);
  const auto snapshot = load(close(dump), record_of("VulkanBackend", {{"1", {1}}, {"2", {2}}}));
  CHECK(on_line(*snapshot, 3) == 75);
  CHECK(on_line(*snapshot, 4) == 25);
  CHECK(event(*snapshot, "aten.linear.default (linear)").rescaled);
  CHECK(part(*snapshot, TimePart::DelegateOverhead) == 900);
}

TEST_CASE("Vulkan up to 1.0: kernel names have no place, and their workgroups are read",
          "[backends]") {
  const std::string sizes("\x40\0\0\0\x02\0\0\0\x01\0\0\0\x08\0\0\0\x04\0\0\0\x01\0\0\0", 24);
  DumpBuilder dump;
  dump.block("Execute").delegate("linear_naive_texture_1", 0, 5, 205, sizes);
  const auto snapshot = load(close(dump), record_of("VulkanBackend", {{"1", {1}}}));
  CHECK(event(*snapshot, "linear_naive_texture_1").part == TimePart::OpaquePartition);
  CHECK(part(*snapshot, TimePart::DelegateOverhead) == 800);
}

TEST_CASE("Arm VGF and Ethos-U: phases of the host are the backend's, not operators",
          "[backends]") {
  DumpBuilder vgf;
  vgf.block("Execute")
      .delegate("VGF_COPY_INPUTS", 0, 1100, 1150)
      .delegate("VGF_QUEUE_SUBMIT_AND_WAIT_FENCE", 0, 1210, 1700)
      .delegate("VGF_DISPATCH_AND_WAIT", 0, 1200, 1800)
      .delegate("VGF_EXECUTE", 0, 1090, 1950);
  const auto a = load(close(vgf), record_of("VgfBackend"));
  CHECK(part(*a, TimePart::OpaquePartition) == 860);
  CHECK(part(*a, TimePart::DelegateOverhead) == 140);
  CHECK(event(*a, "VGF_DISPATCH_AND_WAIT").self_ticks == 110);
  CHECK(on_line(*a, 3) == 0);

  DumpBuilder ethos;
  ethos.block("Execute")
      .event("+EthosUBackend::execute()NPU", 0, 1200, 1800)
      .event("EthosUBackend::execute()", 0, 1100, 1900);
  const auto b = load(close(ethos), record_of("EthosUBackend"));
  CHECK(part(*b, TimePart::OpaquePartition) == 800);
  CHECK(part(*b, TimePart::DelegateOverhead) == 200);
}

TEST_CASE("NXP Neutron: counter ticks are shares of the call, and the tail is none", "[backends]") {
  DumpBuilder dump;
  dump.block("Execute")
      .delegate(0, 0, 0, 6000, "\x05")
      .delegate(1, 0, 4'294'967'000, 704, "\x06")  // 1,000 of a counter of 32 bits that wrapped
      .delegate(2, 0, 704, 1'000'000, "\x07");
  const auto snapshot = load(close(dump), record_of("NeutronBackend", {{"0", {1}}, {"1", {3}}}));
  CHECK(on_line(*snapshot, 3) == 858);
  CHECK(on_line(*snapshot, 5) == 142);
  CHECK(event(*snapshot, "0").confidence == Confidence::Exact);
  CHECK(event(*snapshot, "1").reported == 1000);
  CHECK(event(*snapshot, "2").role == EventRole::DelegateTotal);
  CHECK(event(*snapshot, "0").unit == DelegateUnit::Counter);
}
