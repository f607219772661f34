// SPDX-License-Identifier: Apache-2.0
// Which measure is shown: a setting and a command change hints, hovers, lenses and lists together,
// and what is of time alone stays.
#include <catch2/catch.hpp>
#include <filesystem>

#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/language_client.h"
#include "tests/support/memory_file_system.h"

namespace etlens::measure_test {

using namespace etlens::test;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kSource = "/work/model.py";

// A real export with its program, so that its memory is known.
struct Shown {
  MemoryFileSystem files;
  LanguageClient client{files};

  explicit Shown(const json& settings = json::object()) {
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(ETLENS_EXAMPLES) + "/pricer")) {
      if (entry.is_regular_file())
        files.put("/work/" + entry.path().filename().string(), read_file(entry.path()));
    }
    client.settings = settings;
    json capabilities = full_capabilities();
    capabilities["experimental"]["etlens"]["profileChanged"] = true;
    client.initialize(capabilities);
    client.open(kSource, read_file(std::string(ETLENS_EXAMPLES) + "/pricer/model.py"));
    client.take("workspace/inlayHint/refresh");
  }

  json choose_argument(const json& argument) {
    return client.request("workspace/executeCommand", {{"command", "etlens.selectMeasure"},
                                                       {"arguments", json::array({argument})}});
  }
  json choose(const std::string& id) { return choose_argument(json{{"measure", id}}); }
  json status() { return client.request("etlens/status"); }
  void set(const json& settings) {
    client.settings = settings;
    client.notify("workspace/didChangeConfiguration", {{"settings", nullptr}});
  }
  std::map<int, std::string> hints() { return client.hints(kSource); }
  std::string hover(int line) {
    const json answer =
        client.request("textDocument/hover", {{"textDocument", {{"uri", uri_of(kSource)}}},
                                              {"position", {{"line", line}, {"character", 8}}}});
    return answer.is_null() ? "" : answer["contents"]["value"].get<std::string>();
  }
  // The first of the ranking.
  json hottest() { return client.request_list("etlens/hotLines", "lines").at(0); }
};

std::string unit_of(Shown& shown, const char* list) { return shown.client.request(list)["unit"]; }

}  // namespace

TEST_CASE("measure: choosing memory changes every surface, without a load", "[server]") {
  Shown shown;
  const json before = shown.status();
  CHECK(before["measure"] == "time");
  REQUIRE(before["measures"].size() == 3);
  CHECK(before["measures"][1]["id"] == "memory");
  CHECK(before["measures"][1]["total"]["unit"] == "bytes");
  const std::map<int, std::string> times = shown.hints();
  CHECK(unit_of(shown, "etlens/hotLines") == "ms");

  shown.choose("memory");
  shown.client.advance(500);
  CHECK(shown.client.take("workspace/inlayHint/refresh").size() == 1);
  CHECK(shown.client.take("etlens/profileChanged").size() >= 1);
  const json after = shown.status();
  CHECK(after["measure"] == "memory");
  CHECK(after["measures"][1]["current"] == true);
  CHECK(after["generation"] != before["generation"]);
  CHECK(after["profile"] == before["profile"]);  // of the dump as a whole
  CHECK(after["message"] == before["message"]);

  CHECK(shown.hints() != times);
  const json hottest = shown.hottest();
  CHECK(unit_of(shown, "etlens/hotLines") == "bytes");
  CHECK(hottest["fallback"] == false);
  const int line = hottest["current_line"].get<int>() - 1;
  const std::string amount = hottest["self_text"];
  CHECK_THAT(shown.hints().at(line), Contains(amount));
  CHECK_THAT(shown.hover(line), Contains("**" + amount + "** self"));
  CHECK_THAT(shown.hover(line), Contains("of the peak"));
  CHECK_THAT(shown.hover(line), Contains("time: "));
  const json events = shown.client.request("etlens/events");
  CHECK(events["unit"] == "bytes");
  CHECK(events["events"][0].contains("remark"));
  CHECK(unit_of(shown, "etlens/modules") == "bytes");
  const json partitions = shown.client.request("etlens/partitions");
  CHECK(partitions["unit"] == "ms");
  for (const json& partition : partitions["partitions"]) CHECK(partition["events"].empty());
  for (const json& lens : shown.client.request("textDocument/codeLens",
                                               {{"textDocument", {{"uri", uri_of(kSource)}}}}))
    CHECK_THAT(lens["command"]["title"].get<std::string>(), Contains("of the peak"));

  shown.choose_argument(nullptr);
  CHECK(shown.status()["measure"] == "time");
  CHECK(shown.hints() == times);
}

