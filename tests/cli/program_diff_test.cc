// SPDX-License-Identifier: Apache-2.0
// Two programs next to each other: every byte of the difference has an owner.
#include "tests/cli/sandbox.h"

namespace etlens::program_diff_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

const std::string kBefore = ETLENS_EXAMPLES "/storyteller";
const std::string kAfter = ETLENS_EXAMPLES "/storyteller-after";
const std::string kFloats = ETLENS_EXAMPLES "/leafnet/fp32";
const std::string kInt8 = ETLENS_EXAMPLES "/leafnet/int8";

json diff_of(const Sandbox& sandbox, const std::string& measure, const std::string& base,
             const std::string& fresh) {
  const Outcome outcome = sandbox.run("diff --format json --measure " + measure + " --base " +
                                      base + " --new " + fresh);
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  return json::parse(outcome.out);
}

int64_t sum_of_changes(const json& diff) {
  int64_t sum = 0;
  for (const json& row : diff["owners"]) {
    CHECK(row["new"].get<int64_t>() - row["base"].get<int64_t>() == row["change"].get<int64_t>());
    sum += row["change"].get<int64_t>();
  }
  return sum;
}

}  // namespace

TEST_CASE("programs: the changes of all owners are the change of the whole", "[cli]") {
  const Sandbox sandbox;
  for (const char* measure : {"size", "memory"}) {
    for (const auto& [base, fresh] :
         {std::pair(kBefore, kAfter), {kFloats, kInt8}, {kInt8, kFloats}, {kAfter, kBefore}}) {
      CAPTURE(measure, base, fresh);
      const json diff = diff_of(sandbox, measure, base, fresh);
      CHECK(diff["schema"] == "etlens/program-diff@1");
      CHECK(sum_of_changes(diff) == diff["change"].get<int64_t>());
      CHECK(diff["new"]["bytes"].get<int64_t>() - diff["base"]["bytes"].get<int64_t>() ==
            diff["change"].get<int64_t>());
      CHECK(!diff["owners"].empty());
    }
  }
}

TEST_CASE("programs: a program next to itself has no difference", "[cli]") {
  const Sandbox sandbox;
  for (const char* measure : {"size", "memory"}) {
    const json diff = diff_of(sandbox, measure, kBefore, kBefore);
    CHECK(diff["change"] == 0);
    CHECK(diff["owners"].empty());
    CHECK(diff["unchanged_bytes"] == diff["new"]["bytes"]);
  }
}

TEST_CASE("programs: sizes are those of the files, and growth can fail a build", "[cli]") {
  const Sandbox sandbox;
  const std::string small = kInt8 + "/model.pte";
  const std::string large = kFloats + "/model.pte";
  const json diff = diff_of(sandbox, "size", small, large);
  CHECK(diff["base"]["bytes"] == std::filesystem::file_size(small));
  CHECK(diff["new"]["bytes"] == std::filesystem::file_size(large));
  const std::string grown = "diff --measure size --base " + small + " --new " + large;
  const std::string shrunk = "diff --measure size --base " + large + " --new " + small;
  const bool grows = diff["change"].get<int64_t>() > 0;
  CHECK(sandbox.run((grows ? grown : shrunk) + " --fail-above 0%").status == 3);
  CHECK(sandbox.run((grows ? shrunk : grown) + " --fail-above 0%").status == 0);
  const Outcome revision = sandbox.run(grown + " --base-revision main");
  CHECK(revision.status == 2);
  CHECK(revision.err.find("leave out --base-revision") != std::string::npos);
}

TEST_CASE("programs: text for people names what grew", "[cli]") {
  const Sandbox sandbox;
  const Outcome text = sandbox.run("diff --measure memory --base " + kBefore + " --new " + kAfter);
  CHECK(text.status == 0);
  CHECK(text.out.starts_with("memory "));
  CHECK(text.out.find("layers.py:") != std::string::npos);
}

}  // namespace etlens::program_diff_test
