// SPDX-License-Identifier: Apache-2.0
// `etlens pstats`, and Python profiles for annotate and lines; against Python itself where it is
// installed.
#include <fcntl.h>
#include <sys/stat.h>

#include "tests/cli/sandbox.h"
#include "tests/support/corpus.h"

namespace etlens::pstats_test {

using namespace etlens::test;

namespace {

const std::string kData = ETLENS_TEST_DATA "/pstats/";
const std::string kDynamo = kData + "recursive.dynamo-eager.prof";

}  // namespace

TEST_CASE("cli pstats: all that Python prints, with the file and when it was written", "[pstats]") {
  Sandbox sandbox;
  const std::string file = sandbox.put("out.prof", read_file(kDynamo));
  const timespec times[2] = {{1'700'000'000, 0}, {1'700'000'000, 0}};
  REQUIRE(utimensat(AT_FDCWD, file.c_str(), times, 0) == 0);
  setenv("TZ", "UTC", 1);
  const Outcome outcome = sandbox.run("pstats out.prof");
  CHECK(outcome.err.empty());
  CHECK(outcome.status == 0);
  const std::string wanted = read_file(kData + "recursive.dynamo-eager.cumulative.txt");
  CHECK(outcome.out == "Tue Nov 14 22:13:20 2023    out.prof" + wanted.substr(wanted.find('\n')));
  CHECK(sandbox.run("pstats out.prof --callers").out ==
        read_file(kData + "recursive.dynamo-eager.callers.txt"));
}

TEST_CASE("cli pstats: sorted, restricted and without folders as Python does it",
          "[pstats][needs:python3]") {
  Sandbox sandbox;
  sandbox.put("out.prof", read_file(kDynamo));
  sandbox.put("oracle.py",
              "import pstats, sys\n"
              "stats = pstats.Stats('out.prof', 'out.prof', stream=sys.stdout)\n"
              "stats.strip_dirs().sort_stats('time', 'name').print_stats(0.7, 'wal|forw')\n"
              "stats.print_callees()\n");
  REQUIRE(std::system(("cd '" + sandbox.path() + "' && python3 oracle.py >wanted.txt").c_str()) ==
          0);
  const std::string ours = "pstats out.prof out.prof --strip-dirs --sort time,name ";
  CHECK(sandbox.run(ours + "--restrict 0.7 --restrict 'wal|forw'").out +
            sandbox.run(ours + "--callees").out ==
        slurp(sandbox.path("wanted.txt")));
}

TEST_CASE("cli pstats: what cannot be is one sentence", "[pstats]") {
  Sandbox sandbox;
  sandbox.put("broken.prof", read_file(kDynamo).substr(0, 60));
  check_refused(sandbox.run("pstats broken.prof"), {"broken.prof", "is damaged"});
  check_refused(sandbox.run("pstats none.prof"), {"none.prof"});
  check_refused(sandbox.run("pstats " + kMlp + "/run10.etdp"), {"is an ETDump, no Python profile"});
  check_refused(sandbox.run("pstats " + kDynamo + " --sort n"),
                {"\"n\" is not a sort key", "ncalls"}, 2);
  check_refused(sandbox.run("pstats " + kDynamo + " --restrict 1.5"), {"1.5 is not a fraction"}, 2);
  CHECK(sandbox.run("pstats").status == 2);
}

TEST_CASE("cli pstats: JSON", "[pstats]") {
  Sandbox sandbox;
  const auto json = nlohmann::json::parse(
      sandbox.run("pstats " + kDynamo + " --format json --restrict walk -o out.json").out.empty()
          ? slurp(sandbox.path("out.json"))
          : "");
  CHECK(json["schema"] == "etlens/pstats@1");
  REQUIRE(json["functions"].size() == 1);
  CHECK(json["functions"][0]["callers"].size() == 2);
}

TEST_CASE("cli: several Python profiles are exported as one", "[pstats]") {
  Sandbox sandbox;
  REQUIRE(sandbox.run("export --to prof -o all.prof " + kDynamo + " " + kDynamo).status == 0);
  const auto one = nlohmann::json::parse(sandbox.run("pstats --format json " + kDynamo).out);
  const auto all = nlohmann::json::parse(sandbox.run("pstats --format json all.prof").out);
  CHECK(all["calls"] == 2 * one["calls"].get<int>());
  CHECK(all["total"].get<double>() == Approx(2 * one["total"].get<double>()));
  CHECK(all["functions"].size() == one["functions"].size());
  check_refused(sandbox.run("export --to csv " + kDynamo), {"--to prof", "--to dot"}, 2);
}

TEST_CASE("cli: compile time on source lines", "[pstats]") {
  Sandbox sandbox;
  sandbox.put("model.prof", read_file(kDynamo));
  sandbox.put("recursive.py",
              std::string(12, '\n') + "def walk():\n    pass\n\n\n\n\ndef forward():\n    pass\n");
  const Outcome annotated = sandbox.run("annotate --prof model.prof");
  CAPTURE(annotated.err);
  CHECK(annotated.status == 0);
  CHECK_THAT(annotated.out, Catch::Contains("Σ 482 ms 99%") && Catch::Contains("def walk():"));
  CHECK_THAT(annotated.out, Catch::Contains("= all functions") && Catch::Contains("488 ms"));
  const auto lines =
      nlohmann::json::parse(sandbox.run("lines --prof model.prof --format json").out);
  int64_t ticks = 0;
  for (const auto& file : lines["files"]) {
    for (const auto& line : file["lines"]) ticks += line["self_ticks"].get<int64_t>();
  }
  CHECK(ticks == lines["total_ticks"].get<int64_t>());
  check_refused(sandbox.run("lines --prof model.prof --measure memory"),
                {"there is no measure memory", "compile_time"});
}

}  // namespace etlens::pstats_test
