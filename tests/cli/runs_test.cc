// SPDX-License-Identifier: Apache-2.0
// `etlens runs`, and `etlens diff` with stored runs.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/process.h"
#include "tests/cli/sandbox.h"
#include "tests/support/corpus.h"
#include "tests/support/test_repository.h"

namespace etlens::runs_test {

using namespace etlens::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string kCompare = ETLENS_TEST_DATA "/compare/";

// The record, and dump number `run` of it as model.etdp.
void put_run(Sandbox& sandbox, int run) {
  sandbox.put("out/model.etrecord", read_file(kMlp + "/model.etrecord"));
  sandbox.put("out/model.etdp", read_file(kCompare + "base-" + std::to_string(run) + ".dump.gz"));
}

json json_of(const Sandbox& sandbox, const std::string& arguments) {
  const Outcome outcome = sandbox.run(arguments);
  CAPTURE(arguments, outcome.err);
  REQUIRE(outcome.status == 0);
  return json::parse(outcome.out);
}

}  // namespace

TEST_CASE("runs: stored, listed, compared, pinned and removed", "[cli]") {
  Sandbox sandbox;
  for (int run = 1; run <= 3; ++run) {
    put_run(sandbox, run);
    const Outcome stored = sandbox.run("runs --store out");
    CAPTURE(stored.err);
    CHECK(stored.status == 0);
    CHECK(stored.out.starts_with("run " + std::to_string(run) + ": "));
    CHECK((stored.out.find(" since run ") != std::string::npos) == (run > 1));
  }
  CHECK(sandbox.run("runs --store out").out == "run 3 is this dump already\n");
  const json all = json_of(sandbox, "runs --format json");
  CHECK(all["schema"] == "etlens/runs@1");
  REQUIRE(all["runs"].size() == 3);
  CHECK(all["runs"][0]["run"] == 3);
  CHECK(all["runs"][0]["since"] == 2);
  CHECK(all["runs"][2]["change"].is_null());
  const double before = all["runs"][1]["total"], after = all["runs"][0]["total"];
  CHECK(all["runs"][0]["change"].get<double>() == Approx(after / before - 1));
  // The total is the one that every other surface shows.
  const json lines = json_of(sandbox, "lines --format json --target-time-scale ns out");
  CHECK(lines["total"].get<double>() == Approx(after));
  const std::string list = sandbox.run("runs out").out;
  CHECK(list.find("▁") == std::string::npos);  // bars begin at nothing, and the runs are alike
  CHECK(list.find("totals of the same model") != std::string::npos);

  const json diff = json_of(sandbox, "diff --format json --base @prev");
  CHECK(diff["total"]["before"].get<double>() * 1e6 == Approx(before));
  CHECK(diff["total"]["after"].get<double>() * 1e6 == Approx(after));
  CHECK(json_of(sandbox, "diff --format json --base @1 @2 --new out")["dumps"] ==
        json({{"base", 2}, {"new", 1}}));
  CHECK(json_of(sandbox, "diff --format json --base @1 --new @2")["total"]["after"].get<double>() *
            1e6 ==
        Approx(before));
  check_refused(sandbox.run("diff --base @nightly --new out"), {"@nightly", "runs 1 to 3"});

  CHECK(sandbox.run("runs out --pin 1").status == 0);
  CHECK(sandbox.run("runs out --remove 2").status == 0);
  const json fewer = json_of(sandbox, "runs out --format json");
  REQUIRE(fewer["runs"].size() == 2);
  CHECK(fewer["runs"][1]["pinned"] == true);
  check_refused(sandbox.run("runs out --remove 2"), {"@2"});
}

TEST_CASE("runs: they carry the branch and the commit of the working tree", "[cli]") {
  Sandbox sandbox;
  put_run(sandbox, 1);
  TestRepository repository(sandbox.path());
  repository.commit_all();
  REQUIRE(sandbox.run("runs --store out").status == 0);
  const json run = json_of(sandbox, "runs out --format json")["runs"][0];
  CHECK(run["commit"].get<std::string>().size() == 40);
  const std::string branch = run["branch"];
  CHECK(slurp(sandbox.path(".git/HEAD")) == "ref: refs/heads/" + branch + "\n");
  put_run(sandbox, 2);
  CHECK(json_of(sandbox, "diff --format json --base @" + branch + " --new out")["dumps"]["base"] ==
        1);
  // A folder above in the working tree that has runs already gets those of the folders below.
  fs::create_directories(sandbox.path(".etlens/runs"));
  fs::remove_all(sandbox.path("out/.etlens"));
  REQUIRE(sandbox.run("runs --store out").status == 0);
  CHECK(fs::exists(sandbox.path(".etlens/runs/1/model.etdp")));
  CHECK_FALSE(fs::exists(sandbox.path("out/.etlens")));
}

TEST_CASE("runs: what cannot be is one sentence", "[cli]") {
  Sandbox sandbox;
  check_refused(sandbox.run("runs --store"), {"no ETDump"});
  put_run(sandbox, 1);
  check_refused(sandbox.run("runs --store out --limit 12"), {"--limit"}, 2);
  check_refused(sandbox.run("runs --store out --limit 1kB"), {"is not stored"});
  check_refused(sandbox.run("diff --base @prev"), {"@prev", "no runs yet"});
  CHECK(sandbox.run("runs out").err.find("--store") != std::string::npos);
  check_refused(sandbox.run("runs nowhere"), {"nowhere"});
  fs::permissions(sandbox.path("out"), fs::perms::owner_read | fs::perms::owner_exec);
  const Ended ended = run_in(sandbox.path(), "runs --store out", {.obeys_rights = true});
  fs::permissions(sandbox.path("out"), fs::perms::owner_all);
  CHECK(ended.status == 1);
  CHECK(ended.err.find("cannot write") != std::string::npos);
  CHECK(split_lines(ended.err).size() == 1);
  CHECK_FALSE(fs::exists(sandbox.path("out/.etlens")));
}

TEST_CASE("runs: a report has the change since the run before it, stored or not", "[cli]") {
  Sandbox sandbox;
  put_run(sandbox, 1);
  const auto report = [&] {
    const Outcome outcome = sandbox.run("report out");
    CAPTURE(outcome.err);
    REQUIRE(outcome.status == 0);
    return outcome.out;
  };
  CHECK(report().find(" since run ") == std::string::npos);
  REQUIRE(sandbox.run("runs --store out").status == 0);
  CHECK(report().find(" since run ") == std::string::npos);  // it is the first
  put_run(sandbox, 2);
  CHECK(report().find(" since run 1</p>") != std::string::npos);
  REQUIRE(sandbox.run("runs --store out").status == 0);
  CHECK(report().find(" since run 1</p>") != std::string::npos);
}

}  // namespace etlens::runs_test
