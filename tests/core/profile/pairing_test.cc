// SPDX-License-Identifier: Apache-2.0
#include "core/profile/pairing.h"

#include "core/load.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"

using namespace etlens;
using test::DumpBuilder;
using test::MemoryFileSystem;
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

Result<std::shared_ptr<const ProfileSnapshot>> load(const DumpBuilder& dump, const RecordBuilder& record,
                                                    SelectionRequest selection = {}) {
  MemoryFileSystem files;
  files.put("/d.etdp", dump.build());
  files.put("/r.etrecord", record.build());
  LoadRequest request;
  request.etdump = "/d.etdp";
  request.etrecord = "/r.etrecord";
  request.selection = std::move(selection);
  return load_snapshot(files, request);
}

}  // namespace

TEST_CASE("pairing: blocks find their methods", "[pairing]") {
  DumpBuilder dump;
  run(dump, "sigmoid.out", 1);
  run(dump, "addmm.out", 3);
  const auto most = load(dump, two_methods());
  REQUIRE(most);
  CHECK((*most)->method_name() == "encode");  // the most executions
  CHECK((*most)->profile.execution_count() == 3);
  const auto decode = load(dump, two_methods(), {"decode", ""});
  REQUIRE(decode);
  CHECK((*decode)->method_name() == "decode");
  CHECK((*decode)->profile.selected().name == "Execute");
  const auto second = load(dump, two_methods(), {"", "Execute #2"});
  REQUIRE(second);
  CHECK((*second)->method_name() == "encode");
}

TEST_CASE("pairing: unknown names list what there is", "[pairing]") {
  DumpBuilder dump;
  run(dump, "addmm.out", 1);
  CHECK(load(dump, two_methods(), {"train", ""}).error().message.find("the record has encode, decode") !=
        std::string::npos);
  CHECK(load(dump, two_methods(), {"", "Run"}).error().message.find("the dump has Execute") !=
        std::string::npos);
  CHECK(load(dump, two_methods(), {"decode", ""}).error().message.find("no block of the dump ran") !=
        std::string::npos);
}

TEST_CASE("pairing: methods that fit equally well are asked for", "[pairing]") {
  RecordBuilder record;
  record.method("first").node({"a", "aten.addmm.default", 1, "", "", {}}).map(0, {1});
  record.method("second").node({"b", "aten.addmm.default", 1, "", "", {}}).map(0, {1});
  DumpBuilder dump;
  run(dump, "addmm.out", 1);
  const auto tied = load(dump, record);
  REQUIRE_FALSE(tied);
  CHECK(tied.error().code == ErrorCode::InvalidParams);
  CHECK(tied.error().message.find("--method") != std::string::npos);
  CHECK(load(dump, record, {"second", ""}));
}

TEST_CASE("pairing: a pair that does not belong together gives no numbers", "[pairing]") {
  DumpBuilder dump;
  run(dump, "softmax.out", 1);
  const auto other = load(dump, two_methods());
  REQUIRE_FALSE(other);
  CHECK(other.error().message.find("do not belong together") != std::string::npos);
  CHECK(other.error().message.find("ran another operator") != std::string::npos);
}

TEST_CASE("pairing: a partial match says what does not fit", "[pairing]") {
  RecordBuilder record;
  DumpBuilder dump;
  dump.block("Execute");
  for (int32_t i = 0; i < 20; ++i) {
    record.node({"n" + std::to_string(i), "aten.add.Tensor", static_cast<uint32_t>(i + 1), "", "", {}});
    record.map(i, {static_cast<uint32_t>(i + 1)});
    dump.operator_call(i == 7 ? "sub.out" : "add.out", i, 10 + i * 10, 15 + i * 10);
  }
  dump.framework("Method::execute", 0, 300);
  const auto partial = load(dump, record);
  REQUIRE(partial);
  CHECK((*partial)->fit->verdict() == PairVerdict::Partial);
  CHECK((*partial)->fit->score == Approx(0.95));
  REQUIRE((*partial)->fit->reasons.size() == 1);
  CHECK((*partial)->fit->reasons[0].find("7 ran native_call_sub.out") != std::string::npos);
}

TEST_CASE("pairing: forward first", "[pairing]") {
  RecordBuilder record;
  record.method("helper").node({"a", "aten.addmm.default", 1, "", "", {}}).map(0, {1});
  record.method("forward").node({"b", "aten.sigmoid.default", 1, "", "", {}}).map(0, {1});
  DumpBuilder dump;
  run(dump, "addmm.out", 5);
  run(dump, "sigmoid.out", 1);
  CHECK((*load(dump, record))->method_name() == "forward");
}

TEST_CASE("pairing: a dump without executions", "[pairing]") {
  DumpBuilder dump;
  dump.block("Default").framework("Program::load_method", 0, 10);
  const auto none = load(dump, two_methods());
  REQUIRE_FALSE(none);
  CHECK(none.error().message.find("EXECUTORCH_ENABLE_EVENT_TRACER") != std::string::npos);
}
