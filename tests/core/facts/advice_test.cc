// SPDX-License-Identifier: Apache-2.0
// What to look at first: each finding where it is planted, and not where it nearly is.
#include "core/facts/advice.h"

#include <algorithm>

#include "core/workspace/load.h"
#include "tests/support/corpus.h"
#include "tests/support/studies.h"

namespace etlens::advice_test {

using namespace etlens::test;

namespace {

constexpr const char* kXnnpack = "XnnpackBackend";

std::string at(uint32_t line) {
  return stack_trace({{"/m/model.py", line, "forward", "line"}}, true);
}

std::vector<Advice> advice_of(const Facts& facts) { return advise(facts, headline(facts)); }

const Advice* find(const std::vector<Advice>& rows, AdviceKind kind) {
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const Advice& r) { return r.kind == kind; });
  return row == rows.end() ? nullptr : &*row;
}

// Operators on the CPU, one after the other, each as long as its handle says in tens of ticks.
struct Cpu {
  RecordBuilder record;
  DumpBuilder dump;
  uint32_t count = 0;
  uint64_t clock = 0;

  Cpu() { dump.block("Execute"); }
  Cpu& run(const std::string& name, const std::string& target, std::vector<std::string> inputs,
           uint64_t ticks) {
    ++count;
    record.node({name, target, count, at(count), "", std::move(inputs)});
    record.map(static_cast<int32_t>(count), {count});
    dump.operator_call(target.substr(target.find('.') + 1), static_cast<int32_t>(count), clock,
                       clock + ticks);
    clock += ticks;
    return *this;
  }
  Facts facts() {
    dump.framework("Method::execute", 0, clock);
    return Facts(study_of(dump, record, mean_raw_request()));
  }
};

struct Calls {
  bool is_between = true;  // the operator on the CPU, between the calls or in front of them
  uint64_t work = 40;      // of the second call
  uint64_t around = 45;    // of the second call, beside its work
};

Facts two_calls(const Calls& calls) {
  RecordBuilder record;
  record.node({"add", "aten.add.Tensor", 1, at(10), "", {"x"}});
  record.node({"top", "aten.topk.default", 2, at(11), "", {"add"}});
  record.node({"sig", "aten.sigmoid.default", 3, at(12), "", {"top"}});
  const int32_t first = calls.is_between ? 0 : 1;
  const int32_t topk = calls.is_between ? 1 : 0;
  record.map(first, {1}).map(topk, {2}).map(2, {3});
  record.delegate(first, kXnnpack).delegate(2, kXnnpack);
  DumpBuilder dump;
  dump.block("Execute");
  const auto first_call = [&](uint64_t begin) {
    dump.delegate("Add (ND) #1", first, begin + 1, begin + 48)
        .event("DELEGATE_CALL", first, begin, begin + 50);
  };
  if (!calls.is_between) dump.operator_call("topk.values", topk, 0, 100);
  first_call(calls.is_between ? 0 : 100);
  if (calls.is_between) dump.operator_call("topk.values", topk, 50, 150);
  const uint64_t end = 150 + calls.around + calls.work;
  dump.delegate("Sigmoid (NC) #1", 2, 150 + calls.around, end).event("DELEGATE_CALL", 2, 150, end);
  dump.framework("Method::execute", 0, end);
  return Facts(study_of(dump, record, mean_raw_request()));
}

}  // namespace

TEST_CASE("advice: an operator between two calls, not one in front of them", "[advice]") {
  const std::vector<Advice> rows = advice_of(two_calls({}));
  const Advice* row = find(rows, AdviceKind::Fallback);
  REQUIRE(row != nullptr);
  CHECK(row->subject == "topk");
  CHECK(row->work.amount == Amount(100));
  CHECK(row->overhead.amount == Amount(45));  // of the call that would join the one before
  CHECK(row->at_most.amount == Amount(145));
  CHECK(row->count == 1);
  REQUIRE(row->lines.size() == 1);
  CHECK(find(advice_of(two_calls({.is_between = false})), AdviceKind::Fallback) == nullptr);
}

