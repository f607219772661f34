// SPDX-License-Identifier: Apache-2.0
// `etlens diff`: sides, forms of the result, exit statuses.
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/cli/sandbox.h"
#include "tests/support/corpus.h"
#include "tests/support/test_repository.h"

namespace etlens::diff_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

const std::string kCompare = ETLENS_TEST_DATA "/compare/";

// Folders base and wider with the record and six dumps each.
void put_sides(Sandbox& sandbox) {
  sandbox.put("base/model.etrecord", read_file(kMlp + "/model.etrecord"));
  sandbox.put("wider/model.etrecord", read_file(kCompare + "wider.etrecord.gz"));
  for (const std::string side : {"base", "wider"}) {
    for (int i = 1; i <= 6; ++i) {
      const std::string name = std::to_string(i);
      sandbox.put(side + "/run" + name + ".etdp",
                  read_file(kCompare + side + "-" + name + ".dump.gz"));
    }
  }
}

json diff_of(const Sandbox& sandbox, const std::string& arguments) {
  const Outcome outcome = sandbox.run("diff --format json " + arguments);
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  return json::parse(outcome.out);
}

}  // namespace

TEST_CASE("diff: folders, globs and files name the same sides") {
  Sandbox sandbox;
  put_sides(sandbox);
  const json folders = diff_of(sandbox, "--base base --new wider");
  CHECK(folders["schema"] == "etlens/diff@1");
  CHECK(folders["dumps"] == json({{"base", 6}, {"new", 6}}));
  CHECK(diff_of(sandbox, "--base 'base/run*.etdp' --new 'wider/*.etdp'") == folders);
  const json three =
      diff_of(sandbox,
              "--base base/run1.etdp base/run2.etdp base/run3.etdp base/model.etrecord "
              "--new-etdump wider/run1.etdp --new-etrecord wider/model.etrecord");
  CHECK(three["dumps"] == json({{"base", 3}, {"new", 1}}));
}

TEST_CASE("diff: a side of a git revision, and sources of one") {
  Sandbox sandbox;
  put_sides(sandbox);
  const json on_disk = diff_of(sandbox, "--base base --new wider");
  TestRepository repository(sandbox.path());
  repository.commit_all();
  std::filesystem::remove_all(sandbox.path("base"));
  check_refused(sandbox.run("diff --base base --new wider"), {"base"});
  CHECK(diff_of(sandbox, "--base HEAD:base --new wider") == on_disk);
  CHECK(diff_of(sandbox,
                "--base HEAD:base/run1.etdp HEAD:base/model.etrecord "
                "--new HEAD:wider/run1.etdp")["dumps"] == json({{"base", 1}, {"new", 1}}));
  // From a folder of the working tree, its root is still the root; ./ is the folder.
  const Outcome inside = sandbox.run("diff --base 'HEAD:./*.etdp' --new . --format json", "wider");
  CAPTURE(inside.err);
  CHECK(inside.status == 0);
  check_refused(sandbox.run("diff --base HEAD:nowhere --new wider"),
                {":nowhere does not exist in git"});
  check_refused(sandbox.run("diff --base v9:base --new wider"), {"git knows no revision v9"});
  CHECK(diff_of(sandbox, "--base HEAD:base --new wider --base-revision HEAD") == on_disk);
  check_refused(sandbox.run("diff --base HEAD:base --new wider --new-revision v9"),
                {"git knows no revision v9"});
}

