// SPDX-License-Identifier: Apache-2.0
// A fleet beside the shown dump: on the lines, in hovers and in the status; read without keeping
// anybody waiting, and given up when nobody wants it any more.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "core/fleet/dump_reader.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"

namespace etlens::server_fleet_test {

using namespace etlens::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

constexpr int kSettled = 400;
constexpr const char* kPlain = "9.00 µs 5.7% CPU";
// 5 dumps of each device; the operator on the CPU takes 8, 9, … µs on a and 18, 19, … µs on b.
constexpr const char* kOfFleet = "p50 18.0 µs · p99 22.0 µs";

struct Fleets {
  MemoryFileSystem files = model_workspace();
  LanguageClient client;

  explicit Fleets(const json& settings = nullptr, Timing timing = {}) : client(files, timing) {
    for (int i = 0; i < 10; ++i) {
      const std::string name = fmt::format("/work/fleet/run-{}", i);
      const int topk = i < 5 ? 8'000 + 1'000 * i : 13'000 + 1'000 * i;
      files.put(name + ".etdp", model_dump(std::vector<ModelRun>(2, {1, topk})));
      files.put(name + ".json",
                fmt::format(R"({{"device": "{}", "build": "{}"}})", i < 5 ? "a" : "b", i % 2));
    }
    files.put(kDumpPath, model_dump(std::vector<ModelRun>(2, {1, 9'000})));  // the newest
    client.settings = settings;
    client.initialize();
    client.open(kModelPath, model_source());
    client.advance(kSettled);
  }
  void choose(const json& arguments) {
    client.request("workspace/executeCommand",
                   {{"command", "etlens.selectFleet"}, {"arguments", json::array({arguments})}});
  }
  std::string hint(int line = kTopkLine) { return client.hints(kModelPath).at(line); }
  std::string hover() {
    return client.request(
        "textDocument/hover",
        {{"textDocument", {{"uri", uri_of(kModelPath)}}},
         {"position", {{"line", kTopkLine}, {"character", 8}}}})["contents"]["value"];
  }
  json status() { return client.request("etlens/status"); }
};

}  // namespace

TEST_CASE("a fleet: on the lines and in the hover, and gone again", "[server]") {
  Fleets fleets;
  CHECK(fleets.hint() == kPlain);
  CHECK_FALSE(fleets.status().contains("fleet"));
  fleets.client.take("workspace/inlayHint/refresh");
  fleets.choose({{"paths", {"fleet"}}, {"groupBy", {"device"}}});
  fleets.client.advance(kSettled);
  CHECK(fleets.client.take("workspace/inlayHint/refresh").size() == 1);
  CHECK_THAT(fleets.hint(), StartsWith(kOfFleet));
  CHECK_THAT(fleets.hint(), Contains("CPU"));
  const std::string hover = fleets.hover();
  CHECK_THAT(hover, StartsWith("**" + std::string(kOfFleet) + "** self, in a fleet of 10 dumps"));
  CHECK_THAT(hover, Contains("| `b`") && Contains("| `a`"));
  CHECK(hover.find("`b`") < hover.find("`a`"));  // the slower first
  CHECK_THAT(hover, Contains("| `b` | 5 | 20.0"));
  CHECK_THAT(hover, Contains("**9.00 µs** self"));  // the dump is still there
  const json status = fleets.status();
  CHECK(status["fleet"]["dumps"] == 10);
  CHECK(status["fleet"]["left_out"] == 0);
  CHECK(status["fleet"]["reading"] == false);
  CHECK_THAT(status["message"].get<std::string>(), Contains("; fleet of 10 dumps, p50 "));
  fleets.choose({{"paths", json::array()}});
  fleets.client.advance(kSettled);
  CHECK(fleets.hint() == kPlain);
  CHECK_FALSE(fleets.status().contains("fleet"));
  CHECK(fleets.client.finish() == 0);
}

TEST_CASE("a fleet: by setting, grouped by device and build", "[server]") {
  Fleets fleets(json{{"fleet", "fleet"}, {"hints", {{"format", "time"}}}});
  CHECK(fleets.hint() == kOfFleet);
  const std::string hover = fleets.hover();
  CHECK_THAT(hover, Contains("device") && Contains("build"));
}

TEST_CASE("a fleet: its rows in place of its dumps", "[server]") {
  Fleets fleets;
  DumpReaderOptions options;
  options.partners = {{kRecordPath, FileKind::EtRecord, {}}};
  options.here = "/work";
  DumpReader reader(fleets.files, options);
  std::string rows;
  for (int i = 0; i < 10; ++i) {
    const DumpOutcome outcome = reader.read(fmt::format("/work/fleet/run-{}.etdp", i));
    REQUIRE(std::holds_alternative<DumpRows>(outcome));
    rows += dump_rows_text(std::get<DumpRows>(outcome), RowForm::Ndjson);
  }
  fleets.files.put("/work/rows.ndjson", rows);
  fleets.choose({{"paths", {"rows.ndjson"}}});
  fleets.client.advance(kSettled);
  CHECK_THAT(fleets.hint(), StartsWith(kOfFleet));
  CHECK(fleets.status()["fleet"]["dumps"] == 10);

  fleets.files.put("/work/other.ndjson", rows + "{\"schema\": \"another\"}\n");
  fleets.choose({{"paths", {"other.ndjson"}}});
  fleets.client.advance(kSettled);
  const json fleet = fleets.status()["fleet"];
  CHECK(fleet["dumps"] == 10);
  CHECK_THAT(fleet["message"].get<std::string>(),
             Contains("1 line left out: line 171 of /work/other.ndjson"));
}

TEST_CASE("a fleet: files that are none are counted, and what cannot be is said", "[server]") {
  Fleets fleets;
  fleets.files.put("/work/fleet/cut.etdp", "no dump");
  fleets.files.put("/work/fleet/empty.etdp", "");
  fleets.choose({{"paths", {"fleet"}}});
  fleets.client.advance(kSettled);
  CHECK_THAT(fleets.hint(), StartsWith(kOfFleet));
  CHECK(fleets.status()["fleet"]["left_out"] == 2);
  for (const char* path : {"nowhere", "model.py", "/work/fleet/empty.etdp"}) {
    fleets.client.take("window/showMessage");
    fleets.choose({{"paths", {path}}});
    fleets.client.advance(kSettled);
    INFO(path);
    CHECK(fleets.hint() == kPlain);
    const json fleet = fleets.status()["fleet"];
    CHECK(fleet["dumps"] == 0);
    CHECK_THAT(fleet["message"].get<std::string>(), StartsWith("no fleet is shown: "));
    CHECK(fleets.client.take("window/showMessage").size() == 1);
  }
  fleets.files.put("/work/cut.ndjson", "{\"schema\": \"etlens/dump-rows@1\", \"dump\": ");
  fleets.choose({{"paths", {"cut.ndjson"}}});
  fleets.client.advance(kSettled);
  CHECK(fleets.status()["fleet"]["dumps"] == 0);
}

TEST_CASE("a fleet: requests are answered while it is read, and it can be given up", "[server]") {
  Timing timing;
  timing.fleet_slice = Delay(0);  // a dump at a time
  timing.progress_after = Delay(0);
  Fleets fleets(nullptr, timing);
  // A client that answers at once: in memory nothing takes long enough for any other.
  fleets.client.transport().on_send = [&](const std::string& text) {
    const json message = json::parse(text);
    if (message.value("method", "") != "window/workDoneProgress/create") return;
    fleets.client.transport().feed(
        lsp::frame(json{{"jsonrpc", "2.0"}, {"id", message["id"]}, {"result", nullptr}}.dump()));
  };
  const auto message = [](int id, const std::string& method, const json& params) {
    return lsp::frame(
        json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump());
  };
  const auto choice = [](const json& paths) {
    return json{{"command", "etlens.selectFleet"},
                {"arguments", json::array({json{{"paths", paths}}})}};
  };
  const std::string choose = message(901, "workspace/executeCommand", choice({"fleet"}));
  const std::string ask = message(902, "etlens/status", json::object());
  const std::string none = message(903, "workspace/executeCommand", choice(json::array()));
  fleets.client.feed(choose + ask);
  std::vector<json> answers = fleets.client.take_responses();
  REQUIRE(answers.size() == 2);
  CHECK(answers[1]["result"]["fleet"]["reading"] == true);
  CHECK(answers[1]["result"]["fleet"]["message"] == "reading the fleet /work/fleet");
  fleets.client.advance(kSettled);
  CHECK_THAT(fleets.hint(), StartsWith(kOfFleet));
  std::vector<std::string> kinds;
  for (const json& progress : fleets.client.take("$/progress"))
    kinds.push_back(progress["params"]["value"]["kind"]);
  REQUIRE(kinds.size() >= 3);
  CHECK(kinds.front() == "begin");
  CHECK(kinds[1] == "report");
  CHECK(kinds.back() == "end");
  fleets.client.feed(none);
  fleets.client.feed(choose + none + ask);  // nobody wants it any more before it is read
  answers = fleets.client.take_responses();
  CHECK_FALSE(answers.back()["result"].contains("fleet"));
  fleets.client.advance(kSettled);
  CHECK(fleets.hint() == kPlain);
}

TEST_CASE("a fleet: stands on the lines of helpers, like the shown dump", "[server]") {
  const std::string folder = ETLENS_TEST_DATA "/helpers/ropeformer";
  const std::string layers = "/work/ropeformer/layers.py";
  constexpr int kHelperLine = 74;   // g = self.gate_proj(x)
  constexpr int kForwardLine = 78;  // which calls it
  for (const bool recovers : {true, false}) {
    CAPTURE(recovers);
    MemoryFileSystem files;
    for (const char* name : {"__init__.py", "layers.py", "model.py", "rope.py"})
      files.put(std::string("/work/ropeformer/") + name,
                read_file(folder + "/sources/ropeformer/" + name));
    files.put("/work/fleet/run.etdp", read_file(folder + "/run10.etdp.gz"));
    files.put("/work/model.etrecord", read_file(folder + "/model.etrecord"));
    files.put("/work/model.etdp", read_file(folder + "/run10.etdp.gz"));
    LanguageClient client(files);
    client.settings = {{"fleet", "fleet"}, {"recoverHelperLines", recovers}};
    client.initialize();
    client.open(layers, read_file(folder + "/sources/ropeformer/layers.py"));
    client.advance(kSettled);
    client.advance(kSettled);
    const auto hints = client.hints(layers);
    REQUIRE(hints.contains(kForwardLine));
    CHECK_THAT(hints.at(kForwardLine), StartsWith("p50 "));
    CHECK(hints.contains(kHelperLine) == recovers);
    if (recovers) CHECK_THAT(hints.at(kHelperLine), Contains("p50 "));
    CHECK(client.finish() == 0);
  }
}

}  // namespace etlens::server_fleet_test
