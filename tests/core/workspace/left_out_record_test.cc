// SPDX-License-Identifier: Apache-2.0
// A record that nobody named and that cannot be used takes no dump's numbers; nor does what else
// lies beside a dump.
#include "core/base/text.h"
#include "core/workspace/choose_partners.h"
#include "core/workspace/load.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"
#include "tests/support/record_builder.h"

namespace etlens::left_out_record_test {

using namespace etlens::test;

namespace {

Bytes dump(const std::string& kernel = "add.out") {
  DumpBuilder builder;
  builder.block("Execute").operator_call(kernel, 0, 10, 20).framework("Method::execute", 0, 30);
  return builder.build();
}

RecordBuilder record(const std::string& op = "aten.add.Tensor") {
  RecordBuilder builder;
  builder.node({"n", op, 1, "", "", {}}).map(0, {1});
  return builder;
}

// Records that cannot be used with dump().
std::vector<std::string> unusable_records() {
  const std::string whole(record().build().text());
  return {
      std::string(ZipBuilder().add("ETRECORD_V0", "").build().text()),
      whole.substr(0, whole.size() / 2),
      std::string(
          ZipBuilder().add("ETRECORD_V0", "").add("debug_handle_map", "no JSON").build().text()),
      std::string(record("aten.sigmoid.default").build().text())};
}

LoadRequest chosen(const MemoryFileSystem& files, LoadRequest request = {}) {
  DiscoveryOptions options;
  options.roots = {"/w"};
  if (request.etdump.empty()) request.etdump = "/w/m.etdp";
  const Result<void> done = choose_partners(files, find_artifacts(files, options), request);
  REQUIRE(done);
  return request;
}

}  // namespace

TEST_CASE("left out: a record that was found and cannot be used", "[load]") {
  for (const std::string& broken : unusable_records()) {
    MemoryFileSystem files;
    files.put("/w/m.etdp", dump());
    files.put("/w/m.etrecord", broken);
    LoadRequest request = chosen(files);
    CHECK(request.etrecord == "/w/m.etrecord");
    const auto study = load_study(files, request);
    REQUIRE(study);
    CHECK((*study)->time().total.total == Amount(30));
    CHECK((*study)->etrecord_path.empty());
    CHECK((*study)->join->record == nullptr);
    const ReportRow* row = (*study)->report.find(Oddity::RecordLeftOut);
    REQUIRE(row != nullptr);
    CHECK(row->first.find("/w/m.etrecord") != std::string::npos);
    const std::vector<std::string> sentences = sentences_before_numbers((*study)->report);
    REQUIRE_FALSE(sentences.empty());
    CHECK(sentences[0].ends_with("the record is left out"));

    // In two steps as well.
    const auto artifacts = load_artifacts(files, request);
    REQUIRE(artifacts);
    const auto built = build_study(files, *artifacts, request);
    REQUIRE(built);
    CHECK((*built)->report.find(Oddity::RecordLeftOut) != nullptr);
    CHECK((*built)->etrecord_path.empty());

    // Named, it is an error.
    LoadRequest named;
    named.etdump = "/w/m.etdp";
    named.etrecord = "/w/m.etrecord";
    named = chosen(files, named);
    CHECK_FALSE(load_study(files, named));
  }
}

TEST_CASE("left out: never what is asked for, and never the dump's own faults", "[load]") {
  MemoryFileSystem files;
  files.put("/w/m.etdp", dump());
  files.put("/w/m.etrecord", record().build());
  LoadRequest request = chosen(files);
  request.selection.method = "train";
  const auto other = load_study(files, request);
  REQUIRE_FALSE(other);
  CHECK(other.error().message.find("no method train") != std::string::npos);
  request.selection.method.clear();
  request.time.executions = "9";
  CHECK(load_study(files, request).error().code == ErrorCode::InvalidParams);
  request.time.executions.clear();
  files.put("/w/m.etdp", std::string(dump().text().substr(0, 60)));
  const auto cut = load_study(files, request);
  REQUIRE_FALSE(cut);
  CHECK(cut.error().message.find("is cut off") != std::string::npos);
}

TEST_CASE("partners: none for a dump that is not there, none that is not wanted", "[discovery]") {
  MemoryFileSystem files;
  files.put("/w/m.etdp", dump());
  files.put("/w/m.etrecord", record().build());
  LoadRequest request;
  request.finds_record = false;
  request = chosen(files, request);
  CHECK(request.etrecord.empty());
  CHECK(load_study(files, request));
  LoadRequest nowhere;
  nowhere.etdump = "/nope";
  const Result<void> none = choose_partners(files, {}, nowhere);
  REQUIRE_FALSE(none);
  CHECK(none.error().code == ErrorCode::NotFound);
}

TEST_CASE("partners: the program inside a bundled one", "[discovery]") {
  const auto program = [](const std::string& op) {
    return ProgramBuilder().method("forward", {{'k', op}}).build();
  };
  MemoryFileSystem files;
  files.put("/w/m.etdp", dump());
  files.put("/w/m.etrecord", record().build());
  files.put("/w/m.bpte", bundled(program("aten::add.out")));
  LoadRequest request = chosen(files);
  CHECK(request.pte == "/w/m.bpte");
  auto study = load_study(files, request);
  REQUIRE(study);
  CHECK((*study)->pte_path == "/w/m.bpte");
  CHECK((*study)->report.find(Oddity::ProgramBundled) != nullptr);
  // One by itself goes first, if it is the one that ran.
  files.put("/w/n.pte", program("aten::add.out"));
  CHECK(chosen(files).pte == "/w/n.pte");
  files.put("/w/n.pte", program("aten::mul.out"));
  CHECK(chosen(files).pte == "/w/m.bpte");
  const auto found = find_artifacts(files, {{"/w"}, {}});
  REQUIRE(programs_by_age(found).size() == 1);
  CHECK(programs_by_age(found)[0]->path == "/w/n.pte");
  files.remove("/w/n.pte");
  CHECK(programs_by_age(find_artifacts(files, {{"/w"}, {}})).size() == 1);
}

TEST_CASE("load: a dump in a log that was named", "[load]") {
  MemoryFileSystem files;
  files.put("/w/console.log", "I: start\n" + base64_encode(dump().text()) + "\nI: end\n");
  files.put("/w/m.etrecord", record().build());
  CHECK(find_artifacts(files, {{"/w"}, {}}).size() == 1);  // no log is looked into
  LoadRequest request;
  request.etdump = "/w/console.log";
  request = chosen(files, request);
  const auto study = load_study(files, request);
  REQUIRE(study);
  CHECK((*study)->time().total.total == Amount(30));
  CHECK((*study)->etrecord_path == "/w/m.etrecord");
  const ReportRow* row = (*study)->report.find(Oddity::DumpInLog);
  REQUIRE(row != nullptr);
  CHECK(row->first == "line 2 of console.log");
}

TEST_CASE("load: executions alone, and executions that broke off", "[load]") {
  MemoryFileSystem files;
  DumpBuilder alone;
  for (int r = 0; r < 2; ++r) alone.block("Execute").framework("Method::execute", 0, 30);
  alone.block("Execute").operator_call("add.out", 0, 10, 20);
  files.put("/w/m.etdp", alone.build());
  files.put("/w/m.etrecord", record().build());
  const auto study = load_study(files, chosen(files));
  REQUIRE(study);
  CHECK((*study)->time().samples.totals == std::vector<Amount>{Amount(30), Amount(30)});
  REQUIRE((*study)->fit);
  CHECK((*study)->fit->verdict() == PairVerdict::Unknown);
  CHECK((*study)->etrecord_path == "/w/m.etrecord");
  CHECK((*study)->report.find(Oddity::DumpMethodOnly) != nullptr);
  REQUIRE((*study)->report.find(Oddity::ExecutionBrokeOff) != nullptr);
  CHECK((*study)->report.find(Oddity::ExecutionBrokeOff)->count == 1);
  CHECK(sentences_before_numbers((*study)->report).size() == 2);
}

TEST_CASE("load: executions that broke off and were closed are in no number", "[load]") {
  MemoryFileSystem files;
  DumpBuilder dump;
  // The short ones are more, as where every input but the first is refused.
  for (const bool is_whole : {true, false, false}) {
    dump.block("Execute").operator_call("add.out", 0, 10, 20);
    if (is_whole) dump.operator_call("mul.out", 1, 20, 90);
    dump.framework("Method::execute", 0, is_whole ? 100 : 25);
  }
  RecordBuilder record;
  record.node({"a", "aten.add.Tensor", 1, "", "", {}}).map(0, {1});
  record.node({"m", "aten.mul.Tensor", 2, "", "", {}}).map(1, {2});
  files.put("/w/m.etdp", dump.build());
  files.put("/w/m.etrecord", record.build());
  const auto study = load_study(files, chosen(files));
  REQUIRE(study);
  CHECK((*study)->time().samples.totals == std::vector<Amount>{Amount(100)});
  CHECK((*study)->others.empty());  // they are no other method
  const ReportRow* row = (*study)->report.find(Oddity::ExecutionBrokeOff);
  REQUIRE(row != nullptr);
  CHECK(row->count == 2);
  CHECK(row->first == "block 2 of the dump, in or after instruction 0");
}

}  // namespace etlens::left_out_record_test
