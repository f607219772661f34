// SPDX-License-Identifier: Apache-2.0
// What a client sees of a profile, feature by feature; hovers are in hover_test.cc.
#include <catch2/catch.hpp>

#include "tests/support/open_model.h"

namespace etlens::features_test {

using namespace etlens::test;

namespace {

struct Loaded : OpenModel {
  using OpenModel::OpenModel;

  static json at(int line, int character = 8) {
    return {{"textDocument", {{"uri", uri_of(kModelPath)}}},
            {"position", {{"line", line}, {"character", character}}}};
  }
  static json document() { return {{"textDocument", {{"uri", uri_of(kModelPath)}}}}; }
  static json range(int first, int last) {
    json params = document();
    params["range"] = {{"start", {{"line", first}, {"character", 0}}},
                       {"end", {{"line", last}, {"character", 0}}}};
    return params;
  }
  std::map<int, std::string> lenses() {
    std::map<int, std::string> titles;
    for (const json& lens : client.request("textDocument/codeLens", document())) {
      titles[lens["range"]["start"]["line"]] = lens["command"]["title"];
    }
    return titles;
  }
};

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

}  // namespace

TEST_CASE("inlay hints: lines, fused lines, module totals", "[server]") {
  Loaded loaded;
  CHECK(loaded.client.hints(kModelPath) ==
        std::map<int, std::string>{{kUpLine, "Σ 56.0 µs 35% ×2"},
                                   {kUpLine + 1, "Σ 36.0 µs 23% ×2"},
                                   {kUpCallLine, "56.0 µs 35% XNNPACK ×2"},
                                   {kReluLine, "fused → L12"},
                                   {kDownCallLine, "36.0 µs 23% XNNPACK ×2"},
                                   {kBlocksAttributeLine, "Σ 92.0 µs 58%"},
                                   {kHeadAttributeLine, "Σ 40.5 µs 25%"},
                                   {kCallLine, "Σ 92.0 µs 58% ×2"},
                                   {kTopkLine, "9.00 µs 5.7% CPU"},
                                   {kHeadLine, "46.0 µs 29% XNNPACK"}});
}

TEST_CASE("inlay hints: only those of the range, at the ends of their lines", "[server]") {
  Loaded loaded;
  const json hints =
      loaded.client.request("textDocument/inlayHint", Loaded::range(kTopkLine, kTopkLine));
  REQUIRE(hints.size() == 1);
  CHECK(hints[0]["position"] == json{{"line", kTopkLine}, {"character", 38}});
  CHECK(hints[0]["paddingLeft"] == true);
  CHECK_THAT(hints[0]["tooltip"]["value"].get<std::string>(),
             Contains("| `topk` | `(model)` | 9.00\u00A0µs |"));
  CHECK(loaded.client.request("textDocument/inlayHint", Loaded::range(0, 3)).empty());
}

TEST_CASE("inlay hints: a reference is a part with its location, where the client follows",
          "[server]") {
  Loaded loaded;
  const json parts = loaded.client.request("textDocument/inlayHint",
                                           Loaded::range(kReluLine, kReluLine))[0]["label"];
  REQUIRE(parts.is_array());
  CHECK(parts[0] == json{{"value", "fused → "}});
  CHECK(parts[1]["value"] == "L12");
  CHECK(parts[1]["location"]["uri"] == uri_of(kModelPath));
  CHECK(parts[1]["location"]["range"]["start"]["line"] == kUpCallLine);

  json plain = full_capabilities();
  plain["textDocument"].erase("inlayHint");
  Loaded other(nullptr, plain);
  CHECK(other.client.request("textDocument/inlayHint",
                             Loaded::range(kReluLine, kReluLine))[0]["label"] == "fused → L12");
}

TEST_CASE("inlay hints: a client with an events view gets a command on the time", "[server]") {
  json capabilities = full_capabilities();
  capabilities["experimental"]["etlens"]["revealEvents"] = true;
  Loaded loaded(nullptr, capabilities);
  const json label = loaded.client.request("textDocument/inlayHint",
                                           Loaded::range(kTopkLine, kTopkLine))[0]["label"];
  CHECK(label[0]["value"] == "9.00 µs 5.7%");
  CHECK(label[0]["command"]["command"] == "etlens.revealInEvents");
  const json argument = label[0]["command"]["arguments"][0];
  const json jump = loaded.client.request(
      "workspace/executeCommand", {{"command", "etlens.jumpToEvent"}, {"arguments", {argument}}});
  CHECK(jump["range"]["start"]["line"] == kTopkLine);
}

TEST_CASE("inlay hints: settings of threshold, format, unit", "[server]") {
  CHECK(Loaded(json{{"hints", {{"thresholdPercent", 30}}}}).client.hints(kModelPath) ==
        std::map<int, std::string>{{kUpLine, "Σ 56.0 µs 35% ×2"},
                                   {kUpCallLine, "56.0 µs 35% XNNPACK ×2"},
                                   {kReluLine, "fused → L12"},
                                   {kBlocksAttributeLine, "Σ 92.0 µs 58%"},
                                   {kCallLine, "Σ 92.0 µs 58% ×2"},
                                   // Fell back between two delegate calls: always shown.
                                   {kTopkLine, "9.00 µs 5.7% CPU"}});
  CHECK(Loaded(json{{"hints.format", "share"}}).client.hints(kModelPath).at(kHeadLine) == "29%");
  CHECK(Loaded(json{{"hints", {{"format", "time"}}}}).client.hints(kModelPath).at(kHeadLine) ==
        "46.0 µs");
  CHECK(Loaded(json{{"timeUnit", "ms"}}).client.hints(kModelPath).at(kTopkLine) ==
        "0.00900 ms 5.7% CPU");
  CHECK(Loaded(json{{"sourceTimeScale", "us"}}).client.hints(kModelPath).at(kTopkLine) ==
        "9.00 ms 5.7% CPU");
  CHECK(Loaded(json{{"sourceTimeScale", "cycles"}}).client.hints(kModelPath).at(kTopkLine) ==
        "9.00 kcyc 5.7% CPU");
  CHECK(Loaded(json{{"hints.enabled", false}}).client.hints(kModelPath).empty());
}

TEST_CASE("hints follow an edit in the same answer, in every position encoding", "[server]") {
  for (const char* encoding : {"utf-8", "utf-16", "utf-32"}) {
    json capabilities = full_capabilities();
    capabilities["general"]["positionEncodings"] = {encoding};
    MemoryFileSystem files = model_workspace();
    LanguageClient client(files);
    CHECK(client.initialize(capabilities)["capabilities"]["positionEncoding"] == encoding);
    client.open(kModelPath, model_source());
    // Three lines above everything, one of them with characters outside of ASCII.
    client.change(
        kModelPath, 2,
        {{{"range",
           {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 0}, {"character", 0}}}}},
          {"text", "# größer 😀\nx = 1\n\n"}}});
    CHECK(client.hints(kModelPath).at(kHeadLine + 3) == "46.0 µs 29% XNNPACK");
    CHECK(client.hints(kModelPath).at(kReluLine + 3) == "fused → L15");
    // The part behind the emoji replaced, in the client's unit.
    const int after = encoding == std::string("utf-8")    ? 14
                      : encoding == std::string("utf-16") ? 11
                                                          : 10;
    client.change(kModelPath, 3,
                  {{{"range",
                     {{"start", {{"line", 0}, {"character", after}}},
                      {"end", {{"line", 1}, {"character", 5}}}}},
                    {"text", "!"}}});
    CHECK(client.hints(kModelPath).at(kHeadLine + 2) == "46.0 µs 29% XNNPACK");
    // An edited statement keeps its number, and says so.
    client.change(kModelPath, 4,
                  {{{"range",
                     {{"start", {{"line", kTopkLine + 2}, {"character", 36}}},
                      {"end", {{"line", kTopkLine + 2}, {"character", 37}}}}},
                    {"text", "3"}}});
    CHECK(client.hints(kModelPath).at(kTopkLine + 2) == "~9.00 µs 5.7% CPU");
    // The whole text at once.
    client.change(kModelPath, 5, {{{"text", model_source()}}});
    CHECK(client.hints(kModelPath).at(kTopkLine) == "9.00 µs 5.7% CPU");
  }
}

