// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_escapes.h"

#include <catch2/catch.hpp>

namespace etlens::json_escapes_test {

TEST_CASE("json escapes: characters of every length, and what is no escape", "[base]") {
  CHECK(unescape_json("plain") == "plain");
  CHECK(unescape_json(R"(a\n\t\"\\\/b)") == "a\n\t\"\\/b");
  CHECK(unescape_json(R"(\u0041\u00e4\u20ac\ud83d\ude00)") == "Aä€😀");
  CHECK(unescape_json(R"(\ud83d!)") == "\uFFFD!");
  CHECK(unescape_json(R"(\u12)") == R"(\u12)");
  CHECK(unescape_json("end\\") == "end\\");
}

}  // namespace etlens::json_escapes_test
