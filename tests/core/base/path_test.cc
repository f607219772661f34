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

}  // namespace etlens::path_test
