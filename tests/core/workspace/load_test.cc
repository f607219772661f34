// SPDX-License-Identifier: Apache-2.0
// What loading refuses, and what it lets through.
#include "core/workspace/load.h"

#include "tests/support/studies.h"
#include "tests/support/times.h"

namespace etlens::load_test {

using namespace etlens::test;

namespace {

RecordBuilder record() {
  RecordBuilder record;
  record.node({"a", "aten.add.Tensor", 1, trace_at(3), "", {}}).map(0, {1});
  return record;
}

DumpBuilder dump(const std::string& kernel, int executions = 1) {
  DumpBuilder dump;
  for (int i = 0; i < executions; ++i) {
    dump.block("Execute").operator_call(kernel, 0, 10, 20).framework("Method::execute", 0, 30);
  }
  return dump;
}

}  // namespace

TEST_CASE("load: a pair that does not belong together gives no numbers", "[load]") {
  const auto other = try_study_of(dump("softmax.out"), record());
  REQUIRE_FALSE(other);
  CHECK(other.error().code == ErrorCode::Mismatch);
  CHECK(other.error().message.find("do not belong together") != std::string::npos);
  CHECK(other.error().message.find("ran another operator") != std::string::npos);
}

TEST_CASE("load: executions that do not exist are an error that says what there is", "[load]") {
  LoadRequest request;
  request.time.executions = "4";
  const auto none = try_study_of(dump("add.out", 3), record(), request);
  REQUIRE_FALSE(none);
  CHECK(none.error().code == ErrorCode::InvalidParams);
  CHECK(none.error().message.find("the block has 3") != std::string::npos);
  request.time.executions = "2-3";
  CHECK(study_of(dump("add.out", 3), record(), request)->time().samples.used ==
        std::vector<uint32_t>{1, 2});
}

TEST_CASE("load: the first measure is time", "[load]") {
  const auto study = study_of(dump("add.out"), record());
  REQUIRE_FALSE(study->measures.empty());
  CHECK(study->time().quantity.id == kTimeId);
  CHECK(study->time().total.total == Amount(30));
}

}  // namespace etlens::load_test