TEST_CASE("an edit that leaves only the function moves the time to its lens", "[server]") {
  Loaded loaded;
  const json line{{"start", {{"line", kTopkLine}, {"character", 0}}},
                  {"end", {{"line", kTopkLine + 1}, {"character", 0}}}};
  loaded.client.change(kModelPath, 2, {{{"range", line}, {"text", ""}}});
  CHECK(loaded.client.hints(kModelPath, kTopkLine, kTopkLine) ==
        std::map<int, std::string>{{kTopkLine, "46.0 µs 29% XNNPACK"}});
  CHECK(loaded.lenses().at(kModelForwardLine) == "9.00 µs in 1 line that changed");
  CHECK(loaded.lenses().at(kModelClassLine) == "147 µs · 92% of the run");
  // Whoever walks the hot lines hears that there is one more.
  const json next =
      loaded.client.request("workspace/executeCommand", {{"command", "etlens.nextHotLine"}});
  CHECK(next["count"] == 3);
  CHECK(next["elsewhere"] == 1);
}

TEST_CASE("what is not in a file any more is said at its top, until it is there again",
          "[server]") {
  Loaded loaded;
  const std::string source = model_source();
  const auto show = [&](int version, const std::string& text) {
    loaded.client.change(kModelPath, version, {{{"text", text}}});
    loaded.client.advance(3000);
    return loaded.lenses();
  };
  CHECK_FALSE(loaded.lenses().contains(0));
  CHECK_THAT(show(2, "import torch\n")[0],
             StartsWith("not in this file any more: 147 µs · 92% of the run, of forward of "));
  CHECK_FALSE(show(3, source).contains(0));
}

