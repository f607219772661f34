// SPDX-License-Identifier: Apache-2.0
// What handlers and the loop's callbacks throw: one request fails, the server goes on.
#include "rpc/connection.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "rpc/uv/loop.h"
#include "tests/support/memory_transport.h"

namespace etlens::connection_test {

using nlohmann::json;

TEST_CASE("a request whose handler throws is answered once, with an error", "[rpc]") {
  Log log;
  test::MemoryTransport transport;
  Connection connection(transport, log);
  const auto bind = [&](const char* method, void (*fails)()) {
    connection.on_request<lsp::EmptyParams, lsp::Null>(
        method, [fails](const lsp::EmptyParams&) -> Result<lsp::Null> {
          fails();
          return lsp::Null();
        });
  };
  bind("sound", [] {});
  bind("memory", [] { throw std::bad_alloc(); });
  bind("length", [] { throw std::length_error("too long"); });
  bind("other", [] { throw std::runtime_error("odd"); });
  connection.on_notification<lsp::EmptyParams>(
      "notice", [](const lsp::EmptyParams&) { throw std::length_error("too long"); });
  connection.start([] {});
  int id = 0;
  for (const char* method : {"memory", "length", "other"}) {
    for (const char* next : {method, "sound"}) {
      const json request{{"jsonrpc", "2.0"}, {"id", ++id}, {"method", next}};
      transport.feed(lsp::frame(request.dump()));
      transport.feed(lsp::frame(json{{"jsonrpc", "2.0"}, {"method", "notice"}}.dump()));
      const std::vector<std::string> sent = transport.take_sent();
      REQUIRE(sent.size() == 1);
      const json answer = json::parse(sent.front());
      CHECK(answer["id"] == id);
      CHECK(answer.contains("error") == (next == method));
    }
  }
  CHECK(connection.unanswered() == 0);
}

TEST_CASE("what a callback of the loop throws is told, and the loop goes on", "[rpc]") {
  uv::Loop loop(uv::Loop::Clock::Manual);
  std::vector<std::string> told, done;
  loop.on_exception([&](const std::exception& exception) { told.emplace_back(exception.what()); });
  const Timer bad = loop.after(Delay(1), [] { throw std::runtime_error("a timer"); });
  const Timer good = loop.after(Delay(2), [&] { done.emplace_back("timer"); });
  loop.run_in_background([] { throw std::runtime_error("work"); },
                         [&] { done.emplace_back("after work that threw"); });
  loop.run_in_background([] {}, [] { throw std::runtime_error("a result"); });
  loop.run_in_background([] {}, [&] { done.emplace_back("result"); });
  loop.advance(Delay(10));
  std::sort(told.begin(), told.end());
  CHECK(told == std::vector<std::string>{"a result", "a timer"});
  CHECK(done.size() == 3);
}

}  // namespace etlens::connection_test
