// SPDX-License-Identifier: Apache-2.0
// Packages are found by the layout of environments.
#include "core/source/paths/package_folders.h"

#include <catch2/catch.hpp>

#include "core/source/paths/path_mapper.h"
#include "tests/support/memory_file_system.h"

namespace etlens::package_folders_test {

namespace {

using Paths = std::vector<std::string>;

const std::string kRecorded = "/usr/lib/python3/dist-packages/torchvision/models/resnet.py";
const std::string kInside = "/torchvision/models/resnet.py";

MappedPath map(const test::MemoryFileSystem& files, const std::string& recorded,
               const Paths& environments = {}) {
  const WorkspaceFiles workspace =
      WorkspaceFiles::find(files, {"/work"}, {"resnet.py"}, {}, environments);
  return map_path(files, recorded, {}, workspace);
}

}  // namespace

TEST_CASE("packages: the part of a path that is of a package", "[paths]") {
  CHECK(package_path(kRecorded) == "torchvision/models/resnet.py");
  CHECK(package_path("/a/site-packages/b/dist-packages/c/d.py") == "c/d.py");
  CHECK(package_path("c:/py/Lib/site-packages/net.py") == "net.py");
  for (const char* other : {"/home/me/net.py", "/a/my-site-packages/net.py", "site-packages/net.py",
                            "/a/site-packages", "/a/site-packages/", ""})
    CHECK(package_path(other).empty());
}

TEST_CASE("packages: the folders of an environment", "[paths]") {
  test::MemoryFileSystem files;
  files.put("/v/pyvenv.cfg", "");
  files.put("/v/bin/python", "");
  files.put("/v/lib/python3.11/site-packages/a/b.py", "");
  files.put("/v/lib/python3.11/site-packages/dev.pth",
            "# a comment\nimport site; site.main()\n/src/vision\n../../../near\n/gone\n\n");
  files.put("/v/lib/python3.9/dist-packages/a/b.py", "");
  files.put("/v/lib/python2.7/site-packages/a/b.py", "");
  files.put("/v/lib/other/site-packages/a/b.py", "");
  files.put("/src/vision/c.py", "");
  files.put("/v/near/d.py", "");
  const Paths expected{"/v/lib/python3.11/site-packages", "/v/lib/python3.9/dist-packages",
                       "/src/vision", "/v/near"};
  CHECK(package_folders(files, "/v") == expected);
  CHECK(package_folders(files, "/v/bin/python") == expected);
  files.put("/w/python.exe", "");
  files.put("/w/Lib/site-packages/a.py", "");
  CHECK(package_folders(files, "/w/python.exe") == Paths{"/w/Lib/site-packages"});
  CHECK(package_folders(files, "/nothing").empty());
  CHECK(package_folders(files, "/src").empty());
}

TEST_CASE("packages: a recorded file is found in an environment of the workspace", "[paths]") {
  for (const char* environment : {"/work/.venv", "/work/venv", "/work/sub/other-name"}) {
    test::MemoryFileSystem files;
    files.put(environment + std::string("/pyvenv.cfg"), "");
    const std::string path = environment + ("/lib/python3.11/site-packages" + kInside);
    files.put(path, "");
    CHECK(map(files, kRecorded).path == path);
    CHECK(map(files, "C:\\Python\\Lib\\site-packages\\torchvision\\models\\resnet.py").path ==
          path);
    CHECK(map(files, "/home/me/torchvision/models/resnet.py").path.empty());
  }
  test::MemoryFileSystem conda;
  conda.put("/work/env/conda-meta/history", "");
  conda.put("/work/env/lib/python3.12/site-packages" + kInside, "");
  CHECK(map(conda, kRecorded).path == "/work/env/lib/python3.12/site-packages" + kInside);
  // A folder of that name that is no environment.
  test::MemoryFileSystem none;
  none.put("/work/.venv/lib/python3.12/site-packages" + kInside, "");
  CHECK(map(none, kRecorded).path.empty());
}

TEST_CASE("packages: the named environment first, of several others none", "[paths]") {
  test::MemoryFileSystem files;
  for (const char* name : {"/work/.venv", "/work/old/.venv", "/opt/py"}) {
    files.put(name + std::string("/pyvenv.cfg"), "");
    files.put(name + ("/lib/python3.11/site-packages" + kInside), "");
  }
  const MappedPath several = map(files, kRecorded);
  CHECK(several.path.empty());
  CHECK(several.candidates.size() == 2);
  CHECK(map(files, kRecorded, {"/opt/py"}).path ==
        "/opt/py/lib/python3.11/site-packages" + kInside);
  // One that does not have it, and one that is not there.
  files.put("/opt/bare/pyvenv.cfg", "");
  CHECK(map(files, kRecorded, {"/opt/bare", "/gone", "/opt/py"}).path ==
        "/opt/py/lib/python3.11/site-packages" + kInside);
  // The recorded path itself is there: nothing else is looked for.
  files.put(kRecorded, "");
  CHECK(map(files, kRecorded, {"/opt/py"}).path == kRecorded);
}

}  // namespace etlens::package_folders_test
