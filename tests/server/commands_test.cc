// SPDX-License-Identifier: Apache-2.0
// workspace/executeCommand, and the lists behind the views of clients.
#include <catch2/catch.hpp>

#include "tests/support/dump_builder.h"
#include "tests/support/language_client.h"
#include "tests/support/record_builder.h"
#include "tests/support/server_workspace.h"
#include "tests/support/unseen.h"

namespace etlens::commands_test {

using namespace etlens::test;

namespace {

const std::string kOldDump = "/work/runs/older.etdp";

struct Commanded {
  MemoryFileSystem files = model_workspace();
  LanguageClient client{files};

  explicit Commanded(const json& capabilities = full_capabilities()) {
    files.put(kOldDump, model_dump(2));
    files.put(kDumpPath, model_dump(1));  // the newest
    client.initialize(capabilities);
    client.open(kModelPath, model_source());
  }
  json run(const std::string& command, const json& arguments = nullptr) {
    json params{{"command", command}};
    if (!arguments.is_null()) params["arguments"] = arguments;
    return client.request("workspace/executeCommand", params);
  }
  json refuse(const std::string& command, const json& arguments) {
    return client.request_error("workspace/executeCommand",
                                {{"command", command}, {"arguments", arguments}});
  }
  json refuse_request(const std::string& method, const json& params) {
    return client.request_error(method, params);
  }
  std::string hint() { return client.hints(kModelPath).at(kTopkLine); }
};

}  // namespace

TEST_CASE("jumpToEvent opens the event's line, and refuses events of another profile", "[server]") {
  Commanded commanded;
  const json events = commanded.client.request("etlens/events");
  size_t jumps = 0;
  for (const json& event : events["events"]) {
    if (event["line"].is_null()) continue;
    ++jumps;
    const json target = commanded.run(
        "etlens.jumpToEvent", {{{"event", event["id"]}, {"generation", events["generation"]}}});
    CHECK(target["range"]["start"]["line"] == event["current_line"].get<int>() - 1);
  }
  CHECK(jumps > 0);
  const json shown = commanded.client.take("window/showDocument").back()["params"];
  CHECK(shown["takeFocus"] == true);
  CHECK(shown["selection"]["start"] == shown["selection"]["end"]);
  CHECK(commanded.refuse("etlens.jumpToEvent", {{{"event", 0}, {"generation", 99}}})["code"] ==
        -32803);
}

TEST_CASE("names that are not seen come back from where they were shown", "[server]") {
  MemoryFileSystem files = model_workspace();
  files.put("/work/runs/o" + kUnseen + ".etdp", model_dump(2));
  files.put(kDumpPath, model_dump(1));  // the newest
  LanguageClient client(files);
  client.initialize();
  client.open(kModelPath, model_source());
  CHECK(client.hints(kModelPath).at(kTopkLine) == "9.00 µs 5.7% CPU");
  const json dumps = client.request("etlens/profiles");
  CHECK_FALSE(holds_unseen_in(dumps));
  const std::string shown = "/work/runs/o" + shown_text(kUnseen) + ".etdp";
  CHECK_THAT(dumps.dump(), Catch::Contains(shown));
  client.request("workspace/executeCommand",
                 {{"command", "etlens.selectProfile"}, {"arguments", {{{"etdump", shown}}}}});
  CHECK(client.hints(kModelPath).at(kTopkLine) == "18.0 µs 5.7% CPU");
}

TEST_CASE("no message of the server holds what nobody sees", "[server]") {
  MemoryFileSystem files;
  const std::string source = "/work/m" + kUnseen + ".py";
  const std::string text = "class M" + kUnseen + ":\n  def forward(self, x):\n    return x + 1\n";
  RecordBuilder record;
  record.node({"a" + kUnseen, "aten.add" + kUnseen, 1,
               stack_trace({{source, 3, "forward" + kUnseen, "return x + 1" + kUnseen}}),
               "k,L['self'].a" + kUnseen + ",T" + kUnseen});
  record.map(0, {1});
  DumpBuilder dump;
  dump.block("Execute").operator_call("add" + kUnseen, 0, 10, 20);
  dump.framework("Method::execute", 0, 50);
  files.put(source, text);
  files.put("/work/d" + kUnseen + ".etdp", dump.build());
  files.put("/work/r" + kUnseen + ".etrecord", record.build());
  LanguageClient client(files);
  client.initialize();
  client.open(source, text);
  const json document{{"textDocument", {{"uri", uri_of(source)}}}};
  json at = document;
  at["position"] = {{"line", 2}, {"character", 5}};
  json range = document;
  range["range"] = {{"start", {{"line", 0}, {"character", 0}}},
                    {"end", {{"line", 9}, {"character", 0}}}};
  const std::pair<const char*, json> requests[] = {
      {"textDocument/hover", at},
      {"textDocument/inlayHint", range},
      {"textDocument/codeLens", document},
      {"workspace/symbol", {{"query", ""}}},
      {"textDocument/prepareCallHierarchy", at},
      {"etlens/status", json::object()},
      {"etlens/profiles", json::object()},
      {"etlens/events", json::object()},
      {"etlens/eventTable", {{"group_by", "module"}}},
      {"etlens/modules", json::object()},
      {"etlens/hotLines", json::object()},
      {"etlens/flameGraph", json::object()},
      {"etlens/edgeProgram", json::object()},
  };
  std::string all;
  for (const auto& [method, params] : requests) {
    CAPTURE(method);
    const json result = client.request(method, params);
    CHECK_FALSE(holds_unseen_in(result));
    all += result.dump();
  }
  CHECK_THAT(all, Catch::Contains("add<U+061C><U+200B>"));
  for (const char* method : {"window/logMessage", "window/showMessage", "$/progress"}) {
    for (const json& message : client.take(method)) CHECK_FALSE(holds_unseen_in(message));
  }
}

TEST_CASE("hot lines: forward and backward through the ranking, round and round", "[server]") {
  Commanded commanded;
  std::vector<int> lines;
  json position;
  for (int i = 0; i < 5; ++i) {
    const json target = position.is_null()
                            ? commanded.run("etlens.nextHotLine")
                            : commanded.run("etlens.nextHotLine", json::array({position}));
    CHECK(target["count"] == 4);
    CHECK_FALSE(target.contains("elsewhere"));
    lines.push_back(target["range"]["start"]["line"]);
    position = {{"uri", target["uri"]}, {"position", target["range"]["start"]}};
  }
  CHECK(lines == std::vector<int>{kUpCallLine, kHeadLine, kDownCallLine, kTopkLine, kUpCallLine});
  CHECK(commanded.run("etlens.previousHotLine",
                      json::array({position}))["range"]["start"]["line"] == kTopkLine);
  CHECK(commanded.run("etlens.previousHotLine")["rank"] == 4);
}

TEST_CASE("selectProfile pins a dump until it is let go", "[server]") {
  Commanded commanded;
  CHECK(commanded.hint() == "9.00 µs 5.7% CPU");
  commanded.run("etlens.selectProfile", {{{"etdump", "/work/runs/older.etdp"}}});
  CHECK(commanded.hint() == "18.0 µs 5.7% CPU");
  CHECK(commanded.client.request("etlens/profiles")["pinned"] == true);
  commanded.files.put(kDumpPath, model_dump(3));
  commanded.client.advance(60'000);
  CHECK(commanded.hint() == "18.0 µs 5.7% CPU");
  commanded.run("etlens.selectProfile", {nullptr});
  commanded.client.advance(1000);
  CHECK(commanded.hint() == "27.0 µs 5.7% CPU");
}

TEST_CASE("selectProfile without arguments asks the user, for editors without a list of their own",
          "[server]") {
  Commanded commanded;
  commanded.client.answers["window/showMessageRequest"] = {{"title", "runs/older.etdp"}};
  commanded.run("etlens.selectProfile");
  const json asked = commanded.client.take("window/showMessageRequest").at(0)["params"];
  CHECK(asked["actions"] ==
        json{{{"title", "Newest"}}, {{"title", "model.etdp"}}, {{"title", "runs/older.etdp"}}});
  CHECK(commanded.hint() == "18.0 µs 5.7% CPU");
  commanded.client.answers["window/showMessageRequest"] = nullptr;  // closed without an answer
  commanded.run("etlens.selectProfile");
  CHECK(commanded.hint() == "18.0 µs 5.7% CPU");
  commanded.client.answers["window/showMessageRequest"] = {{"title", "Newest"}};
  commanded.run("etlens.selectProfile");
  CHECK(commanded.hint() == "9.00 µs 5.7% CPU");
}

TEST_CASE("selectMethod: by name, by block, by asking", "[server]") {
  Commanded commanded;
  commanded.run("etlens.selectMethod", {{{"method", "no_such"}}});
  CHECK(commanded.client.request("etlens/status")["state"] == "failed");
  CHECK(commanded.hint() == "9.00 µs 5.7% CPU");
  commanded.run("etlens.selectMethod", {nullptr});
  CHECK(commanded.client.request("etlens/status")["state"] == "ready");
  commanded.client.answers["window/showMessageRequest"] = {{"title", "Execute"}};
  commanded.run("etlens.selectMethod");
  CHECK(commanded.client.take("window/showMessageRequest").at(0)["params"]["actions"] ==
        json{{{"title", "forward"}}, {{"title", "Execute"}}});
  CHECK(commanded.client.request("etlens/status")["profile"]["block"] == "Execute");
}

TEST_CASE("reload reads everything again", "[server]") {
  Commanded commanded;
  const int generation = commanded.client.request("etlens/status")["generation"];
  commanded.run("etlens.reload");
  CHECK(commanded.client.request("etlens/status")["generation"] == generation + 1);
}

TEST_CASE("etlens/profiles: what the dumps take that are not shown, once they were read",
          "[server]") {
  json capabilities = full_capabilities();
  capabilities["experimental"]["etlens"]["profileChanged"] = true;
  Commanded commanded(capabilities);
  LanguageClient& client = commanded.client;
  // The newest first, as in the list.
  const auto totals = [&] {
    client.request("etlens/profiles");
    client.advance(0);  // nobody waits for the reading
    std::vector<std::string> texts;
    for (const json& dump : client.request_list("etlens/profiles", "dumps")) {
      texts.push_back(dump.contains("total") ? dump["total"]["text"].get<std::string>() : "");
      CHECK(dump.value("executions", 0) == (dump.contains("total") ? 2 : 0));
    }
    return texts;
  };
  using Texts = std::vector<std::string>;
  CHECK(totals() == Texts{"", "318 µs"});  // the status has that of the shown one
  CHECK(client.take("etlens/profilesChanged").size() == 1);
  // Known now: nothing is read again, and nobody is told.
  CHECK(totals() == Texts{"", "318 µs"});
  CHECK(client.take("etlens/profilesChanged").empty());
  // A newer one is shown: of the one before it the total is to be read.
  commanded.files.put(kOldDump, model_dump(4));
  client.advance(12'000);
  CHECK(totals() == Texts{"", "159 µs"});
  // One that cannot be read has none, and keeps the others from nothing.
  commanded.files.put("/work/runs/broken.etdp",
                      std::string("\x10\0\0\0ED00", 8) + std::string(40, '\xff'));
  client.advance(12'000);
  CHECK(totals() == Texts{"", "", "159 µs"});
}

TEST_CASE("etlens/profiles lists dumps, records, methods, blocks", "[server]") {
  Commanded commanded;
  const json profiles = commanded.client.request("etlens/profiles");
  REQUIRE(profiles["dumps"].size() == 2);
  CHECK(profiles["dumps"][0]["etdump"] == kDumpPath);
  CHECK(profiles["dumps"][0]["current"] == true);
  CHECK(profiles["dumps"][1]["current"] == false);
  CHECK(profiles["records"] == json{kRecordPath});
  CHECK(profiles["methods"] == json{{{"name", "forward"}, {"current", true}}});
  CHECK(profiles["blocks"] ==
        json{{{"name", "Execute"}, {"executions", 2}, {"current", true}, {"method", "forward"}}});
}

TEST_CASE("the tables agree with each other and with the total", "[server]") {
  Commanded commanded;
  const json status = commanded.client.request("etlens/status")["profile"];
  double events_sum = 0;
  const json events = commanded.client.request("etlens/events");
  for (const json& event : events["events"]) events_sum += event["self"].get<double>();
  CHECK(events_sum == Approx(status["total"].get<double>()));
  CHECK(events["events"].back()["running_share"].get<double>() == Approx(1));

  double lines_sum = 0;
  const json costs = commanded.client.request("etlens/lineCosts",
                                              {{"textDocument", {{"uri", uri_of(kModelPath)}}}});
  for (const json& line : costs["lines"]) lines_sum += line["share"].get<double>();
  CHECK(lines_sum == Approx(status["on_lines"].get<double>()));
  const json hot = commanded.client.request("etlens/hotLines", {{"limit", 2}});
  REQUIRE(hot["lines"].size() == 2);
  CHECK(hot["lines"][0]["current_line"] == kUpCallLine + 1);
  CHECK(hot["lines"][1]["running_share"].get<double>() == Approx(102.0 / 159.012));

  const json modules = commanded.client.request("etlens/modules")["modules"];
  CHECK(modules[0]["path"] == "");
  for (const json& module : modules) {
    if (module.contains("parent"))
      CHECK(modules[module["parent"].get<size_t>()]["depth"].get<int>() ==
            module["depth"].get<int>() - 1);
  }
  const json partitions = commanded.client.request("etlens/partitions")["partitions"];
  REQUIRE(partitions.size() == 2);
  CHECK(partitions[0]["where"] == "XNNPACK");
  CHECK(partitions[0]["places"].size() == 3);
  CHECK(partitions[0]["total"].get<double>() ==
        Approx(partitions[0]["explained"].get<double>() + partitions[0]["opaque"].get<double>() +
               partitions[0]["overhead"].get<double>()));
}

TEST_CASE("etlens/events: a query and a limit", "[server]") {
  Commanded commanded;
  const json found = commanded.client.request("etlens/events", {{"query", "linear"}, {"limit", 2}});
  REQUIRE(found["events"].size() == 2);
  CHECK(found["events"][0]["op"] == "aten.linear.default");
  CHECK(found["more"] == 3);
  CHECK(found["count"] == 5);
  const json next =
      commanded.client.request("etlens/events", {{"query", "linear"}, {"offset", 2}, {"limit", 2}});
  CHECK(next["events"][0]["self"] <= found["events"][1]["self"]);
  CHECK(next["more"] == 1);
  CHECK(commanded.client.request("etlens/events", {{"query", "linear"}, {"offset", 99}})["events"]
            .empty());
  CHECK(commanded.client.request("etlens/events", {{"query", "blocks.1"}})["count"] ==
        2);  // a module's
}

TEST_CASE("etlens/events: the part of the time that an event belongs to, in words", "[server]") {
  using Words = std::map<std::string, std::string>;
  const auto words_of = [](LanguageClient& client) {
    const json events = client.request("etlens/events")["events"];
    Words words;
    for (const json& event : events) words[event["part"]] = event["part_text"];
    return words;
  };
  Commanded commanded;
  CHECK(words_of(commanded.client) ==
        Words{{"line", "on source lines"},
              {"delegate_overhead", "inside delegate calls, not measured"},
              {"dispatch_overhead", "dispatch around kernels"},
              {"framework", "framework"}});
  // Without the record no time can be placed.
  MemoryFileSystem files;
  files.put(kDumpPath, model_dump(1));
  LanguageClient client{files};
  client.initialize();
  CHECK(words_of(client) == Words{{"delegate_overhead", "inside delegate calls, not measured"},
                                  {"dispatch_overhead", "dispatch around kernels"},
                                  {"framework", "framework"},
                                  {"opaque_partition", "in delegate calls"},
                                  {"unattributed", "in kernels on the CPU"}});
}

TEST_CASE("etlens/partitions names what fell back between them", "[server]") {
  Commanded commanded;
  const json fallbacks = commanded.client.request("etlens/partitions")["fallbacks"];
  REQUIRE(fallbacks.size() == 1);
  CHECK(fallbacks[0]["before"] == 1);
  CHECK(fallbacks[0]["after"] == 2);
  CHECK(fallbacks[0]["source"]["current_line"] == kTopkLine + 1);
  CHECK(fallbacks[0]["sentence"] ==
        "topk runs on the CPU between two XNNPACK partitions: 9.00 µs + 2 delegate calls");
}

TEST_CASE("etlens/advice says what to look at first, with its lines", "[server]") {
  Commanded commanded;
  const json advice = commanded.client.request("etlens/advice")["advice"];
  REQUIRE(advice.size() >= 2);
  CHECK(advice[0]["kind"] == "fallback");
  CHECK(advice[0]["title"] == "topk on the CPU between XNNPACK calls, in 1 place");
  REQUIRE(advice[0]["lines"].size() == 1);
  CHECK(advice[0]["lines"][0]["current_line"] == kTopkLine + 1);
  CHECK_THAT(advice[0]["won"].get<std::string>(),
             Catch::Matchers::StartsWith("up to ") &&
                 Catch::Matchers::Contains(advice[0]["at_most"]["text"].get<std::string>()));
  CHECK(advice.back()["kind"] == "few-samples");
  CHECK_FALSE(advice.back().contains("at_most"));
}

TEST_CASE("etlens/delegation lists what is not delegated, with its reason and lines", "[server]") {
  Commanded commanded;
  const json result = commanded.client.request("etlens/delegation");
  CHECK(result["why"] == "");
  REQUIRE(result["operators"].size() == 1);
  const json& row = result["operators"][0];
  CHECK(row["op"] == "topk");
  CHECK(row["reason"] == "XNNPACK has no topk.");
  CHECK_THAT(row["cost"].get<std::string>(), Catch::Matchers::StartsWith("9.00 µs"));
  REQUIRE(row["lines"].size() == 1);
  CHECK(row["lines"][0]["current_line"] == kTopkLine + 1);
}

TEST_CASE("a client that wants to know is told of every new profile", "[server]") {
  json capabilities = full_capabilities();
  capabilities["experimental"]["etlens"]["profileChanged"] = true;
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.initialize(capabilities);
  CHECK(client.take("etlens/profileChanged").at(0)["params"]["generation"] == 1);
  json status = client.request("etlens/status");
  CHECK_FALSE(status.contains("replaced"));
  const std::string before = status["profile"]["total_text"];
  files.put(kDumpPath, model_dump(2));
  client.advance(3000);
  CHECK(client.take("etlens/profileChanged").at(0)["params"]["generation"] == 2);
  // Numbers are not replaced in silence.
  status = client.request("etlens/status");
  const std::string now = status["profile"]["total_text"];
  CHECK(before != now);
  CHECK(status["replaced"] ==
        "model.etdp is new: " + before + " typical before, " + now + " typical now");
  client.request("workspace/executeCommand",
                 {{"command", "etlens.selectStatistic"}, {"arguments", {{{"statistic", "min"}}}}});
  client.advance(3000);
  CHECK_FALSE(client.request("etlens/status").contains("replaced"));
  // The next run in a folder of its own.
  files.put("/work/next/model.etrecord", *files.read(kRecordPath));
  files.put("/work/next/model.etdp", model_dump(3));
  client.advance(5000);
  status = client.request("etlens/status");
  CHECK(status["profile"]["etdump"] == "/work/next/model.etdp");
  CHECK_THAT(status.value("replaced", ""), Catch::Contains("model.etdp is new: "));
}

}  // namespace etlens::commands_test
