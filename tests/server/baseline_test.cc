// SPDX-License-Identifier: Apache-2.0
// The baseline: chosen by command or by setting, followed as its files change, and the same words
// on every surface.
#include <catch2/catch.hpp>

#include "core/base/budget.h"
#include "core/workspace/discovery.h"
#include "server/load/load_job.h"
#include "tests/support/hostile.h"
#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"

namespace etlens::baseline_test {

using namespace etlens::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

constexpr int kSettled = 400;  // behind two looks
constexpr size_t kExecutions = 6;
constexpr const char* kPlain = "27.0 µs 15% CPU";
constexpr const char* kSlower = "27.0 µs 3× ▲ likely CPU";
const std::string kBefore = "/work/before/model.etdp";

Bytes dump_with(int topk) { return model_dump(std::vector<ModelRun>(kExecutions, {1, topk})); }

// The operator on the CPU took 9 µs before, and takes 27 µs now.
struct Compared {
  MemoryFileSystem files = model_workspace();
  LanguageClient client{files};

  explicit Compared(const json& settings = nullptr,
                    const json& capabilities = full_capabilities()) {
    files.put(kBefore, dump_with(9'000));
    files.put(kDumpPath, dump_with(27'000));  // the newest
    client.settings = settings;
    client.initialize(capabilities);
    client.open(kModelPath, model_source());
  }
  json run(const std::string& command, const json& arguments = nullptr) {
    json params{{"command", command}};
    if (!arguments.is_null()) params["arguments"] = arguments;
    json answer = client.request("workspace/executeCommand", params);
    client.advance(kSettled);
    return answer;
  }
  void choose(const json& paths) {
    run("etlens.selectBaseline", json::array({json{{"paths", paths}}}));
  }
  std::string hint() { return client.hints(kModelPath).at(kTopkLine); }
  json at(int line, const std::string& method) {
    return client.request(method, {{"textDocument", {{"uri", uri_of(kModelPath)}}},
                                   {"position", {{"line", line}, {"character", 8}}}});
  }
  std::string hover(int line = kTopkLine) {
    return at(line, "textDocument/hover")["contents"]["value"];
  }
  json comparison() { return client.request("etlens/status").value("comparison", json()); }
};

}  // namespace

TEST_CASE("a baseline: changes on the lines, none, and the hints are plain again", "[server]") {
  Compared compared;
  CHECK(compared.hint() == kPlain);
  CHECK(compared.comparison().is_null());
  compared.choose({kBefore});
  CHECK(compared.hint() == kSlower);
  CHECK(compared.client.hints(kModelPath).at(kHeadLine) == "46.0 µs 26% XNNPACK");
  compared.choose(json::array());
  CHECK(compared.hint() == kPlain);
  CHECK(compared.comparison().is_null());
  compared.choose({kBefore});
  compared.run("etlens.selectBaseline", json::array({nullptr}));
  CHECK(compared.hint() == kPlain);
}

TEST_CASE("a baseline: every surface says the same of a line", "[server]") {
  Compared compared;
  compared.choose({kBefore});
  const std::string hover = compared.hover();
  CHECK_THAT(hover, Contains("**3× ▲ likely slower** since the baseline · 9.00 µs → 27.0 µs"));
  CHECK_THAT(hover, Contains("1 dump against 1"));
  CHECK_THAT(hover, Contains("likely, because a side has one dump"));
  CHECK_THAT(hover, Contains("executions: before 9.00 µs … 9.00 µs, now 27.0 µs … 27.0 µs"));
  const json document{{"textDocument", {{"uri", uri_of(kModelPath)}}}};
  json item;
  for (const json& line : compared.client.request_list("etlens/lineCosts", "lines", document)) {
    if (line["current_line"] == kTopkLine + 1) item = line["change"];
    else if (line.contains("change")) CHECK(line["change"]["text"] == "");
  }
  CHECK(item["text"] == "3× ▲ likely");
  CHECK(item["verdict"] == "slower");
  CHECK(item["verdict_text"] == "likely slower");
  CHECK(item["likely"] == true);
  CHECK(item["before"]["text"] == "9.00 µs");
  CHECK(item["after"]["text"] == "27.0 µs");
  CHECK_THAT(hover, Contains(item["interval"].get<std::string>()));
  CHECK_THAT(hover, Contains(item["reason"].get<std::string>()));
  const json changes = compared.client.request("etlens/changes");
  REQUIRE(changes["lines"].size() == 1);
  CHECK(changes["lines"][0]["change"] == item);
  CHECK(changes["lines"][0]["source"]["current_line"] == kTopkLine + 1);
  const json events = compared.client.request("etlens/events", {{"query", "aten.topk"}});
  CHECK(events["events"][0]["change"] == item);
  const json groups =
      compared.client.request("etlens/eventTable", {{"filter", "aten.topk"}, {"group_by", "line"}});
  CHECK(groups["rows"][0]["group"]["change"] == item);
  const json status = compared.client.request("etlens/status");
  CHECK(status["comparison"]["counts"] == "1 likely slower");
  CHECK_THAT(status["message"].get<std::string>(),
             Contains(status["comparison"]["headline"].get<std::string>()));
  CHECK(changes["comparison"] == status["comparison"]);
  const json modules = compared.client.request("etlens/modules")["modules"];
  CHECK(modules[0]["change"]["after"]["text"] == modules[0]["inclusive_text"]);
}

TEST_CASE("a baseline: a replaced dump, on either side, updates everything by itself", "[server]") {
  Compared compared;
  compared.choose({kBefore});
  compared.client.take("workspace/inlayHint/refresh");
  compared.files.put(kDumpPath, dump_with(81'000));
  compared.client.advance(3000);
  CHECK(compared.hint() == "81.0 µs 9× ▲ likely CPU");
  CHECK(compared.client.take("workspace/inlayHint/refresh").size() == 1);
  compared.files.put(kBefore, dump_with(81'000));
  compared.client.advance(3000);
  CHECK(compared.hint() == "81.0 µs 35% CPU");
  CHECK(compared.comparison()["total"]["before"] == compared.comparison()["total"]["after"]);
}

TEST_CASE("a baseline in the settings: a folder of dumps, which others join", "[server]") {
  Compared compared(json{{"baseline", "before"}});
  compared.client.advance(kSettled);
  CHECK(compared.hint() == kSlower);
  CHECK(compared.comparison()["baseline"] == json::array({"before"}));
  CHECK(compared.comparison()["dumps_before"] == 1);
  compared.files.put("/work/before/second.etdp", dump_with(9'000));
  compared.files.put(kDumpPath, dump_with(27'000));
  compared.client.advance(15'000);
  CHECK(compared.comparison()["dumps_before"] == 2);
  // What the user chooses stands above the setting.
  compared.choose(json::array());
  CHECK(compared.hint() == kPlain);
}

TEST_CASE("a baseline outside of the workspace", "[server]") {
  Compared compared;
  compared.files.put("/elsewhere/model.etdp", dump_with(9'000));
  compared.choose({"/elsewhere/model.etdp"});
  CHECK(compared.hint() == kSlower);
  compared.files.put("/elsewhere/model.etdp", dump_with(27'000));
  compared.client.advance(3000);
  CHECK(compared.hint() == kPlain);
  // It is not shown, however new it is.
  CHECK(compared.client.request("etlens/status")["profile"]["etdump"] == kDumpPath);
}

TEST_CASE("a baseline beside the workspace's folder hides none of its dumps", "[server]") {
  Compared compared;
  compared.files.put("/model.etdp", dump_with(9'000));
  compared.choose({"/model.etdp"});
  CHECK(compared.hint() == kSlower);
  compared.files.put(kDumpPath, dump_with(9'000));
  compared.client.notify("workspace/didChangeWatchedFiles",
                         {{"changes", {{{"uri", uri_of(kDumpPath)}, {"type", 2}}}}});
  compared.client.advance(kSettled);
  CHECK(compared.hint() != kSlower);
}

TEST_CASE("a baseline that is not there hides none of the workspace's dumps", "[server]") {
  Compared compared;
  compared.choose({"/nowhere.etdp"});
  CHECK(compared.hint() == kPlain);
  compared.files.put(kDumpPath, model_dump(2));
  compared.client.notify("workspace/didChangeWatchedFiles",
                         {{"changes", {{{"uri", uri_of(kDumpPath)}, {"type", 2}}}}});
  compared.client.advance(kSettled);
  CHECK(compared.hint() != kPlain);
}

TEST_CASE("a baseline that cannot be compared is a sentence, and the hints are plain", "[server]") {
  Compared compared;
  const auto problem = [&] { return compared.comparison()["problem"].get<std::string>(); };
  compared.choose({"nowhere.etdp"});
  CHECK_THAT(problem(), Contains("nowhere.etdp"));
  CHECK(compared.hint() == kPlain);
  CHECK_THAT(compared.client.request("etlens/status")["message"].get<std::string>(),
             Contains("; not compared: "));
  compared.run("etlens.selectProfile", json::array({json{{"etdump", kDumpPath}}}));
  compared.choose({kDumpPath});
  CHECK(problem() == "the baseline is the dump that is shown; choose another for either");
  compared.choose({"empty*.etdp"});
  CHECK_THAT(problem(), StartsWith("the baseline /work/empty*.etdp has no ETDump"));
  compared.files.put("/work/text.etdp", "no dump");
  compared.choose({"text.etdp"});
  CHECK_THAT(problem(), Contains("text.etdp"));
  compared.choose({"main:artifacts"});
  CHECK_THAT(problem(), Contains("is in no git repository"));
  CHECK(compared.hint() == kPlain);
}

TEST_CASE("a baseline whose record was written over stays what it was", "[server]") {
  Compared compared;
  compared.choose({kBefore});
  CHECK(compared.hint() == kSlower);
  // Read again, and still of the same export.
  compared.files.put(kRecordPath, model_record());
  compared.client.advance(3000);
  CHECK(compared.hint() == kSlower);
}

TEST_CASE("a client without lists is asked for the baseline", "[server]") {
  Compared compared;
  compared.client.answers["window/showMessageRequest"] = {{"title", "before/model.etdp"}};
  compared.run("etlens.selectBaseline");
  CHECK(compared.hint() == kSlower);
  compared.client.answers["window/showMessageRequest"] = {{"title", "None"}};
  compared.run("etlens.selectBaseline");
  CHECK(compared.hint() == kPlain);
}

TEST_CASE("changed lines: forward and backward, and what to do without any", "[server]") {
  Compared compared;
  const auto refuse = [&](const std::string& command) {
    return compared.client
        .request_error("workspace/executeCommand", {{"command", command}})["message"]
        .get<std::string>();
  };
  CHECK(refuse("etlens.nextChangedLine") ==
        "there is no baseline; choose one with etlens.selectBaseline");
  compared.choose({kBefore});
  for (const char* command : {"etlens.nextChangedLine", "etlens.previousChangedLine"}) {
    const json target = compared.run(command);
    CHECK(target["range"]["start"]["line"] == kTopkLine);
    CHECK(target["rank"] == 1);
    CHECK(target["count"] == 1);
  }
  compared.files.put(kDumpPath, dump_with(9'000));
  compared.client.advance(3000);
  CHECK_THAT(refuse("etlens.nextChangedLine"), StartsWith("no line is slower, faster or new"));
}

TEST_CASE("a baseline that costs too much is one sentence, and the dump is shown", "[server]") {
  MemoryFileSystem files = model_workspace();
  for (const HostileClass& hostile : hostile_classes()) {
    if (hostile.name != "one handle for all nodes") continue;
    const HostilePair pair = hostile.make();
    files.put("/base/a.etdp", pair.etdump);
    files.put("/base/a.etrecord", pair.etrecord);
  }
  LoadJob job;
  job.key.settings.roots = {"/work"};
  job.key.settings.etdump = kDumpPath;
  job.key.settings.baseline.paths = {"/base/a.etdp"};
  job.found = find_artifacts(files, {{"/work"}, {}});
  job.baseline_found = find_artifacts(files, {{"/base"}, {}});
  REQUIRE(job.baseline_found.size() == 2);
  const BaselineSettings& settings = job.key.settings.baseline;
  job.key.baseline = find_baseline(files, job.key.settings.roots, settings,
                                   name_baseline(files, job.key.settings.roots, settings),
                                   job.baseline_found, kDumpPath);
  set_base_budget(Ledger::kBaseBytes, 300'000'000);
  job.run(files);
  set_base_budget(Ledger::kBaseBytes, Ledger::kBaseNs);
  REQUIRE(job.result);
  REQUIRE(*job.result);
  const OpenStudy& open = **job.result;
  CHECK_FALSE(open.measures.empty());
  CHECK(open.comparison == nullptr);
  CHECK_THAT(open.baseline_problem, Contains("/base/a") && Contains("takes more than"));
  CHECK(open.baseline_problem.find('\n') == std::string::npos);
}

}  // namespace etlens::baseline_test
