// SPDX-License-Identifier: Apache-2.0
// Which .pte belongs to a dump, of those that lie about.
#include "core/workspace/choose_partners.h"
#include "core/workspace/load.h"
#include "tests/support/counted_files.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"
#include "tests/support/record_builder.h"

namespace etlens::program_discovery_test {

using namespace etlens::test;

namespace {

Bytes dump(const std::string& kernel) {
  DumpBuilder builder;
  builder.block("Execute").operator_call(kernel, 0, 10, 20).framework("Method::execute", 0, 30);
  return builder.build();
}

Bytes record(const std::string& op) {
  RecordBuilder builder;
  builder.node({"n", op, 1, "", "", {}}).map(0, {1});
  return builder.build();
}

std::string program(const std::string& op) {
  return ProgramBuilder().method("forward", {{'k', op}}).build();
}

std::string chosen(const MemoryFileSystem& files, const std::string& etdump) {
  DiscoveryOptions options;
  options.roots = {"/w"};
  const std::vector<FoundArtifact> found = find_artifacts(files, options);
  return choose_program(files, found, etdump, "/w/m.etrecord").value_or("error");
}

}  // namespace

TEST_CASE("discovery: the program whose instructions ran", "[discovery]") {
  MemoryFileSystem files;
  files.put("/w/m.etdp", dump("add.out"));
  files.put("/w/m.etrecord", record("aten.add.Tensor"));
  CHECK(chosen(files, "/w/m.etdp").empty());

  // The only one is proposed; whether it fits, loading says.
  files.put("/w/far/x.pte", program("aten::mul.out"));
  CHECK(chosen(files, "/w/m.etdp") == "/w/far/x.pte");

  // Of several the likeliest that fits.
  files.put("/w/m.pte", program("aten::sub.out"));
  CHECK(chosen(files, "/w/m.etdp").empty());
  files.put("/w/far/y.pte", program("aten::add.out"));
  CHECK(chosen(files, "/w/m.etdp") == "/w/far/y.pte");
  files.put("/w/n.pte", program("aten::add.out"));
  CHECK(chosen(files, "/w/m.etdp") == "/w/n.pte");
  files.put("/w/m.pte", program("aten::add.out"));
  CHECK(chosen(files, "/w/m.etdp") == "/w/m.pte");

  // One that cannot be read is passed over.
  files.put("/w/m.pte", program("aten::add.out").substr(0, 100));
  CHECK(chosen(files, "/w/m.etdp") == "/w/n.pte");
}

TEST_CASE("discovery: what choosing a program read, the load does not read again", "[discovery]") {
  MemoryFileSystem memory;
  memory.put("/w/m.etdp", dump("add.out"));
  memory.put("/w/m.etrecord", record("aten.add.Tensor"));
  memory.put("/w/m.pte", program("aten::add.out"));
  const CountedFiles once(memory);
  LoadRequest request;
  request.etdump = "/w/m.etdp";
  request.etrecord = "/w/m.etrecord";
  request.pte = "/w/m.pte";
  REQUIRE(load_study(once, request));

  memory.put("/w/n.pte", program("aten::add.out"));
  DiscoveryOptions options;
  options.roots = {"/w"};
  const std::vector<FoundArtifact> found = find_artifacts(memory, options);
  for (const bool is_named : {true, false}) {
    const CountedFiles files(memory);
    LoadRequest open;
    open.etdump = "/w/m.etdp";
    if (is_named) open.etrecord = "/w/m.etrecord";
    REQUIRE(choose_partners(files, found, open));
    CHECK(open.pte == "/w/m.pte");
    const auto study = load_study(files, open);
    REQUIRE(study);
    CHECK((*study)->pte_path == "/w/m.pte");
    CHECK((*study)->join->record != nullptr);
    // The first bytes of a file say what kind it is.
    CHECK(files.bytes_of["/w/m.etdp"] < once.bytes_of["/w/m.etdp"] + 2 * kKindBytes);
    CHECK(files.bytes_of["/w/m.etrecord"] < once.bytes_of["/w/m.etrecord"] + 2 * kKindBytes);
    CHECK(files.bytes_of["/w/m.pte"] < once.bytes_of["/w/m.pte"] + 2 * kKindBytes);
  }
}

TEST_CASE("discovery: of several records the chosen one is not read again", "[discovery]") {
  MemoryFileSystem memory;
  memory.put("/w/m.etdp", dump("add.out"));
  memory.put("/w/a.etrecord", record("aten.sub.Tensor"));
  memory.put("/w/b.etrecord", record("aten.add.Tensor"));
  DiscoveryOptions options;
  options.roots = {"/w"};
  const CountedFiles files(memory);
  LoadRequest request;
  request.etdump = "/w/m.etdp";
  REQUIRE(choose_partners(files, find_artifacts(memory, options), request));
  CHECK(request.etrecord == "/w/b.etrecord");
  const std::map<std::string, size_t> before = files.bytes_of;
  LoadRequest again = request;
  REQUIRE(load_study(files, request));
  CHECK(files.bytes_of == before);

  // A file that changed in between is read.
  memory.put("/w/m.etdp", dump("mul.out"));
  REQUIRE(choose_partners(files, find_artifacts(memory, options), again));
  memory.put("/w/m.etdp", dump("add.out"));
  const auto study = load_study(files, again);
  REQUIRE(study);
  CHECK((*study)->join->log->text((*study)->join->log->sequences[0].events[0].name) ==
        "native_call_add.out");
}

}  // namespace etlens::program_discovery_test
