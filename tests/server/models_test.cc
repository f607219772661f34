// SPDX-License-Identifier: Apache-2.0
// A model as its layers make it: where a module is defined, equal delegate calls of repeated layers
// as one row, and the lens that runs the model.
#include <catch2/catch.hpp>

#include "tests/support/golden.h"
#include "tests/support/language_client.h"

namespace etlens::models_test {

using namespace etlens::test;

namespace {

constexpr const char* kSource = R"(from torch import nn


class Block(nn.Module):
    def __init__(self):
        self.up = nn.Linear(4, 4)
        self.act = nn.Sequential(nn.ReLU())

    def forward(self, x):
        x = self.act(self.up(x))
        return x.topk(2)


class Model(nn.Module):
    def __init__(self):
        self.blocks = nn.ModuleList(Block() for _ in range(4))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def helper():
    return 1
)";
constexpr int kBlock = 3, kUp = 5, kAct = 6, kModel = 13, kBlocks = 15;  // 0-based

constexpr const char* kPath = "/work/model.py";

std::string stack_of(int block, const std::string& module, const std::string& type) {
  const std::string path = "blocks." + std::to_string(block);
  std::string text = "L__self__,,model.Model;L__self__" + path + "," + path + ",model.Block";
  if (!module.empty())
    text += ";L__self__" + path + "." + module + "," + path + "." + module + "," + type;
  return text;
}

// Per block a delegate call with a linear and a relu, then a topk on the CPU; the call of the last
// block has the linear alone.
json profile() {
  json nodes = json::array(), execution = json::array(), map = json::object(),
       delegates = json::object();
  const json in_block = json::array({json::array({"model.py", 10, "forward"})});
  for (int block = 0; block < 4; ++block) {
    const int instruction = 2 * block;
    const int handle = 10 * (block + 1);
    const std::string number = std::to_string(block);
    json inside =
        json::array({{{"name", "linear_" + number},
                      {"op", "aten.linear.default"},
                      {"handle", handle},
                      {"at", in_block},
                      {"modules", stack_of(block, "up", "torch.nn.modules.linear.Linear")}}});
    if (block < 3) {
      inside.push_back({{"name", "relu_" + number},
                        {"op", "aten.relu.default"},
                        {"handle", handle + 1},
                        {"at", in_block},
                        {"modules", stack_of(block, "act.0", "torch.nn.modules.activation.ReLU")}});
    }
    nodes.push_back(
        {{"name", "call_" + number}, {"backend", "XnnpackBackend"}, {"lowered", inside}});
    nodes.push_back({{"name", "topk_" + number},
                     {"op", "aten.topk.default"},
                     {"handle", handle + 2},
                     {"at", json::array({json::array({"model.py", 11, "forward"})})},
                     {"modules", stack_of(block, "", "")}});
    execution.push_back({"call", instruction, 1000 + block, json::array()});
    execution.push_back({"op", "topk.values", instruction + 1, 100});
    map[std::to_string(instruction)] = {handle};
    map[std::to_string(instruction + 1)] = {handle + 2};
    delegates[std::to_string(instruction)] = {{"name", "XnnpackBackend"},
                                              {"delegate_map", json::object()}};
  }
  return {{"nodes", nodes},
          {"map", map},
          {"delegates", delegates},
          {"executions", json::array({execution})}};
}

MemoryFileSystem workspace() {
  GoldenProfile golden;
  load_golden({{"profile.json", profile().dump()}, {"model.py", kSource}}, golden);
  REQUIRE(golden.error == "");
  return std::move(golden.files);
}

json able_to_run() {
  json capabilities = full_capabilities();
  capabilities["experimental"]["etlens"]["profileModel"] = true;
  return capabilities;
}

// Line and title of the lenses of a command.
std::map<int, std::string> lenses(LanguageClient& client, const std::string& path) {
  std::map<int, std::string> found;
  for (const json& lens :
       client.request("textDocument/codeLens", {{"textDocument", {{"uri", uri_of(path)}}}})) {
    const std::string command = lens["command"]["command"];
    if (command != "etlens.profileModel" && command != "etlens.runAgain") continue;
    found[lens["range"]["start"]["line"]] = lens["command"]["title"];
    CHECK(lens["command"]["arguments"][0]["uri"] == uri_of(path));
  }
  return found;
}

}  // namespace

