// SPDX-License-Identifier: Apache-2.0
// Agent: a client of the Model Context Protocol that exists only in a test.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "mcp/server.h"
#include "tests/support/memory_transport.h"

namespace etlens::test {

class Agent {
 public:
  using json = nlohmann::json;

  explicit Agent(const FileSystem& files, std::vector<std::string> roots = {"/work"},
                 std::string folder = "/work")
      : server_(loop_, transport_, files, log_, options(std::move(roots), std::move(folder))) {
    server_.start();
  }

  // A line of the client's; the loop runs until nothing is left to do.
  void feed(const std::string& line) {
    transport_.feed(lsp::frame(line));
    loop_.run_until_idle();
  }
  void notify(const char* method, const json& params = json::object()) {
    feed(json{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}.dump());
  }
  // The whole answer; null if there was none.
  json request(const char* method, const json& params = json::object()) {
    const int id = ++last_id_;
    feed(json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump());
    for (const json& message : take()) {
      if (message.contains("id") && message["id"] == id && !message.contains("method"))
        return message;
    }
    return nullptr;
  }
  json initialize(const json& capabilities = json::object(),
                  const std::string& version = "2025-11-25") {
    const json answer =
        request("initialize", {{"protocolVersion", version},
                               {"capabilities", capabilities},
                               {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
    notify("notifications/initialized");
    return answer;
  }
  // The result of a call.
  json call(const std::string& tool, const json& arguments = json::object()) {
    return request("tools/call", {{"name", tool}, {"arguments", arguments}})["result"];
  }

  // What the server sent since the last look.
  std::vector<json> take() {
    std::vector<json> messages;
    for (const std::string& text : transport_.take_sent()) messages.push_back(json::parse(text));
    return messages;
  }
  uv::Loop& loop() { return loop_; }
  MemoryTransport& transport() { return transport_; }
  mcp::Server& server() { return server_; }

 private:
  static mcp::ServerOptions options(std::vector<std::string> roots, std::string folder) {
    mcp::ServerOptions options;
    options.roots = std::move(roots);
    options.folder = std::move(folder);
    options.access = {[](std::string_view path) { return std::string(path); }, nullptr};
    return options;
  }

  uv::Loop loop_{uv::Loop::Clock::Manual};
  Log log_;
  MemoryTransport transport_;
  mcp::Server server_;
  int last_id_ = 0;
};

}  // namespace etlens::test