TEST_CASE("measure: a hover has a short row for every other measure", "[server]") {
  Shown shown;
  shown.choose("memory");
  const json hottest = shown.hottest();
  const int line = hottest["current_line"].get<int>() - 1;
  shown.choose("time");
  const std::string hover = shown.hover(line);
  CHECK_THAT(hover,
             Contains("memory: " + hottest["self_text"].get<std::string>() + " at the peak, "));
  CHECK_THAT(hover, !Contains("time: "));
}

TEST_CASE("measure: the setting chooses, a command stands above it", "[server]") {
  Shown shown(json{{"measure", "memory"}});
  CHECK(shown.status()["measure"] == "memory");
  CHECK(unit_of(shown, "etlens/hotLines") == "bytes");
  shown.choose("time");
  CHECK(shown.status()["measure"] == "time");
  shown.set({{"measure", "memory"}, {"hints.thresholdPercent", 1}});
  CHECK(shown.status()["measure"] == "time");
  shown.choose_argument(nullptr);
  CHECK(shown.status()["measure"] == "memory");
  shown.set(json::object());
  CHECK(shown.status()["measure"] == "time");
}

TEST_CASE("measure: what the study does not have is time, and said", "[server]") {
  Shown shown(json{{"measure", "temperature"}});
  const json status = shown.status();
  CHECK(status["measure"] == "time");
  CHECK_THAT(status["message"].get<std::string>(),
             Contains("there is no measure temperature here, so time is shown"));
  CHECK(unit_of(shown, "etlens/hotLines") == "ms");
  const json error = shown.client.request_error(
      "workspace/executeCommand", {{"command", "etlens.selectMeasure"},
                                   {"arguments", json::array({json{{"measure", "temperature"}}})}});
  CHECK_THAT(error["message"].get<std::string>(), Contains("there is: time, memory, size"));
}

TEST_CASE("measure: a choice that is refused leaves the one before", "[server]") {
  Shown shown;
  shown.choose("memory");
  shown.client.request_error("workspace/executeCommand",
                             {{"command", "etlens.selectMeasure"},
                              {"arguments", json::array({json{{"measure", "temperature"}}})}});
  CHECK(shown.status()["measure"] == "memory");
  shown.set(json{{"hints", {{"thresholdPercent", 1}}}});
  CHECK(shown.status()["measure"] == "memory");
}

TEST_CASE("measure: one that is gone after a load comes back with the next", "[server]") {
  Shown shown;
  shown.choose("memory");
  shown.files.remove("/work/model.pte");
  shown.client.request("workspace/executeCommand", {{"command", "etlens.reload"}});
  shown.client.advance(5000);
  const json without = shown.status();
  CHECK(without["measure"] == "time");
  CHECK_THAT(without["message"].get<std::string>(), Contains("there is no measure memory here"));
  CHECK(without["measures"].size() == 1);
  shown.files.put("/work/model.pte", read_file(std::string(ETLENS_EXAMPLES) + "/pricer/model.pte"));
  shown.client.request("workspace/executeCommand", {{"command", "etlens.reload"}});
  shown.client.advance(5000);
  CHECK(shown.status()["measure"] == "memory");
}

TEST_CASE("measure: ids of one measure are refused under another", "[server]") {
  Shown shown;
  const json event = shown.client.request("etlens/events");
  shown.choose("memory");
  const json error = shown.client.request_error(
      "workspace/executeCommand",
      {{"command", "etlens.jumpToEvent"},
       {"arguments", json::array({json{{"event", event["events"][0]["id"]},
                                       {"generation", event["generation"]}}})}});
  CHECK_THAT(error["message"].get<std::string>(), Contains("ask for the events again"));
  const json tensors = shown.client.request("etlens/events");
  const json there = shown.client.request(
      "workspace/executeCommand",
      {{"command", "etlens.jumpToEvent"},
       {"arguments", json::array({json{{"event", tensors["events"][0]["id"]},
                                       {"generation", tensors["generation"]}}})}});
  CHECK(there["range"]["start"]["line"] == tensors["events"][0]["current_line"].get<int>() - 1);
}

TEST_CASE("measure: a client without lists is asked which", "[server]") {
  Shown shown;
  shown.client.answers["window/showMessageRequest"] = {{"title", "memory"}};
  shown.client.request("workspace/executeCommand", {{"command", "etlens.selectMeasure"}});
  CHECK(shown.status()["measure"] == "memory");
}

}  // namespace etlens::measure_test
