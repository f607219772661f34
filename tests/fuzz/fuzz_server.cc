// SPDX-License-Identifier: Apache-2.0
// Lines, each the text of one message -> a whole server that shows a profile. Every request is
// answered, and every answer is JSON.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "protocol/framing.h"
#include "server/server.h"
#include "tests/support/memory_transport.h"
#include "tests/support/server_workspace.h"

namespace {

using namespace etlens;
using namespace etlens::test;

constexpr const char* kInitialize =
    R"({"jsonrpc":"2.0","id":"start","method":"initialize","params":{"processId":null,"rootUri":"file:///work",
    "capabilities":{"window":{"workDoneProgress":true},"workspace":{"configuration":true,
    "inlayHint":{"refreshSupport":true},"codeLens":{"refreshSupport":true}},
    "textDocument":{"hover":{"contentFormat":["markdown"]},
    "inlayHint":{"resolveSupport":{"properties":["label.location"]}}}}}})";
constexpr const char* kInitialized = R"({"jsonrpc":"2.0","method":"initialized","params":{}})";
constexpr size_t kMaxLines = 200;

void check_sent(MemoryTransport& transport) {
  for (const std::string& text : transport.take_sent()) {
    if (nlohmann::json::parse(text, nullptr, false).is_discarded()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const MemoryFileSystem kFiles = model_workspace();
  uv::Loop loop(uv::Loop::Clock::Manual);
  Log log;
  MemoryTransport transport;
  ServerOptions options;
  options.watching = StudyLoader::Watching::ByClientOnly;
  options.timing.client_check = Delay(0);
  Server server(loop, transport, kFiles, log, options);
  server.start();
  transport.feed(lsp::frame(kInitialize));
  transport.feed(lsp::frame(kInitialized));
  loop.run_until_idle();
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  for (size_t line = 0; line < kMaxLines && !rest.empty(); ++line) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    transport.feed(lsp::frame(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    loop.run_until_idle();
    check_sent(transport);
  }
  loop.advance(Delay(1000));
  check_sent(transport);
  if (!server.has_exited() && server.unanswered() > 0) std::abort();
  return 0;
}