TEST_CASE("a file of models without numbers says why, any other file nothing", "[server]") {
  Loaded loaded;
  const auto lenses_of = [&](const std::string& path, const std::string& text) {
    loaded.client.open(path, text);
    return loaded.client.request("textDocument/codeLens",
                                 {{"textDocument", {{"uri", uri_of(path)}}}});
  };
  const json lenses =
      lenses_of("/work/other.py", "import torch\n\nclass Other(torch.nn.Module):\n    pass\n");
  REQUIRE(lenses.size() == 1);
  CHECK(lenses[0]["range"]["start"]["line"] == 2);
  CHECK(lenses[0]["command"]["title"] == "no numbers: model.etrecord has no line of this file");
  CHECK(lenses_of("/work/train.py", "class Trainer:\n    pass\n").empty());
  CHECK(lenses_of("/usr/lib/torch.py", "class Linear(Module):\n    pass\n").empty());
}

TEST_CASE("code lenses: classes and forwards, a click leads to the hottest line inside",
          "[server]") {
  Loaded loaded;
  CHECK(loaded.lenses() ==
        std::map<int, std::string>{{kBlockClassLine, "92.0 µs · 58% of the run · 2 instances"},
                                   {kModelClassLine, "147 µs · 92% of the run"}});
  const json lens = loaded.client.request("textDocument/codeLens", Loaded::document())[1];
  const json target = loaded.client.request(
      "workspace/executeCommand",
      {{"command", lens["command"]["command"]}, {"arguments", lens["command"]["arguments"]}});
  CHECK(target["range"]["start"]["line"] == kHeadLine);  // the hottest of Model.forward itself
  CHECK(loaded.client.take("window/showDocument").back()["params"]["uri"] == uri_of(kModelPath));
  CHECK(Loaded(json{{"codeLens.enabled", false}}).lenses().empty());
}

TEST_CASE("call hierarchy: from a class to its instances, to what they hold, and back",
          "[server]") {
  Loaded loaded;
  const json block =
      loaded.client.request("textDocument/prepareCallHierarchy", Loaded::at(kBlockForwardLine));
  REQUIRE(block.size() == 1);
  CHECK(block[0]["name"] == "Block");
  CHECK(block[0]["detail"] == "92.0 µs 58% · 2 instances");
  CHECK(block[0]["selectionRange"]["start"]["line"] == kBlockClassLine);
  const json instances = loaded.client.request("callHierarchy/outgoingCalls", {{"item", block[0]}});
  REQUIRE(instances.size() == 2);
  CHECK(instances[0]["to"]["name"] == "blocks.0");
  CHECK(instances[0]["to"]["detail"] == "Block · 51.0 µs 32%");
  const json parts =
      loaded.client.request("callHierarchy/outgoingCalls", {{"item", instances[0]["to"]}});
  REQUIRE(parts.size() == 2);
  CHECK(parts[0]["to"]["name"] == "blocks.0.up");
  CHECK(parts[0]["fromRanges"][0]["start"]["line"] == kUpCallLine);
  const json up = loaded.client.request("callHierarchy/incomingCalls", {{"item", parts[0]["to"]}});
  REQUIRE(up.size() == 1);
  CHECK(up[0]["from"]["name"] == "blocks.0");

  const json model =
      loaded.client.request("textDocument/prepareCallHierarchy", Loaded::at(kModelClassLine));
  CHECK(model[0]["name"] == "Model");
  CHECK(loaded.client.request("textDocument/prepareCallHierarchy", Loaded::at(0)).empty());
  json foreign = model[0];
  foreign["data"] = {{"module", "no.such"}};
  CHECK(loaded.client.request("callHierarchy/outgoingCalls", {{"item", foreign}}).empty());
  foreign.erase("data");
  CHECK(loaded.client.request("callHierarchy/incomingCalls", {{"item", foreign}}).empty());
}

