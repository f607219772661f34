// SPDX-License-Identifier: Apache-2.0
// A dump and its program without a record, or the dump alone: operators by name, backends by the
// program, no word of time that nobody could attribute.
#include "tests/cli/sandbox.h"

namespace etlens::no_record_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

const std::string kStoryteller = ETLENS_EXAMPLES "/storyteller/";

json json_of(const Sandbox& sandbox, const std::string& arguments) {
  const Outcome outcome = sandbox.run(arguments);
  CAPTURE(arguments, outcome.err);
  REQUIRE(outcome.status == 0);
  return json::parse(outcome.out);
}

// The example's dump, and what else is named, in a folder of their own.
void put(Sandbox& sandbox, std::initializer_list<const char*> names) {
  for (const char* name : names) sandbox.put(name, slurp(kStoryteller + name));
}

json group_of(const json& report, const std::string& name) {
  for (const json& group : report["groups"]) {
    if (group["name"] == name) return group;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("no record: the program names the backends, and what fell back is found", "[cli]") {
  Sandbox sandbox;
  put(sandbox, {"model.etdp", "model.pte"});
  for (const char* command :
       {"check", "events --top 0", "events --by operator", "partitions", "advise"}) {
    const Outcome outcome = sandbox.run(std::string(command) + " .");
    CAPTURE(command, outcome.out);
    CHECK(outcome.status == 0);
    CHECK(outcome.out.find("unattributed") == std::string::npos);
    CHECK(outcome.out.find("not explained") == std::string::npos);
  }
  const json calls = json_of(sandbox, "partitions . --format json");
  for (const json& call : calls["partitions"]) CHECK(call["backend"] == "XnnpackBackend");
  const Outcome advice = sandbox.run("advise .");
  CHECK(advice.out.find("expand_copy on the CPU between XNNPACK calls") != std::string::npos);
}

TEST_CASE("no record: a table by operator", "[cli]") {
  Sandbox sandbox;
  put(sandbox, {"model.etdp", "model.pte"});
  const json without = json_of(sandbox, "events . --by operator --format json");
  const json copies = group_of(without, "expand_copy.out");
  REQUIRE(copies.is_object());
  CHECK(copies["where"] == json::array({"CPU"}));
  CHECK(group_of(without, "Softmax (NC, F32)")["where"] == json::array({"XNNPACK"}));
  // The groups are all of the time.
  int64_t ticks = 0;
  for (const json& group : without["groups"]) ticks += group["self_ticks"].get<int64_t>();
  const int64_t beyond = without["reconciliation"]["disturbance_ticks"];
  CHECK(ticks + beyond == without["total_ticks"].get<int64_t>());
  // With the record the same operators have lines.
  put(sandbox, {"model.etrecord", "layers.py", "model.py", "rope.py"});
  const json with = json_of(sandbox, "events . --by operator --format json");
  const json placed = group_of(with, "aten.expand_copy.default");
  REQUIRE(placed.is_object());
  CHECK(placed["self_ticks"] == copies["self_ticks"]);
  CHECK(!placed["lines"].empty());
  CHECK(json_of(sandbox, "events . --by line --format json")["by"] == "line");
}

TEST_CASE("no record: names that libraries give many operators are told by the payload", "[cli]") {
  const std::string folder = ETLENS_TEST_DATA "/v0.5/mlp-xnnpack/";
  const std::string dump = "events --by operator --format json --etdump " + folder + "run_10.etdp";
  Sandbox sandbox;
  const json with = json_of(sandbox, dump + " --etrecord " + folder + "model.etrecord");
  const std::string alone = dump + " --no-etrecord --pte " + folder + "model.pte";
  const json without = json_of(sandbox, alone);
  const std::map<std::string, std::string> names{{"Add (ND)", "aten.add.Tensor"},
                                                 {"Subtract (ND)", "aten.sub.Tensor"},
                                                 {"Div (ND)", "aten.div.Tensor"},
                                                 {"SquareRoot (NC)", "aten.sqrt.default"}};
  for (const auto& [name, op] : names) {
    CAPTURE(name, without.dump());
    REQUIRE(group_of(without, name).is_object());
    CHECK(group_of(without, name)["self_ticks"] == group_of(with, op)["self_ticks"]);
  }
  CHECK(group_of(without, "Binary Elementwise (ND)").is_null());
  CHECK(group_of(without, "Unary Elementwise (NC)").is_null());
  // What the backend called them stays in the data; the name for people is beside it.
  const json events = json_of(sandbox, "events --top 0 --format json --no-etrecord --etdump " +
                                           folder + "run_10.etdp --pte " + folder + "model.pte");
  size_t named = 0;
  for (const json& event : events["events"]) {
    const std::string logged = event["event"];
    if (logged.find("Elementwise") == std::string::npos) continue;
    CAPTURE(logged, event["title"].dump());
    REQUIRE(event["title"].is_string());
    ++named;
  }
  CHECK(named == 6);
  // Without the program nothing tells.
  sandbox.put("alone/run.etdp", slurp(folder + "run_10.etdp"));
  const json dump_alone = json_of(sandbox, "events alone --by operator --format json");
  CHECK(group_of(dump_alone, "Binary Elementwise (ND)").is_object());
}

TEST_CASE("no record: the dump alone names operators, and no backend", "[cli]") {
  Sandbox sandbox;
  put(sandbox, {"model.etdp"});
  const Outcome check = sandbox.run("check .");
  CHECK(check.status == 0);
  CHECK(check.out.find("unattributed") == std::string::npos);
  CHECK(check.out.find("in kernels on the CPU") != std::string::npos);
  CHECK(check.out.find("in delegate calls") != std::string::npos);
  const json groups = json_of(sandbox, "events . --by operator --format json");
  CHECK(group_of(groups, "expand_copy.out").is_object());
}

TEST_CASE("no record: a program that did not run is left out and reported", "[cli]") {
  Sandbox sandbox;
  put(sandbox, {"model.etdp"});
  sandbox.put("model.pte", slurp(ETLENS_TEST_DATA "/release-1.5/mlp-portable-fp32/model.pte"));
  const Outcome check = sandbox.run("check .");
  CHECK(check.status == 0);
  CHECK(check.out.find("none of its methods ran what the dump logged") != std::string::npos);
}

}  // namespace etlens::no_record_test
