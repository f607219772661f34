// SPDX-License-Identifier: Apache-2.0
// Whose ticks are these: the rules of attribution, by the time that they put on lines, modules and
// parts.
#include "core/join/attribution.h"

#include "tests/support/times.h"

namespace etlens::attribution_test {

using namespace etlens::test;

namespace {

std::string at(uint32_t line) { return trace_at(line); }

Timed load(const DumpBuilder& dump, const RecordBuilder& record) {
  return time_of(join_of(dump, record));
}

const LineLandings& landings_on(const Timed& timed, uint32_t line) {
  const LineId id = find_line(timed.join, line);
  REQUIRE(id.valid());
  return timed.join.landings->lines[id.value];
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
  const Timed timed = load(dump, record);
  REQUIRE(timed.measure().sample_count() == 1);
  const Reconciliation parts = timed.measure().total;
  CHECK(parts.total == Amount(100));
  CHECK(parts[Part::Line] == Amount(20));
  CHECK(parts[Part::Dispatch] == Amount(15));
  CHECK(parts[Part::Unattributed] == Amount(9));
  CHECK(parts[Part::OpaquePartition] == Amount(10));
  CHECK(parts[Part::DelegateOverhead] == Amount(10));
  CHECK(parts[Part::Framework] == Amount(36));
  CHECK(parts.typical() == Amount(100));
  CHECK(parts.disturbance == Amount());
}

TEST_CASE("attribution: an operator call without a kernel is itself the leaf", "[attribution]") {
  RecordBuilder record;
  record.node({"v", "aten.view_copy.default", 1, at(3), "", {}}).map(0, {1});
  const Timed timed = load(DumpBuilder()
                               .block("Execute")
                               .event("OPERATOR_CALL", 0, 10, 30)
                               .framework("Method::execute", 0, 40),
                           record);
  CHECK(timed.self_on(3) == 20);
  CHECK(timed.part(Part::Dispatch) == 0);
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
  const Timed timed = load(dump, record);
  CHECK(timed.self_on(3) == 15);
  CHECK(timed.occurrences_on(3) == 3);
  CHECK(landings_on(timed, 3).own.size() == 1);
}

TEST_CASE("attribution: a backend's events longer than the call become shares of it",
          "[attribution]") {
  RecordBuilder record;
  record.lowered("call", "VendorBackend",
                 {{"a", "aten.mm.default", 1, at(3), "", {}},
                  {"b", "aten.relu.default", 2, at(4), "", {}},
                  {"c", "aten.exp.default", 3, at(5), "", {}}});
  record.map(0, {1, 2, 3}).delegate(0, "VendorBackend", {{"0", {1}}, {"1", {2}}, {"2", {3}}});
  const Timed timed = load(DumpBuilder()
                               .block("Execute")
                               .delegate(0, 0, 1'000'000, 1'000'100)
                               .delegate(1, 0, 2'000'000, 2'000'100)
                               .delegate(2, 0, 3'000'000, 3'000'100)
                               .event("DELEGATE_CALL", 0, 10, 110)
                               .framework("Method::execute", 0, 120),
                           record);
  CHECK(timed.self_on(3) + timed.self_on(4) + timed.self_on(5) ==
        100);  // three times 33.3, exactly
  CHECK(timed.self_on(3) >= 33);
  CHECK(timed.part(Part::DelegateOverhead) == 0);
  CHECK(timed.time.logged.is_rescaled[find_event(timed.join, "0").value]);
}

TEST_CASE("attribution: self to the innermost project frame, inclusive once per line",
          "[attribution]") {
  RecordBuilder record;
  const std::string trace =
      stack_trace({{"/m/a.py", 20, "forward", "x = self.f(x)"},
                   {"/m/a.py", 9, "f", "return g(x)"},
                   {"/m/a.py", 9, "f", "return g(x)"},
                   {"/x/site-packages/torch/nn/functional.py", 5, "relu", "…"},
                   {"<eval_with_key>.1", 3, "forward", "…"}},
                  true);
  record.node({"r", "aten.relu.default", 1, trace, "", {}}).map(0, {1});
  const Timed timed = load(DumpBuilder()
                               .block("Execute")
                               .operator_call("relu.out", 0, 10, 30)
                               .framework("Method::execute", 0, 40),
                           record);
  CHECK(timed.join.code().lines.size() == 2);
  CHECK(timed.self_on(9) == 20);
  CHECK(timed.inclusive_on(9) == 20);
  CHECK(timed.self_on(20) == 0);
  CHECK(timed.inclusive_on(20) == 20);
}

TEST_CASE("attribution: library frames are the user's choice", "[attribution]") {
  RecordBuilder record;
  const std::string trace = stack_trace({{"/m/a.py", 20, "forward", "x = mlp(x)"},
                                         {"/v/site-packages/timm/mlp.py", 9, "forward", "fc(x)"}},
                                        true);
  record.node({"r", "aten.relu.default", 1, trace, "", {}}).map(0, {1});
  DumpBuilder dump;
  dump.block("Execute").operator_call("relu.out", 0, 10, 30).framework("Method::execute", 0, 40);
  CHECK(load(dump, record).self_on(9) == 20);
  JoinOptions options;
  options.library_frames = {"timm/**"};
  CHECK(time_of(join_of(dump, record, options)).self_on(20) == 20);
}

TEST_CASE("attribution: of a shared handle the kernel's own node", "[attribution]") {
  RecordBuilder record;
  record.node({"dq", "quantized_decomposed.dequantize_per_tensor.default", 5, at(3), "", {}})
      .node({"lin", "aten.linear.default", 5, at(4), "", {}})
      .node({"p0", "aten.permute_copy.default", 6, at(5), "", {}})
      .node({"p1", "aten.permute_copy.default", 6, at(6), "", {}});
  record.map(0, {5}).map(1, {5}).map(2, {6}).map(3, {6});
  const Timed timed = load(DumpBuilder()
                               .block("Execute")
                               .operator_call("dequantize_per_tensor.out", 0, 10, 11)
                               .operator_call("linear.out", 1, 20, 22)
                               .operator_call("permute_copy.out", 2, 30, 33)
                               .operator_call("permute_copy.out", 3, 40, 44)
                               .framework("Method::execute", 0, 50),
                           record);
  CHECK(timed.self_on(3) == 1);
  CHECK(timed.self_on(4) == 2);
  CHECK(timed.self_on(5) == 3);  // the k-th instruction ran the k-th node
  CHECK(timed.self_on(6) == 4);
  CHECK(landings_on(timed, 5).confidence == Confidence::Exact);
}

TEST_CASE("attribution: one kernel for two nodes on two lines is inferred", "[attribution]") {
  RecordBuilder record;
  record.node({"p0", "aten.mul.Tensor", 6, at(5), "", {}})
      .node({"p1", "aten.mul.Tensor", 6, at(6), "", {}});
  record.map(0, {6});
  const Timed timed = load(DumpBuilder()
                               .block("Execute")
                               .operator_call("mul.out", 0, 10, 20)
                               .framework("Method::execute", 0, 50),
                           record);
  CHECK(landings_on(timed, 5).confidence == Confidence::Inferred);
  CHECK((*timed.join.landings)[landings_on(timed, 5).own.at(0)].candidates == 2);
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
  const Timed timed = load(DumpBuilder()
                               .block("Execute")
                               .operator_call("quantize_per_tensor.out", 0, 10, 17)
                               .operator_call("add.out", 1, 20, 21)
                               .operator_call("quantize_per_tensor.out", 2, 30, 35)
                               .operator_call("add.out", 3, 40, 41)
                               .operator_call("mul.out", 4, 42, 43)
                               .framework("Method::execute", 0, 50),
                           record);
  CHECK(timed.self_on(3) == 8);
  CHECK(timed.part(Part::Unattributed) == 5);
}

TEST_CASE("attribution: instructions that the map lacks are unattributed and named",
          "[attribution]") {
  RecordBuilder record;
  record.cond("cond", 9, {{{"s", "aten.sin.default", 2, at(3), "", {}}}});
  record.node({"a", "aten.add.Tensor", 1, at(4), "", {}}).map(0, {1});
  const Timed timed = load(DumpBuilder()
                               .block("Execute")
                               .operator_call("add.out", 0, 10, 20)
                               .event("JF_CALL", 1, 20, 21)
                               .operator_call("sin.out", 2, 30, 40)
                               .framework("Method::execute", 0, 50),
                           record);
  CHECK(timed.part(Part::Unattributed) == 10);
  REQUIRE(timed.join.report.find(Oddity::InstructionsUnmapped) != nullptr);
  CHECK(timed.join.report.find(Oddity::InstructionsUnmapped)->count == 1);
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
  const Timed timed = load(DumpBuilder()
                               .block("Execute")
                               .operator_call("add.out", 0, 10, 11)
                               .operator_call("mul.out", 1, 20, 22)
                               .operator_call("sub.out", 2, 30, 34)
                               .framework("Method::execute", 0, 50),
                           record);
  CHECK(timed.module("layers.1").inclusive.amount.value == 1);
  CHECK(timed.module("layers.10").inclusive.amount.value == 2);
  CHECK(timed.module("layers").inclusive.amount.value == 3);  // filled in
  CHECK(timed.module("layers").self.amount.value == 0);
  CHECK(timed.module("").inclusive.amount.value == 7);
  CHECK(timed.module("").self.amount.value == 4);
  const Code& code = timed.join.code();
  CHECK(code.text(code.modules[0].type) == "m.M");  // never the wrapper's
  CHECK(code.modules[1].path == "layers");
  CHECK(code.modules[2].path == "layers.1");  // numbers in their order
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
  const Timed timed = load(DumpBuilder()
                               .block("Execute")
                               .event("DELEGATE_CALL", 0, 10, 30)
                               .framework("Method::execute", 0, 50),
                           record);
  CHECK(timed.module("enc").inclusive.amount.value == 20);
  CHECK(timed.module("enc").self.amount.value == 20);
  CHECK(timed.module("enc.x").inclusive.amount.value == 0);
  CHECK(timed.self_on(3) == 0);
  CHECK(landings_on(timed, 3).confidence == Confidence::Partition);
  REQUIRE(timed.join.code().partitions.size() == 1);
  CHECK(timed.join.code().partitions[0].lines.size() == 2);
}

TEST_CASE("attribution: a value per execution, and those that are far off", "[attribution]") {
  RecordBuilder record;
  record.node({"a", "aten.add.Tensor", 1, at(3), "", {}}).map(0, {1});
  DumpBuilder dump;
  for (const uint64_t ticks : {5000, 100, 110, 90}) {
    dump.block("Execute")
        .operator_call("add.out", 0, 10, 10 + ticks)
        .framework("Method::execute", 0, 20 + ticks);
  }
  const Timed timed = load(dump, record);
  const Measure& measure = timed.measure();
  const LineLandings& line = landings_on(timed, 3);
  const std::vector<int64_t> values = measure.values_of(line.own);
  CHECK(values == std::vector<int64_t>{5000, 100, 110, 90});
  CHECK(measure.samples.odd == std::vector<uint32_t>{0});
  CHECK(measure.shown(Amount(timed.self_on(3))) == Approx(1325));
}

TEST_CASE("attribution: without a record everything is unattributed or opaque", "[attribution]") {
  const Timed timed = time_of(join_of(DumpBuilder()
                                          .block("Execute")
                                          .operator_call("add.out", 0, 10, 20)
                                          .delegate("Clamp #1", 1, 20, 25)
                                          .event("DELEGATE_CALL", 1, 20, 30)
                                          .framework("Method::execute", 0, 40)));
  CHECK(timed.join.code().lines.empty());
  CHECK(timed.part(Part::Unattributed) == 10);
  CHECK(timed.part(Part::OpaquePartition) == 5);
  CHECK(timed.measure().total.typical() == Amount(40));
  CHECK(timed.join.code().modules.size() == 1);
}

TEST_CASE("attribution: delegate events without a call are opaque", "[attribution]") {
  RecordBuilder record;
  record.lowered("call", "V", {{"a", "aten.mm.default", 1, at(3), "", {}}});
  record.map(0, {1}).delegate(0, "V", {{"x", {1}}});
  const Timed timed = load(
      DumpBuilder().block("Execute").delegate("x", 0, 10, 20).framework("Method::execute", 0, 40),
      record);
  CHECK(timed.part(Part::OpaquePartition) == 10);
  // No instruction is logged: what is not the delegate's may be operators'.
  CHECK(timed.part(Part::Framework) == 0);
  CHECK(timed.part(Part::Unattributed) == 30);
}

}  // namespace etlens::attribution_test