TEST_CASE("advice: a call that costs more than its work, not one that costs a little less",
          "[advice]") {
  const std::vector<Advice> rows = advice_of(two_calls({.work = 40'000, .around = 60'000}));
  const Advice* row = find(rows, AdviceKind::SmallCall);
  REQUIRE(row != nullptr);
  CHECK(row->subject == "XNNPACK");
  CHECK(row->count == 1);
  CHECK(row->work.amount == Amount(40'000));
  CHECK(row->at_most.amount == Amount(60'000));
  for (const Calls& calls : {Calls{.work = 60'000, .around = 40'000},
                             Calls{.work = 40'000, .around = 41'500},  // each may be 1,000 off
                             Calls{.work = 40, .around = 60}})  // below XNNPACK's microsecond
    CHECK(find(advice_of(two_calls(calls)), AdviceKind::SmallCall) == nullptr);
}

TEST_CASE("advice: moving data, not views", "[advice]") {
  const std::vector<Advice> rows = advice_of(Cpu()
                                                 .run("m", "aten.mul.Tensor", {"x"}, 100)
                                                 .run("p", "aten.permute_copy.default", {"m"}, 50)
                                                 .run("v", "aten.view_copy.default", {"p"}, 50)
                                                 .facts());
  const Advice* row = find(rows, AdviceKind::DataMovement);
  REQUIRE(row != nullptr);
  CHECK(row->subject == "permute_copy");
  CHECK(row->at_most.amount == Amount(50));
  CHECK(row->occurrences == 1);
}

TEST_CASE("advice: what is computed from constants alone", "[advice]") {
  const auto amount = [](const std::string& kind) {
    Cpu model;
    model.record.input(kind, "w").input("user_input", "x");
    const std::vector<Advice> rows = advice_of(model.run("a", "aten.arange.start_step", {}, 20)
                                                   .run("s", "aten.sin.default", {"a"}, 30)
                                                   .run("n", "aten.neg.default", {"w"}, 40)
                                                   .run("m", "aten.mul.Tensor", {"s", "x"}, 100)
                                                   .run("r", "aten.rand.default", {}, 10)
                                                   .facts());
    const Advice* row = find(rows, AdviceKind::ConstantWork);
    REQUIRE(row != nullptr);
    return row->at_most.amount;
  };
  CHECK(amount("parameter") == Amount(90));
  CHECK(amount("tensor_constant") == Amount(90));
  CHECK(amount("buffer") == Amount(50));  // it may change
  CHECK(amount("user_input") == Amount(50));
}

TEST_CASE("advice: a product in floating point among quantized ones", "[advice]") {
  const auto model = [](const std::string& other_input) {
    return advice_of(Cpu()
                         .run("d1", "quantized_decomposed.dequantize_per_tensor.default", {"x"}, 5)
                         .run("l1", "aten.linear.default", {"d1"}, 100)
                         .run("l2", "aten.linear.default", {other_input}, 80)
                         .facts());
  };
  const std::vector<Advice> rows = model("l1");
  const Advice* row = find(rows, AdviceKind::FloatIsland);
  REQUIRE(row != nullptr);
  CHECK(row->at_most.amount == Amount(80));
  CHECK(find(model("d1"), AdviceKind::FloatIsland) == nullptr);
  const std::vector<Advice> in_float =
      advice_of(Cpu().run("l", "aten.linear.default", {"x"}, 100).facts());
  CHECK(find(in_float, AdviceKind::FloatIsland) == nullptr);
}

TEST_CASE("advice: quantizing by itself on the CPU", "[advice]") {
  const std::vector<Advice> rows =
      advice_of(Cpu()
                    .run("q", "quantized_decomposed.quantize_per_tensor.default", {"x"}, 30)
                    .run("d", "quantized_decomposed.dequantize_per_tensor.default", {"q"}, 20)
                    .run("m", "aten.mul.Tensor", {"d"}, 50)
                    .facts());
  const Advice* row = find(rows, AdviceKind::Quantizing);
  REQUIRE(row != nullptr);
  CHECK(row->at_most.amount == Amount(50));
  CHECK(row->subject == "quantize_per_tensor, dequantize_per_tensor");
}

TEST_CASE("advice: loading, and what limits the numbers", "[advice]") {
  const auto model = [](uint64_t loading, int executions) {
    RecordBuilder record;
    record.node({"m", "aten.mul.Tensor", 1, at(3), "", {"x"}}).map(0, {1});
    DumpBuilder dump;
    dump.block("Default").framework("Program::load_method", 0, loading);
    for (int i = 0; i < executions; ++i)
      dump.block("Execute")
          .operator_call("mul.out", 0, 0, 100)
          .framework("Method::execute", 0, 100);
    return advice_of(Facts(study_of(dump, record, mean_raw_request())));
  };
  const std::vector<Advice> rows = model(2500, 1);
  const Advice* loading = find(rows, AdviceKind::Loading);
  REQUIRE(loading != nullptr);
  CHECK(loading->count == 25);
  CHECK(loading->at_most.amount == Amount());
  CHECK(find(rows, AdviceKind::FewSamples) != nullptr);
  CHECK(rows.back().kind == AdviceKind::FewSamples);
  CHECK(find(model(1900, 1), AdviceKind::Loading) == nullptr);
  CHECK(find(model(1900, 10), AdviceKind::FewSamples) == nullptr);
}

TEST_CASE("advice: helper lines are missed where the record has those of forward alone",
          "[advice]") {
  const auto model = [](bool is_strict) {
    RecordBuilder record;
    record.node({"m",
                 "aten.mul.Tensor",
                 1,
                 stack_trace({{"/m/model.py", 3, "forward", "line"}}, is_strict),
                 "",
                 {"x"}});
    record.map(0, {1});
    DumpBuilder dump;
    dump.block("Execute").operator_call("mul.out", 0, 0, 100).framework("Method::execute", 0, 100);
    return advice_of(Facts(study_of(dump, record, mean_raw_request())));
  };
  CHECK(find(model(false), AdviceKind::HelperLines) != nullptr);
  CHECK(find(model(true), AdviceKind::HelperLines) == nullptr);
}

TEST_CASE("advice: at most seven on every real artifact, the most first, none beyond the total",
          "[advice]") {
  size_t advised = 0;
  for (const std::string& folder : case_folders()) {
    for (const Pair& pair : pairs_of(folder)) {
      CAPTURE(pair.etdump, pair.etrecord);
      LoadRequest load;
      load.etdump = unpacked(pair.etdump);
      load.etrecord = pair.etrecord;
      const auto study = load_study(real_file_system(), load);
      if (!study) continue;
      const Facts facts(*study);
      const std::vector<Advice> rows = advice_of(facts);
      CHECK(rows.size() <= 7);
      Amount before(INT64_MAX);
      for (const Advice& row : rows) {
        CHECK(row.at_most.amount <= before);
        CHECK(row.at_most.share <= 1.0);
        before = row.at_most.amount;
        ++advised;
      }
    }
  }
  CHECK(advised > 20);
}

}  // namespace etlens::advice_test
