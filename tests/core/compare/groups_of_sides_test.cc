// SPDX-License-Identifier: Apache-2.0
// Sides with groups of executions: which groups are compared, and which are not.
#include "core/compare/side.h"
#include "core/measure/time.h"
#include "test_paths.h"
#include "tests/core/compare/sides.h"
#include "tests/support/corpus.h"

namespace etlens::groups_of_sides_test {

using namespace etlens::test;

namespace {

const std::string kFolder = ETLENS_TEST_DATA "/llm-cache/";

SideRequest language_model(const std::string& group) {
  SideRequest request;
  request.load.etrecord = kFolder + "model.etrecord";
  request.load.time.group = group;
  request.dumps = {unpacked(kFolder + "model.etdp.gz")};
  return request;
}

std::shared_ptr<const Side> loaded(const SideRequest& request) {
  Result<Side> side = load_side(real_file_system(), request);
  REQUIRE(side);
  return std::make_shared<const Side>(std::move(*side));
}

}  // namespace

TEST_CASE("groups of sides: a side is read as the group of the other", "[compare]") {
  const auto decode = loaded(language_model(""));
  REQUIRE(decode->group.get() != nullptr);
  CHECK(decode->group.get()->name == "decode");
  const auto prefill = loaded(language_model("prefill"));
  CHECK(prefill->group.get()->name == "prefill");
  // Whatever has the largest total, or was asked for, in this dump.
  for (const char* group : {"", "decode", "prefill"}) {
    SideRequest request = language_model(group);
    request.like = prefill->group;
    const auto side = loaded(request);
    CHECK(side->group == prefill->group);
    CHECK(side->executions() == 1);
    CHECK(side->measured() == prefill->measured());
    CHECK(compare(side, prefill));
  }
}

TEST_CASE("groups of sides: prefill is never compared with decode", "[compare]") {
  const auto decode = loaded(language_model("decode"));
  const auto prefill = loaded(language_model("prefill"));
  const Result<Comparison> comparison = compare(decode, prefill);
  REQUIRE_FALSE(comparison);
  CHECK(comparison.error().code == ErrorCode::Unsupported);
  CHECK(comparison.error().message.find("decode") != std::string::npos);
  // All executions are what somebody asked for.
  SideRequest request = language_model("");
  request.load.time.executions = "all";
  const auto all = loaded(request);
  CHECK(all->group.get() == nullptr);
  CHECK(compare(all, decode));
}

TEST_CASE("groups of sides: a side without groups says so", "[compare]") {
  const auto decode = loaded(language_model(""));
  Side alike = *decode;
  alike.group = {};
  const Result<Comparison> comparison = compare(std::make_shared<const Side>(alike), decode);
  REQUIRE_FALSE(comparison);
  CHECK(comparison.error().message.find("decode is shown; the base has no group") !=
        std::string::npos);
}

}  // namespace etlens::groups_of_sides_test
