// SPDX-License-Identifier: Apache-2.0
// What fell back to the CPU, per line and gap: each gap with its own time, sentence and events.
#include <catch2/catch.hpp>

#include "tests/support/golden.h"
#include "tests/support/language_client.h"

namespace etlens::fallbacks_test {

using namespace etlens::test;

namespace {

constexpr const char* kSource = R"(def forward(self, x):
    for layer in self.layers:
        x = layer(x)
        x = x.topk(2)
    return x
)";
constexpr int kTopk = 3;  // 0-based

// Three delegate calls; between them the same line, for 400 and for 30 ticks.
MemoryFileSystem workspace() {
  json nodes = json::array();
  const auto node = [](const std::string& name, const char* op, int handle, int line) {
    return json{{"name", name},
                {"op", op},
                {"handle", handle},
                {"at", json::array({json::array({"model.py", line})})}};
  };
  const auto call = [&](int number) {
    const json linear = node("linear", "aten.linear.default", 10 + number, 3);
    nodes.push_back({{"name", "call_" + std::to_string(number)},
                     {"backend", "XnnpackBackend"},
                     {"lowered", json::array({linear})}});
  };
  const auto topk = [&](const char* name, int handle) {
    nodes.push_back(node(name, "aten.topk.default", handle, kTopk + 1));
  };
  call(0);
  topk("topk", 1);
  call(1);
  topk("topk_1", 2);
  call(2);
  const json execution{{"call", 0, 1000, json::array()},
                       {"op", "topk.values", 1, 400},
                       {"call", 2, 1000, json::array()},
                       {"op", "topk.values", 3, 30},
                       {"call", 4, 1000, json::array()}};
  json delegates = json::object();
  for (const char* instruction : {"0", "2", "4"})
    delegates[instruction] = {{"name", "XnnpackBackend"}, {"delegate_map", json::object()}};
  const json profile{{"nodes", nodes},
                     {"map", {{"0", {10}}, {"1", {1}}, {"2", {11}}, {"3", {2}}, {"4", {12}}}},
                     {"delegates", delegates},
                     {"executions", json::array({execution})}};
  GoldenProfile golden;
  load_golden({{"profile.json", profile.dump()}, {"model.py", kSource}}, golden);
  return std::move(golden.files);
}

}  // namespace

TEST_CASE("a line that falls back in several gaps has in each only what it took there",
          "[server]") {
  const MemoryFileSystem files = workspace();
  LanguageClient client(files);
  client.initialize();
  const json result = client.request("etlens/partitions");
  REQUIRE(result["partitions"].size() == 3);
  const json& fallbacks = result["fallbacks"];
  REQUIRE(fallbacks.size() == 2);
  std::set<int> events;
  for (int gap = 0; gap < 2; ++gap) {
    CAPTURE(gap);
    const json& item = fallbacks[gap];
    CHECK(item["before"] == gap + 1);
    CHECK(item["after"] == gap + 2);
    CHECK(item["source"]["current_line"] == kTopk + 1);
    CHECK(item["self_text"] == (gap == 0 ? "400 ns" : "30.0 ns"));
    CHECK(item["sentence"] == std::string("topk runs on the CPU between two XNNPACK partitions: ") +
                                  (gap == 0 ? "400 ns" : "30.0 ns") + " + 2 delegate calls");
    REQUIRE(item["events"].size() == 1);
    events.insert(item["events"][0].get<int>());
  }
  CHECK(events.size() == 2);
}

TEST_CASE("the diagnostic of a line that falls back in several gaps says its sum once",
          "[server]") {
  const MemoryFileSystem files = workspace();
  LanguageClient client(files);
  client.settings = {{"diagnostics", {{"fallback", true}}}};
  client.initialize();
  client.open("/work/model.py", kSource);
  const json diagnostics =
      client.take("textDocument/publishDiagnostics").back()["params"]["diagnostics"];
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0]["range"]["start"]["line"] == kTopk);
  CHECK(diagnostics[0]["message"] ==
        "430 ns on the CPU in 2 gaps between XNNPACK partitions: 400 ns between #1 and #2, 30.0 ns "
        "between #2 and #3");
}

}  // namespace etlens::fallbacks_test
