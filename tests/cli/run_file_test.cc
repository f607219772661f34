// SPDX-License-Identifier: Apache-2.0
// The file about a run (model.etdp.json), as every command shows it.
#include "tests/cli/sandbox.h"
#include "tests/support/json_schema.h"
#include "tests/support/run_files.h"

namespace etlens::run_file_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

const std::string kStoryteller = ETLENS_EXAMPLES "/storyteller/";

// The example with a file about its run; `more`: fields of it.
void put_run(Sandbox& sandbox, const std::string& record, const json& more = {}) {
  const std::string dump = slurp(kStoryteller + "model.etdp");
  sandbox.put("model.etdp", dump);
  sandbox.put("model.etrecord", slurp(kStoryteller + "model.etrecord"));
  sandbox.put("model.etdp.json", run_file_of(dump, record, "", more));
}

bool holds(const std::string& text, const std::string& part) {
  CAPTURE(text, part);
  return text.find(part) != std::string::npos;
}

const json kBusy{{"traced", {{"typical", 0.0113}, {"low", 0.011}, {"high", 0.012}}},
                 {"untraced", {{"typical", 0.0101}, {"low", 0.01}, {"high", 0.0102}}},
                 {"pace",
                  {{"calculation", "SHA-256 of 1 MiB"},
                   {"fastest", 0.0007},
                   {"slowest", 0.0009},
                   {"seconds", {0.0007, 0.0007, 0.0008, 0.0009, 0.0009}}}},
                 {"processors", {0, 1}},
                 {"load_before", {0.42, 0.3, 0.2}},
                 {"started", "2026-11-27T07:00:00+00:00"}};

}  // namespace

TEST_CASE("run file: check shows that the pair is certain, and the machine", "[cli]") {
  Sandbox sandbox;
  put_run(sandbox, slurp(kStoryteller + "model.etrecord"), kBusy);
  const Outcome text = sandbox.run("check .");
  CHECK(text.status == 0);
  CHECK(holds(text.out, "pair    match (score 1), certain: the hashes in model.etdp.json agree\n"));
  CHECK(holds(text.out,
              "run     11.3 ms traced, 10.1 ms untraced: +12%; a fixed calculation 700 µs to "
              "900 µs; load 0.42 on 2 processors\n"));
  CHECK(holds(text.out, "The machine speed changed by 29% during this run"));
  CHECK(holds(text.out, "The event tracer made this program 12% slower"));
  CHECK_FALSE(holds(text.out, "Other programs used"));

  const json found = json::parse(sandbox.run("check . --format json").out);
  CHECK(found["pair"]["confidence"] == "certain");
  const json& run = found["run"];
  CHECK(run["record"] == "agrees");
  CHECK(run["program"] == "unchecked");
  CHECK(run["traced"] == 0.0113);
  CHECK(run["tracer_cost"].get<double>() == Approx(0.0113 / 0.0101 - 1));
  CHECK(run["speed_change"].get<double>() == Approx(0.0009 / 0.0007 - 1));
  CHECK(run["load"] == 0.42);
  CHECK(run["processors"] == 2);
  CHECK(run["started"] == "2026-11-27T07:00:00+00:00");
  CHECK(run["commit"] == nullptr);
  CHECK(misfit(found, json::parse(sandbox.run("schema check").out)) == "");
  // The findings stand with every headline.
  const json lines = json::parse(sandbox.run("lines . --format json").out);
  CHECK(lines["findings"].size() == 2);
}

TEST_CASE("run file: a busy machine is named, and not its speed", "[cli]") {
  Sandbox sandbox;
  json busy = kBusy;
  busy["load_before"] = {3.9, 2.0, 1.0};
  busy["untraced"] = nullptr;
  put_run(sandbox, "", busy);
  const json lines = json::parse(sandbox.run("lines . --format json").out);
  REQUIRE(lines["findings"].size() == 1);
  CHECK(lines["findings"][0] ==
        "Other programs used the processors before this run (load 3.9 on 2 processors). Close "
        "them and record again.");
  const json check = json::parse(sandbox.run("check . --format json").out);
  CHECK(check["pair"]["confidence"] == "inferred");
  CHECK(check["run"]["tracer_cost"] == nullptr);
}

TEST_CASE("run file: another record is refused if it was named, else left out", "[cli]") {
  Sandbox sandbox;
  put_run(sandbox, "the record of another export");
  const std::string named = " --etdump model.etdp --etrecord model.etrecord";
  for (const char* command : {"lines", "annotate", "check", "inspect"}) {
    CAPTURE(command);
    const Outcome outcome = sandbox.run(command + named);
    CHECK(outcome.status == 1);
    CHECK(holds(outcome.err, "is not the record of the run that wrote"));
    CHECK(holds(outcome.err, "delete model.etdp.json to compare instructions alone"));
  }
  const json check = json::parse(sandbox.run("check --format json" + named).out);
  CHECK(check["pair"]["verdict"] == "mismatch");
  CHECK(check["pair"]["score"] == 0);
  CHECK(check["run"] == nullptr);
  const Outcome found = sandbox.run("lines . --top 1");
  CHECK(found.status == 0);
  CHECK(holds(found.err, "the record is left out"));
  // Without the file the same pair is a match.
  std::filesystem::remove(sandbox.path("model.etdp.json"));
  const json without = json::parse(sandbox.run("check --format json" + named).out);
  CHECK(without["pair"]["verdict"] == "match");
  CHECK(without["pair"]["confidence"] == "inferred");
  CHECK(without["run"] == nullptr);
}

TEST_CASE("run file: its schema is what describe_run.sh and etlens.profile write", "[cli]") {
  const Sandbox sandbox;
  const json schema = json::parse(sandbox.run("schema etlens/run@1").out);
  json run = json::parse(run_file_of("dump", "record", "program", kBusy));
  for (const char* field : {"method", "warmup", "executions", "ended", "device", "governors",
                            "load_after", "commit", "versions"})
    run[field] = nullptr;
  CHECK(misfit(run, schema) == "");
  run["dump"] = nullptr;
  CHECK(misfit(run, schema) != "");
}

}  // namespace etlens::run_file_test
