// SPDX-License-Identifier: Apache-2.0
// Which statistic of which executions: settings and commands change every number of every surface
// together.
#include <catch2/catch.hpp>

#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"

namespace etlens::statistic_test {

using namespace etlens::test;
using Catch::Matchers::Contains;

namespace {

// Ten executions; the operator on the CPU takes 9 µs, in the fourth 909 µs.
std::vector<ModelRun> interrupted() {
  std::vector<ModelRun> runs(10);
  runs[3].topk = 909'000;
  return runs;
}

struct Shown {
  MemoryFileSystem files = model_workspace();
  LanguageClient client{files};

  explicit Shown(const json& settings = nullptr,
                 const std::vector<ModelRun>& runs = interrupted()) {
    files.put(kDumpPath, model_dump(runs));
    client.settings = settings;
    client.initialize();
    client.open(kModelPath, model_source());
  }
  json run(const std::string& command, const json& arguments = nullptr) {
    json params{{"command", command}};
    if (!arguments.is_null()) params["arguments"] = arguments;
    return client.request("workspace/executeCommand", params);
  }
  void select_executions(const json& executions) {
    run("etlens.selectExecutions", json::array({json{{"executions", executions}}}));
  }
  json refuse(const std::string& command, const json& argument) {
    return client.request_error("workspace/executeCommand",
                                {{"command", command}, {"arguments", json::array({argument})}});
  }
  void set(const json& settings) {
    client.settings = settings;
    client.notify("workspace/didChangeConfiguration", {{"settings", nullptr}});
  }
  json status() { return client.request("etlens/status")["profile"]; }
  json at_topk(const std::string& method) {
    return client.request(method, {{"textDocument", {{"uri", uri_of(kModelPath)}}},
                                   {"position", {{"line", kTopkLine}, {"character", 8}}}});
  }
};

// The time of the operator on the CPU, as each surface says it.
json times_of_topk(Shown& shown) {
  json times;
  const auto first_words = [](const std::string& text) {
    return text.substr(0, text.find(' ', text.find(' ') + 1));
  };
  LanguageClient& client = shown.client;
  times["hint"] = first_words(client.hints(kModelPath).at(kTopkLine));
  const std::string hover = shown.at_topk("textDocument/hover")["contents"]["value"];
  times["hover"] = hover.substr(2, hover.find("**", 2) - 2);
  const json document{{"textDocument", {{"uri", uri_of(kModelPath)}}}};
  for (const json& line : client.request_list("etlens/lineCosts", "lines", document)) {
    if (line["current_line"] != kTopkLine + 1) continue;
    times["line"] = line["self_text"];
    times["label"] = first_words(line["label"]);
  }
  for (const json& hot : client.request_list("etlens/hotLines", "lines")) {
    if (hot["current_line"] == kTopkLine + 1) times["hot line"] = hot["self_text"];
  }
  const json events = client.request("etlens/events", {{"query", "aten.topk"}});
  times["event"] = events["events"][0]["self_text"];
  const json groups =
      client.request("etlens/eventTable", {{"filter", "aten.topk"}, {"group_by", "operator"}});
  times["group"] = groups["rows"][0]["group"]["self_text"];
  times["fallback"] = client.request("etlens/partitions")["fallbacks"][0]["self_text"];
  const std::string symbol =
      client.request("workspace/symbol", {{"query", "aten.topk"}})[0]["containerName"];
  times["symbol"] = first_words(symbol.substr(std::string("operator ").size()));
  for (const json& node : client.request_list("etlens/edgeProgram", "nodes")) {
    if (node["name"] == "topk") times["node"] = node["self"]["text"];
  }
  return times;
}

json all(const std::string& time) {
  json times;
  for (const char* surface : {"hint", "hover", "line", "label", "hot line", "event", "group",
                              "fallback", "symbol", "node"})
    times[surface] = time;
  return times;
}

}  // namespace

TEST_CASE("the setting of the statistic changes every surface together", "[server]") {
  const std::map<std::string, std::string> expected{{"typical", "9.00 µs"},
                                                    {"mean", "99.0 µs"},
                                                    {"median", "9.00 µs"},
                                                    {"min", "9.00 µs"},
                                                    {"max", "909 µs"}};
  Shown shown;
  CHECK(times_of_topk(shown) == all("9.00 µs"));
  for (const auto& [statistic, time] : expected) {
    CAPTURE(statistic);
    shown.set({{"statistic", statistic}});
    CHECK(times_of_topk(shown) == all(time));
    CHECK(shown.status()["statistic"] == statistic);
    for (const json& item : shown.client.request_list("etlens/profiles", "statistics"))
      CHECK(item["current"] == (item["name"] == statistic));
    CHECK(Shown(json{{"statistic", statistic}}).status() == shown.status());
  }
}

TEST_CASE("totals: the typical execution, the mean, and what lies between", "[server]") {
  Shown shown;
  const json status = shown.status();
  CHECK(status["statistic"] == "typical");
  CHECK(status["raw"] == false);
  CHECK(status["executions"] == 10);
  CHECK(status["executions_used"] == 10);
  CHECK(status["executions_shown"] == "all");
  const double total = status["total"];
  const double mean = status["mean"];
  CHECK(mean - total == Approx(0.09));  // ms: 900 µs in one of ten
  CHECK_THAT(status["headline"].get<std::string>(), Contains("typical") && Contains("execution 4"));
  CHECK_FALSE(status["strip"].get<std::string>().empty());
  REQUIRE(status["odd"].size() == 1);
  CHECK(status["odd"][0]["execution"] == 4);
  CHECK_THAT(status["odd"][0]["text"].get<std::string>(), Contains("909 µs"));
  CHECK_FALSE(status.contains("kinds_text"));

  const json line = shown.client.request("etlens/hotLines")["lines"];
  for (const json& hot : line) {
    const bool is_topk = hot["current_line"] == kTopkLine + 1;
    CHECK(hot["disturbance_ticks"] == (is_topk ? 900'000 : 0));
    CHECK(hot["low"] <= hot["self"]);
    CHECK(hot["high"] >= hot["self"]);
  }
  const json root = shown.client.request("etlens/modules")["modules"][0];
  CHECK(root["disturbance_ticks"] == 900'000);
  CHECK(root["spread_text"] == "noise +90.0 µs per execution");
  const json event = shown.client.request("etlens/events", {{"query", "topk"}})["events"][0];
  CHECK(event["disturbance_ticks"] == 900'000);
  CHECK(event["spread_text"] ==
        "9.00 µs–9.00 µs with 95% confidence, noise +90.0 µs per execution");
  CHECK(event["p50"].get<double>() == Approx(0.009));
  CHECK(event["p50_text"] == "9.00 µs");
}

TEST_CASE("executions: chosen by setting", "[server]") {
  Shown shown(json{{"executions", "4"}});
  CHECK(times_of_topk(shown) == all("909 µs"));
  CHECK(shown.status()["executions_used"] == 1);
  CHECK(shown.status()["executions_shown"] == "4");
  CHECK_THAT(shown.status()["headline"].get<std::string>(), Contains("a single sample"));
  shown.set({{"executions", "4-5"}, {"statistic", "mean"}});
  CHECK(times_of_topk(shown) == all("459 µs"));
  const json executions = shown.client.request("etlens/profiles")["executions"];
  REQUIRE(executions.size() == 10);
  CHECK(executions[2]["used"] == false);
  CHECK(executions[3]["used"] == true);
  CHECK(executions[3]["number"] == 4);
  CHECK(executions[3]["total"]["value"] > executions[4]["total"]["value"]);
  shown.set({{"executions", "all"}, {"statistic", "mean"}});
  CHECK(times_of_topk(shown) == all("99.0 µs"));
}

TEST_CASE("executions of static shapes are one group, whatever they took", "[server]") {
  std::vector<ModelRun> runs(20);
  for (size_t i = 0; i < 5; ++i) runs[i].scale = 10;
  Shown shown(nullptr, runs);
  CHECK(times_of_topk(shown) == all("9.00 µs"));
  CHECK(shown.status()["executions_shown"] == "all");
  CHECK(shown.status()["groups"] == json::array());
  CHECK_FALSE(shown.status().contains("kinds_text"));
}

TEST_CASE("groups of executions: the one with most of the time, unless the user wants another",
          "[server]") {
  MemoryFileSystem files;
  files.put(kDumpPath, read_file(ETLENS_TEST_DATA "/llm-cache/model.etdp.gz"));
  files.put(kRecordPath, read_file(ETLENS_TEST_DATA "/llm-cache/model.etrecord"));
  LanguageClient client{files};
  client.settings = json{{"profile", kDumpPath}, {"record", kRecordPath}};
  client.initialize();
  const auto status = [&] { return client.request("etlens/status")["profile"]; };
  REQUIRE(status()["groups"].size() == 2);
  CHECK(status()["groups"][0]["name"] == "decode");
  CHECK(status()["executions_shown"] == "2-31");
  CHECK_THAT(status()["kinds_text"].get<std::string>(), Contains("prefill ×1"));
  client.settings["group"] = "prefill";
  client.notify("workspace/didChangeConfiguration", {{"settings", nullptr}});
  CHECK(status()["executions_shown"] == "1");
  client.settings.erase("group");
  client.notify("workspace/didChangeConfiguration", {{"settings", nullptr}});
  client.request("workspace/executeCommand",
                 {{"command", "etlens.selectExecutions"},
                  {"arguments", json::array({json{{"executions", "prefill"}}})}});
  CHECK(status()["executions_shown"] == "1");
  const auto select = [&](const json& argument) {
    return client.request("workspace/executeCommand", {{"command", "etlens.selectGroup"},
                                                       {"arguments", json::array({argument})}});
  };
  // What was chosen last decides, whatever the settings say.
  select({{"group", "decode"}});
  CHECK(status()["executions_shown"] == "2-31");
  client.settings["executions"] = "3";
  client.notify("workspace/didChangeConfiguration", {{"settings", nullptr}});
  CHECK(status()["executions_shown"] == "2-31");
  select({{"group", "prefill"}});
  CHECK(status()["executions_shown"] == "1");
  CHECK(status()["groups"][1]["shown"] == true);
  CHECK(status()["group_texts"].size() == 2);
  CHECK_THAT(status()["group_texts"][0].get<std::string>(), Contains("tokens/s"));
  select(nullptr);
  CHECK(status()["executions_shown"] == "3");
}

TEST_CASE("selectStatistic and selectExecutions stand above the settings until they are let go",
          "[server]") {
  Shown shown(json{{"statistic", "median"}, {"executions", "1-3"}});
  shown.run("etlens.selectStatistic", json::array({json{{"statistic", "max"}}}));
  CHECK(shown.status()["statistic"] == "max");
  shown.select_executions("3-4");
  CHECK(shown.status()["executions_shown"] == "3-4");
  CHECK(times_of_topk(shown) == all("909 µs"));
  shown.set({{"statistic", "mean"}, {"executions", "1-2"}});
  CHECK(times_of_topk(shown) == all("909 µs"));
  shown.run("etlens.selectExecutions", json::array({nullptr}));
  CHECK(shown.status()["executions_shown"] == "1-2");
  CHECK(shown.status()["statistic"] == "max");
  shown.run("etlens.selectStatistic", json::array({nullptr}));
  CHECK(shown.status()["statistic"] == "mean");
}

TEST_CASE("a choice that is not possible is one sentence, and what is shown stays", "[server]") {
  Shown shown;
  const json before = shown.client.request("etlens/status");
  CHECK(shown.refuse("etlens.selectStatistic", json{{"statistic", "mode"}})["message"] ==
        "mode is not a statistic; there are typical, mean, median, min and max");
  for (const char* executions : {"11", "slow", "0", "2-1", "some"}) {
    CAPTURE(executions);
    const json error = shown.refuse("etlens.selectExecutions", json{{"executions", executions}});
    CHECK(error["code"] == -32602);
    CHECK_FALSE(error["message"].get<std::string>().empty());
  }
  CHECK(shown.refuse("etlens.selectExecutions", json{{"executions", 4}})["code"] == -32602);
  CHECK(shown.client.request("etlens/status") == before);
  // The same by setting: nobody waits for an answer, so the status says it.
  shown.set({{"executions", "11"}});
  const json status = shown.client.request("etlens/status");
  CHECK(status["state"] == "failed");
  CHECK_FALSE(status["message"].get<std::string>().empty());
  CHECK(status["profile"] == before["profile"]);
  CHECK(times_of_topk(shown) == all("9.00 µs"));
  shown.set({{"statistic", "mode"}, {"executions", "4"}});
  CHECK(times_of_topk(shown) == all("909 µs"));
  CHECK(shown.client.take("window/showMessage").back()["params"]["message"] ==
        "the setting etlens.statistic must be one of typical, mean, median, min, max; the default "
        "is used instead");
}

TEST_CASE("without arguments the server asks, for editors without lists of their own", "[server]") {
  Shown shown;
  const auto titles = [&] {
    std::vector<std::string> found;
    const json asked = shown.client.take("window/showMessageRequest").at(0)["params"];
    for (const json& action : asked["actions"]) found.push_back(action["title"]);
    return found;
  };
  shown.client.answers["window/showMessageRequest"] = {{"title", "mean"}};
  shown.run("etlens.selectStatistic");
  CHECK(titles() == std::vector<std::string>{"typical", "mean", "median", "min", "max"});
  CHECK(times_of_topk(shown) == all("99.0 µs"));
  shown.client.answers["window/showMessageRequest"] = {{"title", "Execution 4"}};
  shown.run("etlens.selectExecutions");
  CHECK(titles() == std::vector<std::string>{"As in the settings", "All 10", "Execution 4"});
  CHECK(times_of_topk(shown) == all("909 µs"));
  shown.client.answers["window/showMessageRequest"] = {{"title", "As in the settings"}};
  shown.run("etlens.selectExecutions");
  CHECK(times_of_topk(shown) == all("99.0 µs"));
  shown.client.answers["window/showMessageRequest"] = nullptr;  // closed without an answer
  shown.run("etlens.selectExecutions");
  CHECK(times_of_topk(shown) == all("99.0 µs"));
}

TEST_CASE("warmup: the first executions are in no number", "[server]") {
  Shown all;
  Shown shown(json{{"warmup", 4}});
  CHECK(all.status()["executions_used"] == 10);
  CHECK(shown.status()["executions_used"] == 6);
  CHECK(shown.status()["executions_shown"] == "5-10");
  Shown chosen(json{{"executions", "5-10"}});
  CHECK(shown.client.hints(kModelPath) == chosen.client.hints(kModelPath));
  Shown none(json{{"warmup", 10}});
  CHECK_THAT(none.client.request("etlens/status")["message"].get<std::string>(),
             Catch::Matchers::Contains("the first 10 are left out as warm-up"));
}

TEST_CASE("raw: durations of coarse clocks as they were logged", "[server]") {
  // XNNPACK's events are whole microseconds, and the calls took 10 µs and 5 µs more than they say.
  Shown centred;
  Shown raw(json{{"raw", true}});
  CHECK(raw.status()["raw"] == true);
  CHECK(raw.client.hints(kModelPath).at(kUpCallLine) == "55.0 µs 35% XNNPACK ×2");
  CHECK(centred.client.hints(kModelPath).at(kUpCallLine) == "56.0 µs 35% XNNPACK ×2");
  CHECK(raw.status()["total"] == centred.status()["total"]);
}

}  // namespace etlens::statistic_test
