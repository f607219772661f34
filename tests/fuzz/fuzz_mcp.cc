// SPDX-License-Identifier: Apache-2.0
// Lines, each a message -> a whole server of the Model Context Protocol over a model. Every request
// is answered or was taken back, and every answer is JSON.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "tests/support/agent.h"
#include "tests/support/server_workspace.h"

namespace {

using namespace etlens;
using namespace etlens::test;

constexpr size_t kMaxLines = 50;

void check_sent(MemoryTransport& transport) {
  for (const std::string& text : transport.take_sent()) {
    if (nlohmann::json::parse(text, nullptr, false).is_discarded()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const MemoryFileSystem kFiles = model_workspace();
  Agent agent(kFiles);
  agent.initialize();
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  for (size_t line = 0; line < kMaxLines && !rest.empty(); ++line) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    agent.feed(std::string(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    check_sent(agent.transport());
  }
  if (agent.server().unanswered() > 0) std::abort();
  return 0;
}