TEST_CASE("workspace symbols: operators, events, modules, the best match first", "[server]") {
  Loaded loaded;
  const auto names = [&](const std::string& query) {
    std::vector<std::string> found;
    for (const json& symbol : loaded.client.request("workspace/symbol", {{"query", query}})) {
      found.push_back(symbol["name"].get<std::string>() + "@" +
                      std::to_string(symbol["location"]["range"]["start"]["line"].get<int>()));
    }
    return found;
  };
  CHECK(names("topk") ==
        std::vector<std::string>{"aten.topk.default@25", "native_call_topk.values@25"});
  CHECK(names("BLOCKS.0.up") == std::vector<std::string>{"blocks.0.up@11"});
  CHECK(names("11") == std::vector<std::string>{"11@11"});
  CHECK(names("nothing of that name").empty());
  CHECK(names("").size() > 8);
  const json symbol = loaded.client.request("workspace/symbol", {{"query", "aten.topk"}})[0];
  CHECK(symbol["containerName"] == "operator 9.00 µs 5.7%");
}

TEST_CASE("the lines of a delegate call, for who asks", "[server]") {
  Loaded loaded;
  const auto lines = [](const json& answer) {
    std::vector<int> found;
    for (const json& source : answer["lines"]) {
      CHECK(source["uri"] == uri_of(kModelPath));
      found.push_back(source["current_line"].get<int>() - 1);
    }
    return found;
  };
  const json of_block = loaded.client.request("etlens/delegateLines", Loaded::at(kReluLine));
  CHECK(lines(of_block) == std::vector<int>{kUpCallLine, kReluLine, kDownCallLine});
  CHECK(of_block["partitions"] == json{1});
  CHECK(of_block["message"] == "XNNPACK #1 ran 3 lines");
  // Every line of the group has the same answer.
  for (const int line : {kUpCallLine, kDownCallLine})
    CHECK(loaded.client.request("etlens/delegateLines", Loaded::at(line)) == of_block);
  const json of_head = loaded.client.request("etlens/delegateLines", Loaded::at(kHeadLine));
  CHECK(lines(of_head) == std::vector<int>{kHeadLine});
  CHECK(of_head["message"] == "XNNPACK #2 ran this line alone");
  // The answer follows the text.
  loaded.client.change(kModelPath, 2, {{{"text", "\n" + model_source()}}});
  CHECK(lines(loaded.client.request("etlens/delegateLines", Loaded::at(kReluLine + 1))) ==
        std::vector<int>{kUpCallLine + 1, kReluLine + 1, kDownCallLine + 1});
}

