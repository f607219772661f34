// SPDX-License-Identifier: Apache-2.0
#include "core/join/attribution.h"

#include "core/workspace/load.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"

using namespace etlens;
using test::DumpBuilder;
using test::MemoryFileSystem;
using test::RecordBuilder;

namespace {

std::string at(uint32_t line) {
  return test::stack_trace({{"/m/a.py", line, "forward", "line " + std::to_string(line)}}, true);
}

std::shared_ptr<const ProfileSnapshot> load(const DumpBuilder& dump, const RecordBuilder* record,
                                            LoadRequest request = {}) {
  MemoryFileSystem files;
  files.put("/d.etdp", dump.build());
  request.etdump = "/d.etdp";
  if (record != nullptr) {
    files.put("/r.etrecord", record->build());
    request.etrecord = "/r.etrecord";
  }
  auto snapshot = load_snapshot(files, request);
  if (!snapshot) FAIL(snapshot.error().message);
  return *snapshot;
}

const LineRow& line(const Profile& profile, uint32_t number) {
  for (const LineRow& row : profile.lines) {
    if (row.line == number) return row;
  }
  FAIL("no line " << number);
  return profile.lines.front();
}

const ModuleRow& module(const Profile& profile, std::string_view path) {
  for (const ModuleRow& row : profile.modules) {
    if (row.path == path) return row;
  }
  FAIL("no module " << path);
  return profile.modules.front();
}

}  // namespace

TEST_CASE("attribution: every tick is in one part", "[attribution]") {
  RecordBuilder record;
  record.node({"a", "aten.add.Tensor", 1, at(3), "", {}})
      .node({"b", "aten.mul.Tensor", 2, "", "", {}});
  record.map(0, {1}).map(1, {2}).map(2, {3}).delegate(2, "VendorBackend");
  DumpBuilder dump;
  dump.block("Execute")
      .operator_call("add.out", 0, 105, 125, 5)  // 20 on the line, 10 dispatch
      .operator_call("mul.out", 1, 141, 150, 1)  // 9 unattributed (no trace), 2 dispatch
      .delegate("Add (ND) #1", 2, 160, 170)      // 10 opaque
      .event("DELEGATE_CALL", 2, 155, 175)       // 10 overhead
      .event("MOVE_CALL", 3, 176, 179)           // 3 dispatch
      .framework("Method::execute", 100, 200);
  const auto snapshot = load(dump, &record);
  const Profile& profile = snapshot->profile;
  REQUIRE(profile.execution_count() == 1);
  const Reconciliation& parts = profile.executions[0];
  CHECK(parts.total == 100);
  CHECK(parts[TimePart::Line] == 20);
  CHECK(parts[TimePart::Dispatch] == 15);
  CHECK(parts[TimePart::Unattributed] == 9);
  CHECK(parts[TimePart::OpaquePartition] == 10);
  CHECK(parts[TimePart::DelegateOverhead] == 10);
  CHECK(parts[TimePart::Framework] == 36);
  CHECK(parts.sum() == 100);
}

TEST_CASE("attribution: an operator call without a kernel is itself the leaf", "[attribution]") {
  RecordBuilder record;
  record.node({"v", "aten.view_copy.default", 1, at(3), "", {}}).map(0, {1});
  const auto snapshot = load(DumpBuilder()
                                 .block("Execute")
                                 .event("OPERATOR_CALL", 0, 10, 30)
                                 .framework("Method::execute", 0, 40),
                             &record);
  CHECK(line(snapshot->profile, 3).self_ticks == 20);
  CHECK(snapshot->profile.total[TimePart::Dispatch] == 0);
}

TEST_CASE("attribution: repeated events are further occurrences", "[attribution]") {
  RecordBuilder record;
  record.node({"s", "aten.sin.default", 1, at(3), "", {}}).map(0, {1});
  DumpBuilder dump;
  dump.block("Execute");
  for (uint64_t i = 0; i < 3; ++i) {
    dump.operator_call("sin.out", 0, 10 + i * 10, 15 + i * 10)
        .event("JF_CALL", 1, 15 + i * 10, 16 + i * 10);
  }
  dump.framework("Method::execute", 0, 50);
  const auto snapshot = load(dump, &record);
  const LineRow& row = line(snapshot->profile, 3);
  CHECK(row.self_ticks == 15);
  CHECK(row.occurrences == 3);
  CHECK(row.events.size() == 1);
}

