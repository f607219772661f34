// SPDX-License-Identifier: Apache-2.0
// Clients that send garbage. Whatever comes, the server lives, and the next good request is
// answered.
#include <catch2/catch.hpp>
#include <random>

#include "server/extensions/methods.h"
#include "server/features/code_action.h"
#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"

namespace etlens::robustness_test {

using namespace etlens::test;

namespace {

std::string nested(size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

}  // namespace

TEST_CASE("garbage on the stream is answered once, and the next request as ever", "[server]") {
  MemoryFileSystem files = model_workspace();
  const std::vector<std::string> all{
      std::string(100'000, 'A'),
      "Content-Length: -1\r\n\r\n",
      "Content-Length: 99999999999999999999999999\r\n\r\n",
      "Content-Length: 4294967295\r\n\r\n{}",
      "Content-Length: 5\r\nContent-Length: 7\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
      lsp::frame("not json"),
      lsp::frame(""),
      lsp::frame("\xFF\xFE\x00"),
      lsp::frame("{\"jsonrpc\":\"2.0\",\"id\":\"\xC3\x28\",\"method\":\"etlens/status\"}"),
      lsp::frame(nested(600)),
      lsp::frame(nested(1'000'000)),
      lsp::frame(R"({"jsonrpc":"2.0","id":900,"method":"etlens/status","params":)" + nested(600) +
                 "}"),
      lsp::frame("[1,2,3]"),
      lsp::frame("null"),
      lsp::frame("42"),
      lsp::frame(R"([{"jsonrpc":"2.0","id":1,"method":"etlens/status"}])"),
      lsp::frame(R"({"jsonrpc":"2.0","id":{},"method":"etlens/status"})"),
      lsp::frame(R"({"jsonrpc":"2.0","id":null,"method":"etlens/status"})"),
      lsp::frame(R"({"jsonrpc":"2.0","method":17})"),
      lsp::frame(R"({"jsonrpc":"2.0","id":901,"result":null})"),
      lsp::frame(R"({"jsonrpc":"2.0","id":"x","error":{"code":"y"}})"),
      lsp::frame(
          R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{}}})"),
      lsp::frame(
          R"({"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///x","version":1},"contentChanges":[{"text":"y"}]}})"),
      lsp::frame(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":[]}})"),
      lsp::frame(R"({"jsonrpc":"2.0","method":"$/cancelRequest"})"),
      std::string("\0\0\0\0", 4),
  };
  for (const std::string& garbage : all) {
    INFO(garbage.substr(0, 100));
    LanguageClient client(files);
    client.initialize();
    client.take_responses();
    client.feed(garbage);
    CHECK(client.take_responses().size() <= 1);
    client.feed("\r\n");
    CHECK(client.request("etlens/status")["state"] == "ready");
  }
}

TEST_CASE("positions and ranges that make no sense", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.initialize();
  client.open(kModelPath, model_source());
  const auto range = [](uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return json{{"start", {{"line", a}, {"character", b}}},
                {"end", {{"line", c}, {"character", d}}}};
  };
  const json document{{"uri", uri_of(kModelPath)}};
  const uint32_t far = UINT32_MAX;
  for (const json& r :
       {range(9, 9, 2, 2), range(far, far, far, far), range(0, far, 0, far), range(0, 0, far, 0)}) {
    client.request("textDocument/inlayHint", {{"textDocument", document}, {"range", r}});
    client.change(kModelPath, 2, {{{"range", r}, {"text", "é"}}});
    CHECK(client
              .request("textDocument/inlayHint",
                       {{"textDocument", document}, {"range", range(0, 0, far, far)}})
              .is_array());
  }
  client.request("textDocument/hover",
                 {{"textDocument", document}, {"position", {{"line", far}, {"character", far}}}});
  client.open(kModelPath, "");  // opened twice
  CHECK(client.hints(kModelPath).empty());
  client.open(kModelPath, model_source());
  CHECK(client.hints(kModelPath).size() == 10);
}

TEST_CASE("arguments of commands that make no sense", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.initialize();
  std::vector<const char*> commands(extensions::kCommands.begin(), extensions::kCommands.end());
  commands.insert(commands.end(), kActionCommands.begin(), kActionCommands.end());
  for (const char* command : commands) {
    for (const json& argument : {json(7), json("x"), json::array(), json::object(),
                                 json{{"event", 1e9}}, json{{"event", -1}}}) {
      client.feed_message({{"jsonrpc", "2.0"},
                           {"id", 77},
                           {"method", "workspace/executeCommand"},
                           {"params", {{"command", command}, {"arguments", {argument}}}}});
      CHECK(client.take_responses().size() == 1);
    }
  }
  CHECK(client.request_error(
            "workspace/executeCommand",
            {{"command", "etlens.jumpToEvent"}, {"arguments", {{{"event", 100000}}}}})["message"] ==
        "the profile has no event 100000");
}

TEST_CASE("a million bytes of noise, seeded, in pieces", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.initialize();
  std::mt19937 random(20261121);
  const std::string good = lsp::frame(R"({"jsonrpc":"2.0","id":5,"method":"etlens/status"})");
  for (int round = 0; round < 1000; ++round) {
    std::string noise(random() % 2000, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    if (round % 3 == 0) noise = good.substr(0, random() % good.size()) + noise;
    client.feed(noise);
    client.take_responses();
  }
  client.feed("\r\n\r\n");
  CHECK(client.request("etlens/status")["state"] == "ready");
}

}  // namespace etlens::robustness_test
