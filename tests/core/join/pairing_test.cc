// SPDX-License-Identifier: Apache-2.0
#include "core/join/pairing.h"

#include "tests/support/corpus.h"
#include "tests/support/joins.h"
#include "tests/support/surface_words.h"
#include "tests/support/truth.h"

namespace etlens::pairing_test {

using test::DumpBuilder;
using test::RecordBuilder;

namespace {

RecordBuilder two_methods() {
  RecordBuilder record;
  record.method("encode").node({"a", "aten.addmm.default", 1, "", "", {}}).map(0, {1});
  record.method("decode").node({"b", "aten.sigmoid.default", 1, "", "", {}}).map(0, {1});
  return record;
}

void run(DumpBuilder& dump, const std::string& kernel, int times) {
  for (int i = 0; i < times; ++i) {
    dump.block("Execute").operator_call(kernel, 0, 10, 20).framework("Method::execute", 0, 30);
  }
}

struct Selected {
  std::string method;
  std::string block;
  size_t executions = 0;
  MethodFit fit;
};

Result<Selected> select_in(const DumpBuilder& dump, const RecordBuilder& record,
                           const SelectionRequest& wanted = {}) {
  const AttributionRequest artifacts = test::read_artifacts(dump, record);
  Result<Selection> selection = select_block(*artifacts.log, artifacts.trees, artifacts.blocks,
                                             artifacts.record.get(), wanted);
  if (!selection) return selection.error();
  const Block& block = artifacts.blocks[selection->block.value];
  return Selected{std::string(artifacts.record->text(selection->fit->method.name)), block.name,
                  block.runs.size(), std::move(*selection->fit)};
}

}  // namespace

TEST_CASE("pairing: blocks find their methods", "[pairing]") {
  DumpBuilder dump;
  run(dump, "sigmoid.out", 1);
  run(dump, "addmm.out", 3);
  const auto most = select_in(dump, two_methods());
  REQUIRE(most);
  CHECK(most->method == "encode");  // the most executions
  CHECK(most->executions == 3);
  const auto decode = select_in(dump, two_methods(), {"decode", ""});
  REQUIRE(decode);
  CHECK(decode->method == "decode");
  CHECK(decode->block == "Execute");
  const auto second = select_in(dump, two_methods(), {"", "Execute #2"});
  REQUIRE(second);
  CHECK(second->method == "encode");
}

TEST_CASE("pairing: unknown names list what there is", "[pairing]") {
  DumpBuilder dump;
  run(dump, "addmm.out", 1);
  CHECK(select_in(dump, two_methods(), {"train", ""})
            .error()
            .message.find("the record has encode, decode") != std::string::npos);
  CHECK(select_in(dump, two_methods(), {"", "Run"}).error().message.find("the dump has Execute") !=
        std::string::npos);
  CHECK(select_in(dump, two_methods(), {"decode", ""})
            .error()
            .message.find("no block of the dump ran") != std::string::npos);
}

TEST_CASE("pairing: methods that fit equally well are asked for", "[pairing]") {
  RecordBuilder record;
  record.method("first").node({"a", "aten.addmm.default", 1, "", "", {}}).map(0, {1});
  record.method("second").node({"b", "aten.addmm.default", 1, "", "", {}}).map(0, {1});
  DumpBuilder dump;
  run(dump, "addmm.out", 1);
  static constexpr ControlWords kWords = control_words({{Control::Method, " with --method"}});
  const SurfaceWords words(kWords);
  const auto tied = select_in(dump, record);
  REQUIRE_FALSE(tied);
  CHECK(tied.error().code == ErrorCode::InvalidParams);
  CHECK(tied.error().message.find("choose one with --method") != std::string::npos);
  CHECK(select_in(dump, record, {"second", ""}));
}

TEST_CASE("pairing: a pair that does not belong together is a mismatch", "[pairing]") {
  DumpBuilder dump;
  run(dump, "softmax.out", 1);
  const auto other = select_in(dump, two_methods());
  REQUIRE(other);
  CHECK(other->fit.verdict() == PairVerdict::Mismatch);
  CHECK(other->fit.reasons.at(0).find("ran another operator") != std::string::npos);
}

TEST_CASE("pairing: a partial match says what does not fit", "[pairing]") {
  RecordBuilder record;
  DumpBuilder dump;
  dump.block("Execute");
  for (int32_t i = 0; i < 20; ++i) {
    record.node(
        {"n" + std::to_string(i), "aten.add.Tensor", static_cast<uint32_t>(i + 1), "", "", {}});
    record.map(i, {static_cast<uint32_t>(i + 1)});
    dump.operator_call(i == 7 ? "sub.out" : "add.out", i, 10 + i * 10, 15 + i * 10);
  }
  dump.framework("Method::execute", 0, 300);
  const auto partial = select_in(dump, record);
  REQUIRE(partial);
  CHECK(partial->fit.verdict() == PairVerdict::Partial);
  CHECK(partial->fit.score == Approx(0.95));
  REQUIRE(partial->fit.reasons.size() == 1);
  CHECK(partial->fit.reasons[0].find("7 ran native_call_sub.out") != std::string::npos);
}

TEST_CASE("pairing: forward first", "[pairing]") {
  RecordBuilder record;
  record.method("helper").node({"a", "aten.addmm.default", 1, "", "", {}}).map(0, {1});
  record.method("forward").node({"b", "aten.sigmoid.default", 1, "", "", {}}).map(0, {1});
  DumpBuilder dump;
  run(dump, "addmm.out", 5);
  run(dump, "sigmoid.out", 1);
  CHECK(select_in(dump, record)->method == "forward");
}

TEST_CASE("pairing: a dump without executions", "[pairing]") {
  DumpBuilder dump;
  dump.block("Default").framework("Program::load_method", 0, 10);
  const auto none = select_in(dump, two_methods());
  REQUIRE_FALSE(none);
  CHECK(none.error().message.find("only the loading") != std::string::npos);
}

namespace {

// What two exports of one model have in common: "v0.5-mlp-xnnpack-early-q8" is mlp, quantized. Some
// programs hold another one's model as a method.
std::string model_of(const std::string& name) {
  const size_t xnnpack = name.find("-xnnpack");
  if (xnnpack == std::string::npos) return name;
  const size_t start = name.starts_with("v0.5-") ? 5 : 0;
  std::string model = name.substr(start, xnnpack - start);
  if (model == "große" || model == "groesse") model = "grosse";
  if (model == "llama") model = "tiny_llama";
  if (model.starts_with("methods")) model = "mlp";
  const bool is_quantized =
      name.find("q8") != std::string::npos || name.find("int8") != std::string::npos;
  return model + (is_quantized ? " quantized" : "") +
         (name.find("perop") != std::string::npos ? " by operator" : "");
}

double best_score(const AttributionRequest& dump, const EtRecord& record) {
  double best = 0;
  for (const Block& block : dump.blocks) {
    if (!block.is_execution) continue;
    for (const MethodFit& fit : fit_methods(*dump.log, dump.trees, block, record))
      best = std::max(best, fit.score);
  }
  return best;
}

}  // namespace

TEST_CASE("pairing: delegated dumps fit the records of their own model and no others",
          "[pairing][xnnpack]") {
  struct Loaded {
    std::string name;
    std::string path;
    AttributionRequest artifacts;
  };
  std::vector<Loaded> loaded;
  for (const test::TruthCase& row : test::truth_cases()) {
    for (const std::string& record : row.records) {
      const std::string dump = test::unpacked(row.dumps.front());
      loaded.push_back({row.name, record, test::read_artifacts(dump, record)});
    }
  }
  size_t others = 0;
  for (const Loaded& dump : loaded) {
    for (const Loaded& record : loaded) {
      CAPTURE(dump.name, record.path);
      const double score = best_score(dump.artifacts, *record.artifacts.record);
      if (dump.name == record.name) CHECK(score == 1);
      if (model_of(dump.name) == model_of(record.name)) continue;
      CHECK(score < kPartialScore);
      ++others;
    }
  }
  CHECK(others >= 150);
}

TEST_CASE("pairing: what a delegate reports weighs as much as instructions do", "[pairing]") {
  RecordBuilder record;
  std::vector<uint32_t> handles;
  for (uint32_t i = 1; i <= 4; ++i) {
    record.node({std::string("n").append(std::to_string(i)),
                 i == 4 ? "aten.linear.default" : "aten.sigmoid.default",
                 i,
                 "",
                 "",
                 {}});
    handles.push_back(i);
  }
  record.map(0, handles).delegate(0, "XnnpackBackend");
  const auto reported = [&](const std::vector<std::string>& names) {
    DumpBuilder dump;
    dump.block("Execute");
    uint64_t at = 0;
    for (const std::string& name : names) dump.delegate(name, 0, at, at + 10), at += 10;
    dump.event("DELEGATE_CALL", 0, 0, at).framework("Method::execute", 0, at);
    return select_in(dump, record);
  };
  const std::vector<std::string> own{"Sigmoid (NC) #1", "Sigmoid (NC) #2", "Sigmoid (NC) #3",
                                     "Fully Connected (NC, F32) GEMM #1"};
  REQUIRE(reported(own));
  CHECK(reported(own)->fit.score == 1);
  // Layout changes are no contradiction, and without events there is nothing to contradict.
  std::vector<std::string> more = own;
  more.insert(more.begin(), "Transpose (ND, X32) #1");
  CHECK(reported(more)->fit.score == 1);
  CHECK(reported({})->fit.score == 1);

  std::vector<std::string> quantized = own;
  quantized.back() = "Fully Connected (NC, QS8, QC8W) GEMM #1";
  const auto refused = reported(quantized);
  CHECK(refused->fit.verdict() == PairVerdict::Mismatch);
  CHECK(refused->fit.reasons.at(0).find(
            "1 instruction reported from inside a delegate what the record does not explain: "
            "0 (1 of 4 events)") != std::string::npos);
  std::vector<std::string> strange = own;
  strange.front() = "Max Pooling (NHWC, F32) #1";
  CHECK(reported(strange)->fit.verdict() == PairVerdict::Mismatch);
  // A product is missing.
  CHECK(reported({own[0], own[1], own[2]})->fit.verdict() == PairVerdict::Mismatch);
  // A name that is not known may be the product's.
  CHECK(reported({own[0], own[1], own[2], "Linear With Bias (NC) #1"})->fit.score == 1);
}

TEST_CASE("pairing: calls that report the same are compared each with its own operators",
          "[pairing]") {
  RecordBuilder record;
  record.node({"a", "aten.sigmoid.default", 1, "", "", {}})
      .node({"b", "aten.sigmoid.default", 2, "", "", {}})
      .node({"c", "aten.linear.default", 3, "", "", {}});
  DumpBuilder dump;
  dump.block("Execute");
  for (uint32_t call = 0; call < 3; ++call) {
    record.map(call, {call + 1}).delegate(call, "XnnpackBackend");
    const uint64_t at = uint64_t{20} * call;
    dump.delegate("Sigmoid (NC) #1", static_cast<int>(call), at, at + 10);
    dump.event("DELEGATE_CALL", static_cast<int>(call), at, at + 10);
  }
  dump.framework("Method::execute", 0, 60);
  const auto selected = select_in(dump, record);
  REQUIRE(selected);
  CHECK(
      selected->fit.reasons.at(0).find(
          "1 instruction reported from inside a delegate what the record does not explain: 2 (") !=
      std::string::npos);
}

TEST_CASE("pairing: ids of a delegate map are no names", "[pairing]") {
  RecordBuilder record;
  record.node({"mm", "aten.linear.default", 1, "", "", {}})
      .map(0, {1})
      .delegate(0, "XnnpackBackend", {{"7", {1}}});
  DumpBuilder dump;
  dump.block("Execute").delegate("7", 0, 0, 10).event("DELEGATE_CALL", 0, 0, 10);
  dump.framework("Method::execute", 0, 10);
  const auto selected = select_in(dump, record);
  REQUIRE(selected);
  CHECK(selected->fit.score == 1);
}

}  // namespace etlens::pairing_test
