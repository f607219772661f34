// SPDX-License-Identifier: Apache-2.0
#include "core/source/paths/path_mapper.h"

#include <catch2/catch.hpp>

#include "tests/support/memory_file_system.h"

namespace etlens::path_mapper_test {

namespace {

struct Workspace {
  test::MemoryFileSystem files;
  MappedPath map(std::string_view recorded, const std::vector<PathMapping>& mappings = {}) const {
    return map_path(files, recorded, mappings, WorkspaceFiles::find(files, {"/work"}, {}));
  }
};

}  // namespace

TEST_CASE("path mapper: the longest common tail, if only one file has it", "[paths]") {
  Workspace workspace;
  workspace.files.put("/work/a/net/model.py", "x = 1\n");
  workspace.files.put("/work/b/model.py", "x = 1\n");
  workspace.files.put("/work/b/head.py", "x = 1\n");
  CHECK(workspace.map("/home/me/net/model.py").path == "/work/a/net/model.py");
  CHECK(workspace.map("C:\\src\\b\\model.py").path == "/work/b/model.py");
  CHECK(workspace.map("/elsewhere/head.py").path == "/work/b/head.py");
  const MappedPath several = workspace.map("/elsewhere/model.py");
  CHECK(several.path.empty());
  CHECK(several.candidates.size() == 2);
  CHECK(workspace.map("/elsewhere/none.py").path.empty());
}

TEST_CASE("path mapper: the user's mappings first, then the path itself", "[paths]") {
  Workspace workspace;
  workspace.files.put("/work/net/model.py", "x = 1\n");
  workspace.files.put("/other/net/model.py", "x = 1\n");
  workspace.files.put("/export/net/model.py", "x = 1\n");
  CHECK(workspace.map("/export/net/model.py").path == "/export/net/model.py");
  CHECK(workspace.map("/export/net/model.py", {{"/export", "/other"}}).path ==
        "/other/net/model.py");
  // The first whose file exists.
  CHECK(
      workspace.map("/export/net/model.py", {{"/export", "/nowhere"}, {"/export/net", "/work/net"}})
          .path == "/work/net/model.py");
  // Recorded on Windows, where one drive has both letters.
  for (const char* from : {"C:\\export", "c:\\export", "c:/export", "C:"}) {
    const std::string to = std::string_view(from) == "C:" ? "/" : "/other";
    CHECK(workspace.map("C:\\export\\net\\model.py", {{from, to}}).path ==
          (to == "/" ? "/export/net/model.py" : "/other/net/model.py"));
  }
  // Whole components only.
  CHECK(workspace.map("/exported/net/model.py", {{"/export", "/other"}}).path ==
        "/work/net/model.py");
}

}  // namespace etlens::path_mapper_test
