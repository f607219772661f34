// SPDX-License-Identifier: Apache-2.0
// `etlens memory` and `etlens size` as they are called.
#include "tests/cli/sandbox.h"
#include "tests/support/dump_builder.h"

namespace etlens::memory_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

const std::string kState = ETLENS_TEST_DATA "/memory/state";
const std::string kMlpPlans = ETLENS_TEST_DATA "/v0.5/mlp-xnnpack";

void copy_to(const Sandbox& box, const std::string& from, const std::string& name) {
  std::filesystem::copy_file(from, box.path(name));
}

}  // namespace

TEST_CASE("cli: memory of a program alone", "[cli]") {
  const Sandbox box;
  copy_to(box, kState + "/greedy.pte", "model.pte");
  const Outcome outcome = box.run("memory --format json --pte model.pte");
  REQUIRE(outcome.status == 0);
  const json report = json::parse(outcome.out);
  CHECK(report["schema"] == "etlens/memory@1");
  CHECK(report["method"] == "forward");
  CHECK(report["buffers"][0]["size"] == 2816);
  CHECK(report["live"]["1"].size() == 14);
  const json& state = report["tensors"][0];
  CHECK(state["roles"] == json{"mutable"});
  CHECK(state["first"] == 0);
  CHECK(state["last"] == 13);
  CHECK(state["node"].is_null());
  CHECK(state["line"].is_null());
  CHECK(report["unplanned"].empty());
}

TEST_CASE("cli: memory with the record beside the program", "[cli]") {
  const Sandbox box;
  copy_to(box, kState + "/greedy.pte", "model.pte");
  copy_to(box, kState + "/model.etrecord", "model.etrecord");
  const Outcome outcome = box.run("memory");
  CHECK(outcome.status == 0);
  CHECK(outcome.out.find("state.py:19") != std::string::npos);
  CHECK(outcome.err.find("lines are those of model.etrecord") != std::string::npos);
  CHECK(box.run("memory --format tsv").out.find("permute_copy") != std::string::npos);
  const Outcome unknown = box.run("memory --method nothing");
  CHECK(unknown.status == 1);
  CHECK(unknown.err.find("it has forward") != std::string::npos);
}

TEST_CASE("cli: what allocators gave out stands beside the plan", "[cli]") {
  Sandbox box;
  copy_to(box, kState + "/greedy.pte", "model.pte");
  DumpBuilder dump;
  for (int i = 0; i < 2; ++i) {
    dump.block("Load").allocator("method").allocation(1, 4096);
    dump.block("Step").allocator("temp").allocation(1, 100).allocation(1, 1500);
  }
  box.put("run.etdp", dump.build().text());
  const Outcome table = box.run("memory --pte model.pte --etdump run.etdp");
  CHECK(table.status == 0);
  CHECK(table.out.find("Step   temp                2            4      1.60 kB  1.50 kB") !=
        std::string::npos);
  const json report =
      json::parse(box.run("memory --format json --pte model.pte --etdump run.etdp").out);
  REQUIRE(report["allocators"].size() == 2);
  CHECK(report["allocators"][0] == json{{"block", "Load"},
                                        {"allocator", 1},
                                        {"name", "method"},
                                        {"executions", 2},
                                        {"events", 2},
                                        {"most", 4096},
                                        {"largest", 4096}});
  CHECK(json::parse(box.run("memory --format json --pte model.pte").out)["allocators"].is_null());

  // The dump of another program has nothing to say here; one without allocations says so.
  check_refused(box.run("memory --pte model.pte --etdump " + kMlp + "/run10.etdp"),
                {"run10.etdp", "model.pte", "do not belong together"});
  const Outcome none =
      box.run("memory --pte " + kMlp + "/model.pte --etdump " + kMlp + "/run10.etdp");
  CHECK(none.status == 0);
  CHECK(none.out.find("the dump logged no allocations") != std::string::npos);
}

TEST_CASE("cli: size adds up", "[cli]") {
  const Sandbox box;
  const Outcome outcome = box.run("size --format json --pte " + kMlpPlans +
                                  "/model.pte --etrecord " + kMlpPlans + "/model.etrecord");
  REQUIRE(outcome.status == 0);
  const json report = json::parse(outcome.out);
  CHECK(report["schema"] == "etlens/size@1");
  CHECK(report["file_bytes"] == std::filesystem::file_size(kMlpPlans + "/model.pte"));
  uint64_t sum = 0;
  for (const json& part : report["parts"]) sum += part["bytes"].get<uint64_t>();
  CHECK(sum == report["file_bytes"]);
}

TEST_CASE("cli: a program is asked for, and a record of another export refused", "[cli]") {
  const Sandbox box;
  CHECK(box.run("size").status == 1);
  CHECK(box.run("size").err.find("--pte") != std::string::npos);
  const Outcome other =
      box.run("memory --pte " + kMlpPlans + "/model.pte --etrecord " + kState + "/model.etrecord");
  CHECK(other.status == 1);
  CHECK(other.err.find("do not belong together") != std::string::npos);
}

}  // namespace etlens::memory_test