TEST_CASE("a module leads to its class, one of a library's class to the attribute that holds it",
          "[server]") {
  const MemoryFileSystem files = workspace();
  LanguageClient client(files);
  client.initialize();
  const auto source = [&](const char* path) {
    const json result = client.request("etlens/moduleSource", {{"path", path}});
    CHECK(result["location"]["uri"] == uri_of(kPath));
    return std::pair(result["kind"].get<std::string>(),
                     result["location"]["range"]["start"]["line"].get<int>());
  };
  CHECK(source("") == std::pair(std::string("class"), kModel));
  CHECK(source("blocks") == std::pair(std::string("attribute"), kBlocks));
  CHECK(source("blocks.1") == std::pair(std::string("class"), kBlock));
  CHECK(source("blocks.1.up") == std::pair(std::string("attribute"), kUp));
  CHECK(source("blocks.1.act.0") == std::pair(std::string("attribute"), kAct));
  // It follows the text.
  client.open(kPath, "# one more\n" + std::string(kSource));
  CHECK(source("blocks.2.up") == std::pair(std::string("attribute"), kUp + 1));
  CHECK(client.request_error("etlens/moduleSource", {{"path", "nothing"}})["message"] ==
        "the profile has no such module");
}

TEST_CASE("equal delegate calls of repeated layers are one row, and fallbacks of one line",
          "[server]") {
  const MemoryFileSystem files = workspace();
  LanguageClient client(files);
  client.initialize();
  const json result = client.request("etlens/partitions");
  REQUIRE(result["partitions"].size() == 4);
  REQUIRE(result["groups"].size() == 2);
  const json& folded = result["groups"][0];
  CHECK(folded["partitions"] == json::array({0, 1, 2}));
  CHECK(folded["module"] == "blocks.0–3");
  // 1000 + 1001 + 1002 ticks of nanoseconds, and as much in ms.
  CHECK(folded["total"]["text"] == "3.00 µs");
  CHECK(folded["total"]["value"].get<double>() == Approx(3003e-6));
  CHECK(result["groups"][1]["partitions"] == json::array({3}));
  CHECK(result["groups"][1]["module"] == "blocks.0–3.up");
  double share = 0;
  for (const json& call : result["partitions"]) share += call["share"].get<double>();
  CHECK(result["delegated_share"].get<double>() == Approx(share));
  // The last topk has no delegate call after it.
  REQUIRE(result["fallbacks"].size() == 3);
  REQUIRE(result["fallback_lines"].size() == 1);
  CHECK(result["fallback_lines"][0]["fallbacks"] == json::array({0, 1, 2}));
  CHECK(result["fallback_lines"][0]["self"]["text"] == "300 ns");
  CHECK(result["fallback_lines"][0]["share"] == result["fallback_share"]);
}

TEST_CASE("the root of the shown record has a lens that runs it again, for clients that can",
          "[server]") {
  const MemoryFileSystem files = workspace();
  LanguageClient client(files);
  client.initialize(able_to_run());
  client.open(kPath, kSource);
  CHECK(lenses(client, kPath) == std::map<int, std::string>{{kModel, "$(run) Run again"}});
  LanguageClient plain(files);
  plain.initialize();
  plain.open(kPath, kSource);
  CHECK(lenses(plain, kPath).empty());
}

TEST_CASE("without a record each model that no class of the file makes has a lens", "[server]") {
  const std::string path = "/work/new.py";
  MemoryFileSystem files;
  files.put(path, kSource);
  LanguageClient client(files);
  client.initialize(able_to_run());
  client.open(path, kSource);
  const std::map<int, std::string> expected{{kModel, "$(run) Profile this model"}};
  CHECK(lenses(client, path) == expected);
  const json models =
      client.request("etlens/models", {{"textDocument", {{"uri", uri_of(path)}}}})["models"];
  REQUIRE(models.size() == 1);
  CHECK(models[0] == json{{"name", "Model"}, {"line", kModel}, {"is_root", false}});
  client.open(
      "/work/sub.py",
      "class Base(nn.Module):\n    pass\n\n\nclass Net(Base):\n    def forward(self, x):\n        return x\n");
  CHECK(lenses(client, "/work/sub.py") ==
        std::map<int, std::string>{{4, "$(run) Profile this model"}});
  // Also a function of autograd has a forward.
  client.open(
      "/work/function.py",
      "class Round(torch.autograd.Function):\n    def forward(ctx, x):\n        return x\n");
  CHECK(lenses(client, "/work/function.py").empty());
  client.open("/work/broken.py", "class Net(nn.Module:\n    def forward(self, x)\n");
  CHECK(lenses(client, "/work/broken.py").empty());
}

}  // namespace etlens::models_test