TEST_CASE("diff: what changed is told alike as a table, as Markdown and as JSON") {
  Sandbox sandbox;
  put_sides(sandbox);
  const json diff = diff_of(sandbox, "--base base --new wider");
  const json& line = diff["lines"][0];
  CHECK(line["before"]["line"] == 16);
  CHECK(line["after"]["line"] == 16);
  CHECK(line["verdict"] == "slower");
  CHECK(line["likely"] == false);
  CHECK(line["p"].get<double>() < 0.05);
  CHECK(line["low"].get<double>() < line["change"].get<double>());
  CHECK(line["change"].get<double>() < line["high"].get<double>());
  CHECK(diff["total"]["verdict"] == "slower");
  for (const char* side : {"base", "new"}) {
    const json& parts = diff["reconciliation"][side];
    int64_t sum = 0;
    for (const auto& [name, ticks] : parts.items()) {
      if (name.ends_with("_ticks") && name != "total_ticks") sum += ticks.get<int64_t>();
    }
    CHECK(sum == parts["total_ticks"]);
  }

  const int percent = static_cast<int>(std::lround(100 * line["change"].get<double>()));
  const std::string change = "+" + std::to_string(percent) + "%";
  const Outcome table = sandbox.run("diff --base base --new wider");
  CHECK(table.status == 0);
  CHECK(table.out.find("Method::execute") < table.out.find("mlp.py:16"));
  CHECK(table.out.find(change) != std::string::npos);
  CHECK(table.out.find("slower") != std::string::npos);
  const Outcome markdown = sandbox.run("diff --base base --new wider --format markdown");
  CHECK(markdown.out.find(change + " slower") != std::string::npos);
  CHECK(markdown.out.find("<details>") != std::string::npos);
}

TEST_CASE("diff: rows by module, operator and partition") {
  Sandbox sandbox;
  put_sides(sandbox);
  const std::string sides = "diff --base base --new wider --by ";
  CHECK(sandbox.run(sides + "module").out.find("second.up") != std::string::npos);
  CHECK(sandbox.run(sides + "operator").out.find("aten.addmm.default") != std::string::npos);
  CHECK(sandbox.run(sides + "partition").status == 0);
  CHECK(sandbox.run(sides + "kernel").status == 2);
}

TEST_CASE("diff: --fail-above has a status of its own, and only for what is slower") {
  Sandbox sandbox;
  put_sides(sandbox);
  CHECK(sandbox.run("diff --base base --new wider --fail-above 5%").status == 3);
  CHECK(sandbox.run("diff --base base --new wider --fail-above 0.05").status == 3);
  CHECK(sandbox.run("diff --base base --new wider --fail-above 500%").status == 0);
  CHECK(sandbox.run("diff --base wider --new base --fail-above 5%").status == 0);
  CHECK(sandbox.run("diff --base base --new base --fail-above 0%").status == 0);
  check_refused(sandbox.run("diff --base base --new wider --fail-above much"),
                {"--fail-above", "much", "5%"}, 2);
  // Three per cent were meant more often than 300.
  for (const std::string option : {"--fail-above 3", "--threshold 3"})
    check_refused(sandbox.run("diff --base base --new wider " + option), {"3%", "300%"}, 2);
}

TEST_CASE("diff: a dump without a record of its own borrows the other side's") {
  Sandbox sandbox;
  put_sides(sandbox);
  sandbox.put("alone/run.etdp", read_file(kCompare + "base-6.dump.gz"));
  const json diff = diff_of(sandbox, "--base base --new alone");
  CHECK(diff["total"]["likely"] == false);
  CHECK_FALSE(diff["lines"].empty());
}

TEST_CASE("diff: input that cannot be compared is one sentence") {
  Sandbox sandbox;
  put_sides(sandbox);
  check_refused(sandbox.run("diff --base base"), {"new side", "--new"}, 2);
  check_refused(sandbox.run("diff --base nowhere --new wider"), {"nowhere"});
  sandbox.put("empty/readme.txt", "nothing");
  check_refused(sandbox.run("diff --base base --new empty"), {"new side has no ETDump"});
  sandbox.put("cut/model.etrecord", read_file(kMlp + "/model.etrecord"));
  sandbox.put("cut/run.etdp", read_file(kCompare + "base-1.dump.gz").substr(0, 20000));
  check_refused(sandbox.run("diff --base base --new cut"), {"cut/run.etdp"});
  check_refused(sandbox.run("diff --base base --new wider --new-source-time-scale us"),
                {"different units", "--new-source-time-scale"});
}

