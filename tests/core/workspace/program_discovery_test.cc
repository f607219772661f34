// SPDX-License-Identifier: Apache-2.0
// Which .pte belongs to a dump, of those that lie about.
#include "core/workspace/discovery.h"
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

}  // namespace etlens::program_discovery_test