TEST_CASE("attribution: a backend's events longer than the call become shares of it",
          "[attribution]") {
  RecordBuilder record;
  record.lowered("call", "VendorBackend",
                 {{"a", "aten.mm.default", 1, at(3), "", {}},
                  {"b", "aten.relu.default", 2, at(4), "", {}},
                  {"c", "aten.exp.default", 3, at(5), "", {}}});
  record.map(0, {1, 2, 3}).delegate(0, "VendorBackend", {{"0", {1}}, {"1", {2}}, {"2", {3}}});
  const auto snapshot = load(DumpBuilder()
                                 .block("Execute")
                                 .delegate(0, 0, 1'000'000, 1'000'100)
                                 .delegate(1, 0, 2'000'000, 2'000'100)
                                 .delegate(2, 0, 3'000'000, 3'000'100)
                                 .event("DELEGATE_CALL", 0, 10, 110)
                                 .framework("Method::execute", 0, 120),
                             &record);
  const Profile& profile = snapshot->profile;
  const uint64_t sum =
      line(profile, 3).self_ticks + line(profile, 4).self_ticks + line(profile, 5).self_ticks;
  CHECK(sum == 100);  // three times 33.3, exactly
  CHECK(line(profile, 3).self_ticks >= 33);
  CHECK(profile.total[TimePart::DelegateOverhead] == 0);
  CHECK(snapshot->report.find(Oddity::DelegateRescaled) != nullptr);
}

TEST_CASE("attribution: self to the innermost project frame, inclusive once per line",
          "[attribution]") {
  RecordBuilder record;
  const std::string trace =
      test::stack_trace({{"/m/a.py", 20, "forward", "x = self.f(x)"},
                         {"/m/a.py", 9, "f", "return g(x)"},
                         {"/m/a.py", 9, "f", "return g(x)"},
                         {"/x/site-packages/torch/nn/functional.py", 5, "relu", "…"},
                         {"<eval_with_key>.1", 3, "forward", "…"}},
                        true);
  record.node({"r", "aten.relu.default", 1, trace, "", {}}).map(0, {1});
  const auto snapshot = load(DumpBuilder()
                                 .block("Execute")
                                 .operator_call("relu.out", 0, 10, 30)
                                 .framework("Method::execute", 0, 40),
                             &record);
  const Profile& profile = snapshot->profile;
  CHECK(profile.lines.size() == 2);
  CHECK(line(profile, 9).self_ticks == 20);
  CHECK(line(profile, 9).inclusive_ticks == 20);
  CHECK(line(profile, 20).self_ticks == 0);
  CHECK(line(profile, 20).inclusive_ticks == 20);
}

TEST_CASE("attribution: library frames are the user's choice", "[attribution]") {
  RecordBuilder record;
  const std::string trace =
      test::stack_trace({{"/m/a.py", 20, "forward", "x = mlp(x)"},
                         {"/v/site-packages/timm/mlp.py", 9, "forward", "fc(x)"}},
                        true);
  record.node({"r", "aten.relu.default", 1, trace, "", {}}).map(0, {1});
  DumpBuilder dump;
  dump.block("Execute").operator_call("relu.out", 0, 10, 30).framework("Method::execute", 0, 40);
  CHECK(line(load(dump, &record)->profile, 9).self_ticks == 20);
  LoadRequest request;
  request.library_frames = {"timm/**"};
  CHECK(line(load(dump, &record, request)->profile, 20).self_ticks == 20);
}

TEST_CASE("attribution: of a shared handle the kernel's own node", "[attribution]") {
  RecordBuilder record;
  record.node({"dq", "quantized_decomposed.dequantize_per_tensor.default", 5, at(3), "", {}})
      .node({"lin", "aten.linear.default", 5, at(4), "", {}})
      .node({"p0", "aten.permute_copy.default", 6, at(5), "", {}})
      .node({"p1", "aten.permute_copy.default", 6, at(6), "", {}});
  record.map(0, {5}).map(1, {5}).map(2, {6}).map(3, {6});
  const auto snapshot = load(DumpBuilder()
                                 .block("Execute")
                                 .operator_call("dequantize_per_tensor.out", 0, 10, 11)
                                 .operator_call("linear.out", 1, 20, 22)
                                 .operator_call("permute_copy.out", 2, 30, 33)
                                 .operator_call("permute_copy.out", 3, 40, 44)
                                 .framework("Method::execute", 0, 50),
                             &record);
  const Profile& profile = snapshot->profile;
  CHECK(line(profile, 3).self_ticks == 1);
  CHECK(line(profile, 4).self_ticks == 2);
  CHECK(line(profile, 5).self_ticks == 3);  // the k-th instruction ran the k-th node
  CHECK(line(profile, 6).self_ticks == 4);
  CHECK(line(profile, 5).confidence == Confidence::Exact);
}

