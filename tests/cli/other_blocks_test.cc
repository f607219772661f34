// SPDX-License-Identifier: Apache-2.0
// A dump of two methods: each is shown with the other named next to it, and both have the numbers
// that they have when they are asked for.
#include "tests/cli/sandbox.h"

namespace etlens::other_blocks_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

const std::string kMethods = ETLENS_TEST_DATA "/release-1.5/methods-forward-portable";

json lines_of(const Sandbox& sandbox, const std::string& dump, const std::string& more) {
  const Outcome outcome =
      sandbox.run("lines --format json --etdump " + kMethods + "/" + dump + more);
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  return json::parse(outcome.out);
}

}  // namespace

TEST_CASE("other methods of a dump stand next to the one that is shown", "[cli]") {
  const Sandbox sandbox;
  const json shown = lines_of(sandbox, "interleaved.etdp", "");
  REQUIRE(!shown["also"].empty());
  for (const json& other : shown["also"]) {
    CAPTURE(other.dump());
    REQUIRE(other["method"].is_string());
    const json own =
        lines_of(sandbox, "interleaved.etdp", " --method " + other["method"].get<std::string>());
    CHECK(own["executions"] == other["executions"]);
    CHECK(own["total"] == other["total"]);
    bool names_shown = false;
    for (const json& row : own["also"]) names_shown |= row["method"] == shown["method"];
    CHECK(names_shown);
  }
  const Outcome check = sandbox.run("check --etdump " + kMethods + "/interleaved.etdp");
  const std::string method = shown["also"][0]["method"];
  CHECK(check.out.find("\nalso: " + method + " ") != std::string::npos);
  CHECK(check.out.find(" (--method " + method + ")") != std::string::npos);
  CHECK(lines_of(sandbox, "only-decode.etdp", "")["also"].empty());
}

TEST_CASE("other methods of a dump: the command says with what option they are shown", "[cli]") {
  const Sandbox sandbox;
  // Without a record nothing names the methods: blocks do.
  const std::string alone = " --no-etrecord --etdump " + kMethods + "/interleaved.etdp";
  const Outcome check = sandbox.run("check" + alone);
  CAPTURE(check.out, check.err);
  const size_t at = check.out.find(" (--block \"");
  REQUIRE(at != std::string::npos);
  const std::string option = check.out.substr(at + 2, check.out.find(')', at) - at - 2);
  const Outcome other = sandbox.run("check " + option + alone);
  CHECK(other.status == 0);
  // From there it is the way back.
  CHECK(other.out.find("block " + option.substr(9, option.size() - 10) + ", typical of") !=
        std::string::npos);
  CHECK(other.out.find(" (--block Execute)") != std::string::npos);
}

}  // namespace etlens::other_blocks_test
