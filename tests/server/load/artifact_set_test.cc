// SPDX-License-Identifier: Apache-2.0
// Which changes of files matter to what is shown.
#include "server/load/artifact_set.h"

#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"

namespace etlens::artifact_set_test {

using namespace etlens::test;

TEST_CASE("artifact set: files that no walk finds matter next to their dump", "[load]") {
  DumpBuilder dump;
  dump.block("Execute").framework("Method::execute", 0, 30);
  MemoryFileSystem files;
  files.put("/w/m.etdp", dump.build());
  ArtifactSet set(files);
  set.replace(find_artifacts(files, {{"/w"}, {}}));
  REQUIRE(set.found().size() == 1);
  const LoadKey before = set.key({"/w"}, {});
  for (const char* name : {"m.etdp.json", "m.bin"}) {
    CAPTURE(name);
    files.put(std::string("/w/") + name, "{}");
    CHECK(set.update(std::string("/w/") + name));
  }
  for (const char* path : {"/w/n.etdp.json", "/w/m.json", "/w/a/m.etdp.json"}) {
    CAPTURE(path);
    files.put(path, "{}");
    CHECK_FALSE(set.update(path));
  }
  // The file about the run is a part of what a load depends on.
  const LoadKey after = set.key({"/w"}, {});
  CHECK_FALSE(before == after);
  CHECK(after.stamps.at("/w/m.etdp.json").has_value());
}

}  // namespace etlens::artifact_set_test