TEST_CASE("attribution: one kernel for two nodes on two lines is inferred", "[attribution]") {
  RecordBuilder record;
  record.node({"p0", "aten.mul.Tensor", 6, at(5), "", {}})
      .node({"p1", "aten.mul.Tensor", 6, at(6), "", {}});
  record.map(0, {6});
  const auto snapshot = load(DumpBuilder()
                                 .block("Execute")
                                 .operator_call("mul.out", 0, 10, 20)
                                 .framework("Method::execute", 0, 50),
                             &record);
  CHECK(line(snapshot->profile, 5).confidence == Confidence::Inferred);
  CHECK(snapshot->profile.events[line(snapshot->profile, 5).events[0].value].candidates == 2);
}

TEST_CASE("attribution: a node without a trace borrows only what the others agree on",
          "[attribution]") {
  RecordBuilder record;
  record.node({"q", "quantized_decomposed.quantize_per_tensor.default", 1, "", "", {}})
      .node({"a", "aten.add.Tensor", 1, at(3), "", {}})
      .node({"r", "quantized_decomposed.quantize_per_tensor.default", 2, "", "", {}})
      .node({"b", "aten.add.Tensor", 2, at(4), "", {}})
      .node({"c", "aten.mul.Tensor", 2, at(5), "", {}});
  record.map(0, {1}).map(1, {1}).map(2, {2}).map(3, {2}).map(4, {2});
  const auto snapshot = load(DumpBuilder()
                                 .block("Execute")
                                 .operator_call("quantize_per_tensor.out", 0, 10, 17)
                                 .operator_call("add.out", 1, 20, 21)
                                 .operator_call("quantize_per_tensor.out", 2, 30, 35)
                                 .operator_call("add.out", 3, 40, 41)
                                 .operator_call("mul.out", 4, 42, 43)
                                 .framework("Method::execute", 0, 50),
                             &record);
  CHECK(line(snapshot->profile, 3).self_ticks == 8);
  CHECK(snapshot->profile.total[TimePart::Unattributed] == 5);
}

TEST_CASE("attribution: instructions that the map lacks are unattributed and named",
          "[attribution]") {
  RecordBuilder record;
  record.cond("cond", 9, {{{"s", "aten.sin.default", 2, at(3), "", {}}}});
  record.node({"a", "aten.add.Tensor", 1, at(4), "", {}}).map(0, {1});
  const auto snapshot = load(DumpBuilder()
                                 .block("Execute")
                                 .operator_call("add.out", 0, 10, 20)
                                 .event("JF_CALL", 1, 20, 21)
                                 .operator_call("sin.out", 2, 30, 40)
                                 .framework("Method::execute", 0, 50),
                             &record);
  CHECK(snapshot->fit->verdict() == PairVerdict::Match);
  CHECK(snapshot->profile.total[TimePart::Unattributed] == 10);
  CHECK(snapshot->report.find(Oddity::InstructionsUnmapped)->count == 1);
}

TEST_CASE("attribution: modules own by path, not by prefix", "[attribution]") {
  RecordBuilder record;
  const auto stack = [](const std::string& path) {
    return "L__self__,,m.M;k_" + path + "," + path + ",m.Layer";
  };
  record.node({"a", "aten.add.Tensor", 1, at(3), stack("layers.1"), {}})
      .node({"b", "aten.mul.Tensor", 2, at(4), stack("layers.10"), {}})
      .node({"c", "aten.sub.Tensor", 3, at(5), "L__self__,,torch.fx.graph_module.GraphModule", {}});
  record.map(0, {1}).map(1, {2}).map(2, {3});
  const auto snapshot = load(DumpBuilder()
                                 .block("Execute")
                                 .operator_call("add.out", 0, 10, 11)
                                 .operator_call("mul.out", 1, 20, 22)
                                 .operator_call("sub.out", 2, 30, 34)
                                 .framework("Method::execute", 0, 50),
                             &record);
  const Profile& profile = snapshot->profile;
  CHECK(module(profile, "layers.1").inclusive_ticks == 1);
  CHECK(module(profile, "layers.10").inclusive_ticks == 2);
  CHECK(module(profile, "layers").inclusive_ticks == 3);  // filled in
  CHECK(module(profile, "layers").self_ticks == 0);
  CHECK(module(profile, "").inclusive_ticks == 7);
  CHECK(module(profile, "").self_ticks == 4);
  CHECK(profile.record->text(module(profile, "").type) == "m.M");  // never the wrapper's
  CHECK(profile.modules[1].path == "layers");
  CHECK(profile.modules[2].path == "layers.1");  // numbers in their order
}

