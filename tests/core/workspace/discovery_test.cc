// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/choose_partners.h"

#include "core/source/paths/path_mapper.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"

namespace etlens::discovery_test {

using test::DumpBuilder;
using test::MemoryFileSystem;
using test::RecordBuilder;

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

std::vector<std::string> paths(const std::vector<FoundArtifact>& found) {
  std::vector<std::string> list;
  for (const FoundArtifact& artifact : found) list.push_back(artifact.path);
  return list;
}

DiscoveryOptions in(std::vector<std::string> roots) {
  DiscoveryOptions options;
  options.roots = std::move(roots);
  return options;
}

}  // namespace

TEST_CASE("discovery: by content, not by name", "[discovery]") {
  MemoryFileSystem files;
  files.put("/w/anything.bin", dump("add.out"));
  files.put("/w/out/x", record("aten.add.Tensor"));
  files.put("/w/model.pte", std::string("\x3c\0\0\0ET12eh00", 12) + std::string(60, '\0'));
  files.put("/w/fake.etdp", "not a dump at all");
  files.put("/w/src/model.py", "import torch");
  files.put("/w/.git/objects/y", dump("add.out"));
  files.put("/w/node_modules/z/dump", dump("add.out"));
  files.put("/w/tools/pyvenv.cfg", "home = /usr");
  files.put("/w/tools/dump", dump("add.out"));
  const auto found = find_artifacts(files, in({"/w"}));
  CHECK(paths(found) == std::vector<std::string>{"/w/anything.bin", "/w/model.pte", "/w/out/x"});
  CHECK(found[0].kind == FileKind::EtDump);
  CHECK(found[1].kind == FileKind::Program);
  CHECK(found[2].kind == FileKind::EtRecord);
}

TEST_CASE("discovery: globs restrict it", "[discovery]") {
  MemoryFileSystem files;
  files.put("/w/a/one.etdp", dump("add.out"));
  files.put("/w/b/two.etdp", dump("add.out"));
  DiscoveryOptions options = in({"/w"});
  options.globs = {"b/**"};
  CHECK(paths(find_artifacts(files, options)) == std::vector<std::string>{"/w/b/two.etdp"});
}

TEST_CASE("discovery: overlapping roots give each file once", "[discovery]") {
  MemoryFileSystem files;
  files.put("/w/a/one.etdp", dump("add.out"));
  CHECK(find_artifacts(files, in({"/w", "/w/a"})).size() == 1);
}

TEST_CASE("discovery: the newest dump first", "[discovery]") {
  MemoryFileSystem files;
  files.put("/w/b.etdp", dump("add.out"));
  files.put("/w/a.etdp", dump("add.out"));
  files.put("/w/c.etdp", dump("add.out"));
  files.put("/w/b.etdp", dump("add.out"));
  const auto found = find_artifacts(files, in({"/w"}));
  const auto dumps = dumps_by_age(found);
  REQUIRE(dumps.size() == 3);
  CHECK(dumps[0]->path == "/w/b.etdp");
  CHECK(dumps[2]->path == "/w/a.etdp");
}

TEST_CASE("discovery: partners by folder, then stem", "[discovery]") {
  MemoryFileSystem files;
  files.put("/w/m/model.etdp", dump("add.out"));
  files.put("/w/m/other.etrecord", record("aten.add.Tensor"));
  files.put("/w/m/model.etrecord", record("aten.add.Tensor"));
  files.put("/w/model.etrecord", record("aten.add.Tensor"));
  const auto found = find_artifacts(files, in({"/w"}));
  const auto records = partners(found, "/w/m/model.etdp", FileKind::EtRecord);
  REQUIRE(records.size() == 3);
  CHECK(records[0]->path == "/w/m/model.etrecord");
  CHECK(records[1]->path == "/w/m/other.etrecord");
  CHECK(records[2]->path == "/w/model.etrecord");
}

TEST_CASE("discovery: of several records the one that fits", "[discovery]") {
  MemoryFileSystem files;
  files.put("/w/run.etdp", dump("mul.out"));
  files.put("/w/a.etrecord", record("aten.add.Tensor"));
  files.put("/w/b.etrecord", record("aten.mul.Tensor"));
  files.put("/w/broken.etrecord",
            std::string("PK\3\4") + std::string(26, '\0') + "ETRECORD_V0 and nothing more");
  const auto found = find_artifacts(files, in({"/w"}));
  CHECK(*choose_record(files, found, "/w/run.etdp") == "/w/b.etrecord");
  CHECK(*choose_record(files, {}, "/w/run.etdp") == "");
}

TEST_CASE("path mapper: mappings, the path itself, the unique longest tail", "[path_mapper]") {
  MemoryFileSystem files;
  files.put("/w/proj/models/net/model.py", "");
  files.put("/w/old/net/model.py", "");
  files.put("/w/twin/a/util.py", "");
  files.put("/w/twin/b/util.py", "");
  files.put("/abs/here.py", "");
  const WorkspaceFiles workspace =
      WorkspaceFiles::find(files, {"/w"}, {"model.py", "util.py", "here.py"});
  const auto path = [&](const std::string& recorded, std::vector<PathMapping> mappings = {}) {
    return map_path(files, recorded, mappings, workspace).path;
  };
  CHECK(path("/home/u/models/net/model.py") == "/w/proj/models/net/model.py");
  CHECK(path("C:\\u\\models\\net\\model.py") == "/w/proj/models/net/model.py");
  CHECK(path("/x/net/model.py") == "");  // two share net/model.py
  CHECK(map_path(files, "/x/util.py", {}, workspace).candidates.size() == 2);
  CHECK(path("/x/util.py", {{"/x", "/w/twin/b"}}) == "/w/twin/b/util.py");
  CHECK(path("/x/util.py", {{"/x", "/w/none"}, {"/x/util.py", "/w/twin/a/util.py"}}) ==
        "/w/twin/a/util.py");
  CHECK(path("/xy/model.py", {{"/x", "/w/old/net"}}) == "");  // whole components only
  CHECK(path("/abs/here.py") == "/abs/here.py");
  CHECK(path("<stdin>") == "");
}

TEST_CASE("path mapper: only sources are taken by their own path", "[path_mapper]") {
  MemoryFileSystem files;
  files.put("/etc/passwd", "root");
  CHECK(map_path(files, "/etc/passwd", {}, WorkspaceFiles::find(files, {"/w"}, {"passwd"})).path ==
        "");
}

}  // namespace etlens::discovery_test