TEST_CASE("diff: groups of executions are compared with their like", "[cli][diff]") {
  Sandbox sandbox;
  sandbox.put("llm.etdp", read_file(ETLENS_TEST_DATA "/llm-cache/model.etdp.gz"));
  const std::string record = ETLENS_TEST_DATA "/llm-cache/model.etrecord";
  const std::string sides = "--base llm.etdp --base-etrecord " + record +
                            " --new llm.etdp --new-etrecord " + record + " ";
  const json decode = diff_of(sandbox, sides);
  CHECK(decode["group"]["base"]["name"] == "decode");
  CHECK(decode["group"]["new"]["name"] == "decode");
  CHECK(decode["group"]["new"]["size"].is_null());
  CHECK(decode["reconciliation"]["base"]["executions"] == 30);
  CHECK(decode["unpaired_groups"]["new"] == json::array());
  const json prefill = diff_of(sandbox, sides + "--group prefill");
  CHECK(prefill["group"]["base"]["name"] == "prefill");
  CHECK(prefill["reconciliation"]["base"]["executions"] == 1);
  CHECK(sandbox.run("diff " + sides).out.find("decode is compared") != std::string::npos);
  const json all = diff_of(sandbox, sides + "--executions all");
  CHECK(all["group"]["base"].is_null());
  CHECK(all["reconciliation"]["new"]["executions"] == 31);
  check_refused(sandbox.run("diff " + sides + "--group chat"), {"chat", "decode, prefill"}, 2);
  // One whose executions are all alike.
  for (const std::string name : {"one", "three"})
    sandbox.put(name + ".etdp",
                read_file(ETLENS_TEST_DATA "/groups/dense-xnnpack/" + name + ".etdp.gz"));
  const std::string nets = ETLENS_TEST_DATA "/groups/dense-xnnpack/model.etrecord";
  check_refused(sandbox.run("diff --base one.etdp --new three.etdp --base-etrecord " + nets +
                            " --new-etrecord " + nets),
                {"the base", "no group of the same work", "--executions"});
}

TEST_CASE("diff: what left the delegate and what entered it, in every form") {
  Sandbox sandbox;
  const std::string release = ETLENS_TEST_DATA "/release-1.5/";
  for (const char* name : {"run10.etdp", "model.etrecord"}) {
    sandbox.put("xnnpack/" + std::string(name), read_file(release + "mlp-xnnpack-int8/" + name));
    sandbox.put("portable/" + std::string(name), read_file(release + "mlp-portable-fp32/" + name));
  }
  const json left = diff_of(sandbox, "--base xnnpack --new portable")["delegation"];
  CHECK(left["not_known"].is_null());
  CHECK(left["left"] == 28);
  CHECK(left["entered"] == 0);
  const json& first = left["moves"][0];
  CHECK(first["move"] == "left");
  CHECK(first["backend"] == "XNNPACK");
  CHECK(first["before"]["line"] == 16);
  CHECK(first["after"]["line"] == 16);
  CHECK(first["operators"] == json::array({{{"op", "aten.gelu.default"}, {"count", 2}}}));
  const std::string table = sandbox.run("diff --base xnnpack --new portable").out;
  CHECK(table.find(
            "\n28 operators left the delegate: mlp.py:16 (2 × aten.gelu.default); mlp.py:17 (") !=
        std::string::npos);
  const std::string markdown =
      sandbox.run("diff --format markdown --base xnnpack --new portable").out;
  CHECK(markdown.find("28 operators left the delegate\\: mlp.py\\:16 (2 × aten.gelu.default)") !=
        std::string::npos);
  // The other way round they enter it.
  const json entered = diff_of(sandbox, "--base portable --new xnnpack")["delegation"];
  CHECK(entered["left"] == 0);
  CHECK(entered["entered"].get<int>() >= 10);
  CHECK(entered["moves"][0]["move"] == "entered");
  // Without a record nothing is known, which is not the same as nothing.
  const json unknown = diff_of(
      sandbox, "--no-etrecord --base xnnpack/run10.etdp --new xnnpack/run10.etdp")["delegation"];
  CHECK(unknown["not_known"] == "of the base, no ETRecord is used with it");
  CHECK(unknown["moves"].empty());
}

}  // namespace etlens::diff_test
