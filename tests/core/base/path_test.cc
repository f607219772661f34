// SPDX-License-Identifier: Apache-2.0
#include "core/base/path.h"

namespace etlens::path_test {

TEST_CASE("paths: normal form", "[base]") {
  CHECK(normal_path("/a/./b//c/../d/") == "/a/b/d");
  CHECK(normal_path("../x") == "../x");
  CHECK(normal_path("/..") == "/");
  CHECK(normal_path("") == ".");
  CHECK(absolute_path("/home/me", "x/../y.py") == "/home/me/y.py");
  CHECK(absolute_path("/home/me", "/etc") == "/etc");
}

TEST_CASE("paths: parts", "[base]") {
  CHECK(base_name("/a/b.py") == "b.py");
  CHECK(base_name("C:\\models\\b.py") == "b.py");
  CHECK(parent_path("/a/b") == "/a");
  CHECK(parent_path("/a") == "/");
  CHECK(stem("/x/model.v2.etdp") == "model.v2");
  CHECK(stem(".hidden") == ".hidden");
  CHECK(common_suffix("/home/u/models/mlp.py", "/work/models/mlp.py") == 2);
  CHECK(common_suffix("C:\\u\\models\\mlp.py", "/work/models/mlp.py") == 2);
  CHECK(common_suffix("/a.py", "/b.py") == 0);
  CHECK(is_below("/a/b", "/a/b/c"));
  CHECK_FALSE(is_below("/a/b", "/a/bc"));
  CHECK(relative_path("/a/b", "/a/b/c.py") == "c.py");
}

// Both systems' rules are held on every system.
TEST_CASE("paths: of Windows", "[base]") {
  const auto normal = [](std::string_view path) { return normal_path(path, kWindowsPaths); };
  CHECK(normal("C:\\models\\.\\mlp\\..\\net.py") == "c:/models/net.py");
  CHECK(normal("c:/models/net.py") == "c:/models/net.py");
  CHECK(normal("C:") == "c:/");
  CHECK(normal("C:\\..\\..") == "c:/");
  CHECK(normal("\\\\Host\\share\\a\\..\\b") == "//Host/share/b");
  CHECK(normal("//host/share/../../x") == "//host/share/x");
  CHECK(normal("\\\\host") == "//host/");
  CHECK(normal("///a") == "/a");
  CHECK(normal("..\\x") == "../x");
  CHECK(normal("") == ".");
  CHECK(normal("1:/x") == "1:/x");
  const auto absolute = [](std::string_view base, std::string_view path) {
    return absolute_path(base, path, kWindowsPaths);
  };
  CHECK(absolute("c:/work", "a\\b.py") == "c:/work/a/b.py");
  CHECK(absolute("c:/work", "D:\\b.py") == "d:/b.py");
  CHECK(absolute("c:/work", "\\b.py") == "c:/b.py");
  CHECK(absolute("//host/share/work", "\\b.py") == "//host/share/b.py");
  CHECK(absolute("c:/work", "//host/share/b.py") == "//host/share/b.py");
  CHECK(is_absolute("C:\\x", kWindowsPaths));
  CHECK(is_absolute("\\x", kWindowsPaths));
  CHECK_FALSE(is_absolute("C:x", kWindowsPaths));
  CHECK_FALSE(is_absolute("C:\\x", kPosixPaths));
  CHECK(parent_path("c:/a/b", kWindowsPaths) == "c:/a");
  CHECK(parent_path("c:/a", kWindowsPaths) == "c:/");
  CHECK(parent_path("c:/", kWindowsPaths) == "c:/");
  CHECK(parent_path("//host/share/a", kWindowsPaths) == "//host/share/");
  CHECK(is_on_host("\\\\host\\share\\x", kWindowsPaths));
  CHECK(is_on_host("//host/share/x", kWindowsPaths));
  CHECK_FALSE(is_on_host("c:/x", kWindowsPaths));
  CHECK_FALSE(is_on_host("/x", kWindowsPaths));
  CHECK_FALSE(is_on_host("//host/share/x", kPosixPaths));
  CHECK(normal_path("//a\\b/c", kPosixPaths) == "/a\\b/c");
}

}  // namespace etlens::path_test