TEST_CASE("attribution: an opaque partition belongs to the deepest common module",
          "[attribution]") {
  RecordBuilder record;
  const auto stack = [](const std::string& path) {
    return "L__self__,,m.M;a,enc,m.E;b," + path + ",m.L";
  };
  record.lowered(
      "call", "VendorBackend",
      {{"a", "aten.mm.default", 1, at(3), stack("enc.x"), {}},
       {"b", "aten.mm.default", 2, at(4), stack("enc.y"), {}},
       {"q", "quantized_decomposed.quantize_per_tensor.default", 3, "", "L__self__,,m.M", {}}});
  record.map(0, {1, 2, 3}).delegate(0, "VendorBackend");
  const auto snapshot = load(DumpBuilder()
                                 .block("Execute")
                                 .event("DELEGATE_CALL", 0, 10, 30)
                                 .framework("Method::execute", 0, 50),
                             &record);
  const Profile& profile = snapshot->profile;
  CHECK(module(profile, "enc").inclusive_ticks == 20);
  CHECK(module(profile, "enc").self_ticks == 20);
  CHECK(module(profile, "enc.x").inclusive_ticks == 0);
  CHECK(line(profile, 3).self_ticks == 0);
  CHECK(line(profile, 3).confidence == Confidence::Partition);
  REQUIRE(profile.partitions.size() == 1);
  CHECK(profile.partitions[0].lines.size() == 2);
}

TEST_CASE("attribution: statistics, and executions that are far off", "[attribution]") {
  RecordBuilder record;
  record.node({"a", "aten.add.Tensor", 1, at(3), "", {}}).map(0, {1});
  DumpBuilder dump;
  for (const uint64_t ticks : {5000, 100, 110, 90}) {
    dump.block("Execute")
        .operator_call("add.out", 0, 10, 10 + ticks)
        .framework("Method::execute", 0, 20 + ticks);
  }
  const auto snapshot = load(dump, &record);
  const LineRow& row = line(snapshot->profile, 3);
  CHECK(row.self.p50 == Approx(105));
  CHECK(row.self.max == 5000);
  CHECK(snapshot->profile.far_off == std::vector<uint32_t>{0});
  CHECK(snapshot->average(row.self_ticks) == Approx(1325));
}

TEST_CASE("attribution: without a record everything is unattributed or opaque", "[attribution]") {
  const auto snapshot = load(DumpBuilder()
                                 .block("Execute")
                                 .operator_call("add.out", 0, 10, 20)
                                 .delegate("Clamp #1", 1, 20, 25)
                                 .event("DELEGATE_CALL", 1, 20, 30)
                                 .framework("Method::execute", 0, 40),
                             nullptr);
  const Profile& profile = snapshot->profile;
  CHECK(profile.lines.empty());
  CHECK(profile.total[TimePart::Unattributed] == 10);
  CHECK(profile.total[TimePart::OpaquePartition] == 5);
  CHECK(profile.total.sum() == 40);
  CHECK(profile.modules.size() == 1);
}

TEST_CASE("attribution: delegate events without a call are opaque", "[attribution]") {
  RecordBuilder record;
  record.lowered("call", "V", {{"a", "aten.mm.default", 1, at(3), "", {}}});
  record.map(0, {1}).delegate(0, "V", {{"x", {1}}});
  const auto snapshot = load(
      DumpBuilder().block("Execute").delegate("x", 0, 10, 20).framework("Method::execute", 0, 40),
      &record);
  CHECK(snapshot->profile.total[TimePart::OpaquePartition] == 10);
  CHECK(snapshot->profile.total[TimePart::Framework] == 30);
}
