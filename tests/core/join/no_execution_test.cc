// SPDX-License-Identifier: Apache-2.0
// Dumps without an execution, or without all of it; and events with a name of their own.
#include "core/join/no_execution.h"

#include "core/join/event_names.h"
#include "core/join/pairing.h"
#include "tests/support/joins.h"

namespace etlens::no_execution_test {

using test::DumpBuilder;
using test::RecordBuilder;

namespace {

RecordBuilder one_method() {
  RecordBuilder record;
  record.node({"a", "aten.addmm.default", 1, "", "", {}}).map(0, {1});
  return record;
}

AttributionRequest read(const DumpBuilder& dump, const RecordBuilder& record = one_method()) {
  return test::read_artifacts(dump, record);
}

// The error of choosing a block; "" if there is one.
std::string why_of(const DumpBuilder& dump) {
  const AttributionRequest read_back = read(dump);
  const auto selection =
      select_block(*read_back.log, read_back.trees, read_back.blocks, nullptr, {});
  return selection ? "" : selection.error().message;
}

BrokenRuns broken_in(const DumpBuilder& dump) {
  const AttributionRequest read_back = read(dump);
  return find_broken_runs(*read_back.log, read_back.trees, read_back.blocks);
}

bool has(const std::string& text, const std::string& part) {
  CAPTURE(text, part);
  return text.find(part) != std::string::npos;
}

DumpBuilder& whole(DumpBuilder& dump, const std::string& block = "Execute",
                   const std::string& event = "Method::execute") {
  return dump.block(block).operator_call("addmm.out", 0, 10, 20).framework(event, 0, 30);
}

PairVerdict verdict_of(const DumpBuilder& dump, const RecordBuilder& record = one_method()) {
  const AttributionRequest read_back = read(dump, record);
  const auto selection =
      select_block(*read_back.log, read_back.trees, read_back.blocks, read_back.record.get(), {});
  REQUIRE(selection);
  return selection->fit->verdict();
}

}  // namespace

TEST_CASE("no execution: all broke off, and nobody is told to rebuild", "[no_execution]") {
  DumpBuilder dump;
  dump.block("Default").framework("Method::init", 1, 2).framework("Program::load_method", 0, 3);
  for (int r = 0; r < 3; ++r) {
    dump.block("Execute")
        .operator_call("addmm.out", 0, 10, 20)
        .operator_call("relu.out", 4, 20, 25);
  }
  const std::string why = why_of(dump);
  CHECK(has(why, "3 executions broke off"));
  CHECK(has(why, "in or after instruction 4"));
  CHECK(has(why, "execute() returned"));
  CHECK_FALSE(has(why, "EXECUTORCH_"));
  CHECK(broken_in(dump).count == 3);
}

TEST_CASE("no execution: before the first instruction, inside a delegate, one alone",
          "[no_execution]") {
  DumpBuilder empty;
  empty.block("Execute");
  CHECK(has(why_of(empty), "1 execution broke off (block 1 of the dump, before its first"));
  DumpBuilder delegate;
  delegate.block("Execute").delegate("Clamp (NC) #1", 2, 10, 12);
  CHECK(has(why_of(delegate), "in or after instruction 2"));
  DumpBuilder named;
  named.block("warm up").event("DELEGATE_CALL", 1, 10, 12);
  CHECK(broken_in(named).count == 1);
}

TEST_CASE("no execution: loading alone, steps, names of others, nothing", "[no_execution]") {
  DumpBuilder loading;
  loading.block("Default").framework("Method::init", 1, 2).framework("Program::load_method", 0, 3);
  CHECK(has(why_of(loading), "only the loading"));
  CHECK_FALSE(has(why_of(loading), "EXECUTORCH_"));
  DumpBuilder steps;
  steps.block("Execute").operator_call("addmm.out", 0, 10, 20).event("Method::step", 0, 9, 21);
  CHECK(has(why_of(steps), "step by step"));
  CHECK(broken_in(steps).count == 0);
  DumpBuilder others;
  others.block("inference").framework("run_model", 0, 30);
  CHECK(has(why_of(others), "inference"));
  CHECK(has(why_of(others), "run_model"));
  CHECK(has(why_of(others), "Method::execute"));
  CHECK(has(why_of(DumpBuilder()), "holds no events"));
  CHECK(has(why_of(DumpBuilder()), "EXECUTORCH_ENABLE_EVENT_TRACER"));
}

TEST_CASE("no execution: one of several broke off", "[no_execution]") {
  DumpBuilder dump;
  for (int r = 0; r < 4; ++r) {
    if (r == 2) dump.block("Execute").operator_call("addmm.out", 0, 10, 20);
    else whole(dump);
  }
  CHECK(why_of(dump).empty());
  CHECK(broken_in(dump).count == 1);
  CHECK(broken_in(dump).first == "block 3 of the dump, in or after instruction 0");
  DumpBuilder sound;
  sound.block("Default").framework("Method::init", 1, 2);
  CHECK(broken_in(whole(sound)).count == 0);
}

TEST_CASE("event names: with what ran behind them", "[event_tree]") {
  for (const std::string name :
       {"Method::execute", "Method::execute::forward", "Method::execute (forward)",
        "Method::execute/m", "Method::execute#2"}) {
    CAPTURE(name);
    CHECK(is_named(name, kExecuteEvent));
    DumpBuilder dump;
    CHECK(why_of(whole(dump, "Execute::forward", name)).empty());
    CHECK(verdict_of(dump) == PairVerdict::Match);
  }
  for (const std::string name :
       {"Method::executed", "Method::execute_all", "Method::exec", "X::Method::execute", ""}) {
    CAPTURE(name);
    CHECK_FALSE(is_named(name, kExecuteEvent));
    DumpBuilder dump;
    CHECK_FALSE(why_of(whole(dump, "Execute", name)).empty());
  }
  // A kernel of that name is one.
  DumpBuilder dump;
  dump.block("Execute").event("Method::execute::x", 0, 1, 2).framework("Method::execute", 0, 3);
  const AttributionRequest read_back = read(dump);
  CHECK(read_back.trees[0].roles[0] == EventRole::Kernel);
  CHECK(read_back.trees[0].roles[1] == EventRole::Execute);
}

TEST_CASE("pairing: executions without instructions may belong to any record", "[pairing]") {
  DumpBuilder alone;
  alone.block("Execute").framework("Method::execute", 0, 30);
  CHECK(verdict_of(alone) == PairVerdict::Unknown);
  CHECK(name_of(PairVerdict::Unknown) == "unknown");
  // What backends log themselves is still compared.
  RecordBuilder delegates;
  delegates.node({"a", "aten.addmm.default", 1, "", "", {}})
      .map(0, {1})
      .map(1, {2})
      .delegate(1, "OtherBackend", {{"x", {2}}});
  DumpBuilder fits;
  fits.block("Execute").delegate("x", 1, 5, 8).framework("Method::execute", 0, 30);
  CHECK(verdict_of(fits, delegates) != PairVerdict::Mismatch);
  DumpBuilder other;
  other.block("Execute").delegate("x", 0, 5, 8).framework("Method::execute", 0, 30);
  CHECK(verdict_of(other, delegates) == PairVerdict::Mismatch);
}

TEST_CASE("pairing: a record that maps nothing may belong to any dump", "[pairing]") {
  RecordBuilder empty;
  empty.node({"a", "aten.addmm.default", 1, "", "", {}});
  DumpBuilder dump;
  CHECK(verdict_of(whole(dump), empty) == PairVerdict::Unknown);
  RecordBuilder half;
  half.method("encode").node({"a", "aten.addmm.default", 1, "", "", {}});
  half.method("decode").node({"b", "aten.sigmoid.default", 1, "", "", {}}).map(0, {1});
  CHECK(verdict_of(dump, half) == PairVerdict::Mismatch);
}

}  // namespace etlens::no_execution_test
