// SPDX-License-Identifier: Apache-2.0
// Initialize, shutdown, exit; requests at the wrong time; cancellation; traces.
#include <catch2/catch.hpp>

#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"

namespace etlens::lifecycle_test {

using namespace etlens::test;

namespace {

constexpr int kNotInitialized = -32002;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;
constexpr int kCancelled = -32800;

std::string request_frame(int id, const std::string& method, const json& params = json::object()) {
  return lsp::frame(
      json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump());
}

std::string cancel_frame(const json& id) {
  return lsp::frame(
      json{{"jsonrpc", "2.0"}, {"method", "$/cancelRequest"}, {"params", {{"id", id}}}}.dump());
}

}  // namespace

TEST_CASE("the server says what it can do, and in which unit it counts", "[server]") {
  MemoryFileSystem files;
  LanguageClient client(files);
  const json result = client.initialize();
  CHECK(result["serverInfo"] == json{{"name", "etlens"}, {"version", "test"}});
  const json capabilities = result["capabilities"];
  CHECK(capabilities["positionEncoding"] == "utf-16");
  CHECK(capabilities["textDocumentSync"]["change"] == 2);
  for (const char* provider : {"inlayHintProvider", "hoverProvider", "codeLensProvider",
                               "workspaceSymbolProvider", "executeCommandProvider"}) {
    CHECK(capabilities.contains(provider));
  }
  const json registered = client.take("client/registerCapability").at(0)["params"]["registrations"];
  std::set<std::string> methods;
  for (const json& registration : registered)
    methods.insert(registration["method"].get<std::string>());
  CHECK(methods == std::set<std::string>{"workspace/didChangeWatchedFiles",
                                         "workspace/didChangeConfiguration",
                                         "textDocument/definition"});
}

TEST_CASE("the server stands in no other server's place", "[server]") {
  // With what clients ask one server only for, whoever answers keeps the others silent. VS Code
  // also gives up its own search for the word at the cursor, wherever somebody says that it
  // highlights.
  json without_registration = full_capabilities();
  without_registration["textDocument"].erase("definition");
  for (const json& client_capabilities :
       {full_capabilities(), without_registration, json::object()}) {
    MemoryFileSystem files;
    LanguageClient client(files);
    const json result = client.initialize(client_capabilities);
    std::set<std::string> providers;
    for (const auto& [name, value] : result["capabilities"].items()) {
      if (name.ends_with("Provider")) providers.insert(name);
    }
    CHECK(providers == std::set<std::string>{"inlayHintProvider", "hoverProvider",
                                             "codeLensProvider", "workspaceSymbolProvider",
                                             "executeCommandProvider"});
    // The way from the edge program to the source is of our own documents alone.
    for (const json& call : client.take("client/registerCapability")) {
      for (const json& registration : call["params"]["registrations"]) {
        if (registration["method"] != "textDocument/definition") continue;
        CHECK(registration["registerOptions"]["documentSelector"] ==
              json::array({{{"scheme", "etlens"}}}));
      }
    }
  }
}

TEST_CASE("calls are offered to a client that asks every server for them", "[server]") {
  json capabilities = full_capabilities();
  capabilities["experimental"]["etlens"]["callHierarchy"] = true;
  MemoryFileSystem files;
  LanguageClient client(files);
  CHECK(client.initialize(capabilities)["capabilities"]["callHierarchyProvider"] == true);
}

TEST_CASE("a client that says nothing of itself is served", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  const json result = client.request(
      "initialize",
      {{"processId", nullptr}, {"capabilities", json::object()}, {"rootUri", "file:///work"}});
  CHECK(result["capabilities"]["positionEncoding"] == "utf-16");
  client.notify("initialized");
  client.open(kModelPath, model_source());
  CHECK(client.hints(kModelPath).size() == 10);
  // It asked for nothing that the client has not.
  for (const char* method :
       {"client/registerCapability", "workspace/configuration", "workspace/inlayHint/refresh",
        "workspace/codeLens/refresh", "window/workDoneProgress/create", "etlens/profileChanged"}) {
    CHECK(client.count(method) == 0);
  }
}

TEST_CASE("the workspace is where the client says, in each of its ways", "[server]") {
  const auto state_after = [](const json& params) {
    MemoryFileSystem files = model_workspace();
    LanguageClient client(files);
    json all{{"processId", nullptr}, {"capabilities", json::object()}};
    all.update(params);
    client.request("initialize", all);
    client.notify("initialized");
    return client.request("etlens/status")["state"].get<std::string>();
  };
  CHECK(state_after({{"rootPath", "/work"}}) == "ready");
  CHECK(state_after({{"rootUri", "file:///work"}, {"rootPath", "/other"}}) == "ready");
  CHECK(state_after({{"workspaceFolders", {{{"uri", "file:///work"}, {"name", "w"}}}},
                     {"rootUri", nullptr}}) == "ready");
  CHECK(state_after({{"workspaceFolders", {{{"uri", "file:///other"}, {"name", "w"}}}}}) == "none");
  CHECK(state_after({{"rootUri", nullptr}, {"workspaceFolders", nullptr}}) == "none");
}

TEST_CASE("a file without a folder: what lies around it is the workspace", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.request("initialize",
                 {{"processId", nullptr}, {"capabilities", json::object()}, {"rootUri", nullptr}});
  client.notify("initialized");
  CHECK(client.request("etlens/status")["message"].get<std::string>().find("no folder is open") ==
        0);
  client.open(kModelPath, model_source());
  CHECK(client.hints(kModelPath).size() == 10);
}

TEST_CASE("requests before initialize are refused, notifications dropped", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  CHECK(client.request_error("textDocument/hover")["code"] == kNotInitialized);
  CHECK(client.request_error("shutdown")["code"] == kNotInitialized);
  client.open(kModelPath, model_source());
  client.initialize();
  CHECK(client.request_error("initialize")["code"] == kInvalidRequest);
  // The document was not taken in.
  client.change(kModelPath, 2, {{{"text", "x = 1\n"}}});
  CHECK(client.hints(kModelPath).size() == 10);
}

TEST_CASE("after shutdown everything but exit is refused, and the server is silent", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.initialize();
  client.request("shutdown");
  CHECK(client.request_error("textDocument/hover")["code"] == kInvalidRequest);
  CHECK(client.request_error("shutdown")["code"] == kInvalidRequest);
  client.take("workspace/inlayHint/refresh");
  files.put(kDumpPath, model_dump(2));
  client.advance(60'000);
  CHECK(client.count("workspace/inlayHint/refresh") == 0);
  client.notify("exit");
  CHECK(client.server().has_exited());
  CHECK(client.server().exit_status() == 0);
}

TEST_CASE("exit without shutdown, and a client that is gone, end with status 1", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient leaving(files);
  leaving.initialize();
  leaving.notify("exit");
  CHECK(leaving.server().exit_status() == 1);

  LanguageClient early(files);
  early.notify("exit");
  CHECK(early.server().has_exited());
  CHECK(early.server().exit_status() == 1);

  LanguageClient dying(files);
  dying.initialize();
  dying.transport().end();
  CHECK(dying.server().has_exited());
  CHECK(dying.server().exit_status() == 1);

  LanguageClient polite(files);
  polite.initialize();
  polite.request("shutdown");
  polite.transport().end();
  CHECK(polite.server().exit_status() == 0);
}

TEST_CASE("a client that dies while its profile is read", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.answers_requests = false;
  client.transport().feed(request_frame(
      1, "initialize",
      {{"processId", nullptr}, {"rootUri", "file:///work"}, {"capabilities", json::object()}}));
  client.transport().feed(lsp::frame(R"({"jsonrpc":"2.0","method":"initialized","params":{}})"));
  CHECK(client.server().is_loading());
  client.transport().end();
  client.transport().take_sent();
  client.loop().run_until_idle();
  CHECK(client.server().has_exited());
}

TEST_CASE("unknown methods: an error for a request, silence for a notification", "[server]") {
  MemoryFileSystem files;
  LanguageClient client(files);
  client.initialize();
  CHECK(client.request_error("textDocument/completion")["code"] == kMethodNotFound);
  CHECK(client.request_error("$/unknown")["code"] == kMethodNotFound);
  CHECK(client.request_error("")["code"] == kMethodNotFound);
  client.notify("textDocument/unknown");
  client.notify("$/unknown");
  CHECK(client.take_responses().empty());
}

TEST_CASE("bad params are refused with the place of the error", "[server]") {
  MemoryFileSystem files;
  LanguageClient client(files);
  client.initialize();
  const json error = client.request_error(
      "textDocument/hover",
      {{"textDocument", {{"uri", "file:///a"}}}, {"position", {{"line", -1}, {"character", 0}}}});
  CHECK(error["code"] == kInvalidParams);
  CHECK(error["message"] == "/position/line: is not a number from 0 on");
  CHECK(client.request_error("textDocument/hover", json::array())["code"] == kInvalidParams);
  CHECK(client.request_error("workspace/executeCommand", {{"command", "etlens.no"}})["code"] ==
        kInvalidParams);
}

TEST_CASE("a cancellation behind its request in one read is honoured", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.initialize();
  client.take_responses();
  client.feed(request_frame(100, "etlens/status") + request_frame(101, "etlens/status") +
              cancel_frame(100) + cancel_frame(555));
  std::map<int, json> answers;
  for (const json& response : client.take_responses()) answers[response["id"]] = response;
  REQUIRE(answers.size() == 2);
  CHECK(answers[100]["error"]["code"] == kCancelled);
  CHECK(answers[101].contains("result"));
  // Before its request, or after the answer, it means nothing.
  client.feed(cancel_frame(102) + request_frame(102, "etlens/status"));
  client.feed(cancel_frame(102));
  CHECK(client.take_responses().at(0).contains("result"));
  // initialize and shutdown are never cancelled.
  client.feed(request_frame(103, "shutdown") + cancel_frame(103));
  CHECK(client.take_responses().at(0).contains("result"));
}

TEST_CASE("$/setTrace: off, messages, verbose", "[server]") {
  MemoryFileSystem files;
  LanguageClient client(files);
  client.initialize();
  client.request("etlens/status");
  CHECK(client.count("$/logTrace") == 0);
  client.notify("$/setTrace", {{"value", "messages"}});
  client.request("etlens/events", {{"limit", 1}});
  std::vector<json> traces = client.take("$/logTrace");
  REQUIRE(traces.size() >= 1);
  CHECK(traces.back()["params"]["message"].get<std::string>().starts_with(
      "Handled request 'etlens/events - ("));
  CHECK_FALSE(traces.back()["params"].contains("verbose"));
  client.notify("$/setTrace", {{"value", "verbose"}});
  client.take("$/logTrace");
  client.request("etlens/events", {{"limit", 1}});
  CHECK(client.take("$/logTrace").back()["params"]["verbose"] == R"(Params: {"limit":1})");
  client.notify("$/setTrace", {{"value", "off"}});
  client.take("$/logTrace");
  client.request("etlens/status");
  CHECK(client.count("$/logTrace") == 0);
}

TEST_CASE("an id that is in use is refused, the first request is answered", "[server]") {
  MemoryFileSystem files;
  LanguageClient client(files);
  client.initialize();
  // Both in one read: the first is answered before the second comes, so neither is refused.
  client.take_responses();
  client.feed(request_frame(50, "etlens/status") + request_frame(50, "etlens/status"));
  CHECK(client.take_responses().size() == 2);
}

TEST_CASE("exit ends soon although the client reads nothing", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.initialize();
  client.transport().reads = false;
  CHECK(client.finish() == 0);
  CHECK_FALSE(client.loop().has_stopped());
  client.advance(500);
  CHECK(client.loop().has_stopped());
}

}  // namespace etlens::lifecycle_test