TEST_CASE("a line that no delegate ran says so", "[server]") {
  Loaded loaded;
  for (const int line : {kTopkLine, 0, 10'000}) {
    CHECK(loaded.client.request_error("etlens/delegateLines", Loaded::at(line))["message"] ==
          "no delegate call is known to have run line " + std::to_string(line + 1));
  }
  json elsewhere = Loaded::at(3);
  elsewhere["textDocument"]["uri"] = "file:///work/other.py";
  loaded.client.request_error("etlens/delegateLines", elsewhere);
  MemoryFileSystem nothing;
  LanguageClient client(nothing);
  client.initialize();
  CHECK(client.request_error("etlens/delegateLines", Loaded::at(3))["message"]
            .get<std::string>()
            .find("ETDump") != std::string::npos);
}

TEST_CASE("diagnostics: fallback time, off unless asked for, gone with the document", "[server]") {
  CHECK(Loaded().client.count("textDocument/publishDiagnostics") == 0);
  Loaded loaded(json{{"diagnostics", {{"fallback", true}}}});
  const std::vector<json> published = loaded.client.take("textDocument/publishDiagnostics");
  REQUIRE(published.size() == 1);
  const json params = published[0]["params"];
  CHECK(params["version"] == 1);
  REQUIRE(params["diagnostics"].size() == 1);
  CHECK(params["diagnostics"][0]["message"] ==
        "topk runs on the CPU between two XNNPACK partitions: 9.00 µs + 2 delegate calls");
  CHECK(params["diagnostics"][0]["severity"] == 4);
  // Nothing is published while the user types.
  loaded.client.change(kModelPath, 2, {{{"text", "\n" + model_source()}}});
  CHECK(loaded.client.count("textDocument/publishDiagnostics") == 0);
  loaded.client.notify("textDocument/didSave", Loaded::document());
  CHECK(loaded.client.take("textDocument/publishDiagnostics")[0]["params"]["diagnostics"][0]
                                                             ["range"]["start"]["line"] ==
        kTopkLine + 1);
  loaded.client.notify("textDocument/didClose", Loaded::document());
  CHECK(loaded.client.take("textDocument/publishDiagnostics")[0]["params"]["diagnostics"].empty());
}

TEST_CASE("the edge program: text, nodes, and the way from a node to its source", "[server]") {
  Loaded loaded;
  const json program = loaded.client.request("etlens/edgeProgram");
  const std::string text = program["text"];
  CHECK_THAT(text, Contains("%topk = aten.topk.default()") &&
                       Contains("# 9.00 µs 5.7%  model.py:26  CPU: XNNPACK has no topk."));
  CHECK_THAT(text, Contains("XNNPACK #1 100 µs"));
  CHECK(loaded.client.request("workspace/textDocumentContent", {{"uri", program["uri"]}})["text"] ==
        text);
  bool found = false;
  size_t of_up = 0;
  for (const json& node : program["nodes"]) {
    if (node.value("source", json::object()).value("line", 0) == kUpCallLine + 1) {
      CHECK((node["where"] == "XNNPACK" && node["module"].get<std::string>().ends_with(".up")));
      ++of_up;
    }
    if (node["name"] != "topk") continue;
    CHECK(node["where"] == "");
    CHECK(node["heat"] == 2);
    found = true;
    const json target = loaded.client.request(
        "textDocument/definition", {{"textDocument", {{"uri", program["uri"]}}},
                                    {"position", {{"line", node["line"]}, {"character", 3}}}});
    CHECK(target["uri"] == uri_of(kModelPath));
    CHECK(target["range"]["start"]["line"] == kTopkLine);
  }
  CHECK(found);
  CHECK(of_up > 0);
  CHECK(loaded.client.request("textDocument/definition", Loaded::at(kTopkLine)).is_null());
  CHECK(loaded.client.request_error("workspace/textDocumentContent",
                                    {{"uri", "etlens:/other"}})["code"] == -32602);
  const json shown =
      loaded.client.request("workspace/executeCommand", {{"command", "etlens.showEdgeProgram"}});
  CHECK(shown["text"] == text);
  CHECK(loaded.client.take("window/showDocument").back()["params"]["uri"] == program["uri"]);
}

TEST_CASE("a document that the profile does not know gets empty answers", "[server]") {
  Loaded loaded;
  for (const char* uri :
       {"file:///work/other.py", "untitled:Untitled-1", "file:///elsewhere/model.py", "", "%"}) {
    const json document{{"textDocument", {{"uri", uri}}}};
    json position = document;
    position["position"] = {{"line", 0}, {"character", 0}};
    json range = document;
    range["range"] = {{"start", {{"line", 0}, {"character", 0}}},
                      {"end", {{"line", 9}, {"character", 0}}}};
    CHECK(loaded.client.request("textDocument/inlayHint", range).empty());
    CHECK(loaded.client.request("textDocument/hover", position).is_null());
    CHECK(loaded.client.request("textDocument/codeLens", document).empty());
    CHECK(loaded.client.request("textDocument/prepareCallHierarchy", position).empty());
    CHECK(loaded.client.request("etlens/lineCosts", document)["lines"].empty());
    loaded.client.request_error("etlens/delegateLines", position);
  }
}

}  // namespace etlens::features_test
