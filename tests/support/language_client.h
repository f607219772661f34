// SPDX-License-Identifier: Apache-2.0
// LanguageClient: a whole server with a client, in one process, on a clock that stands still.
// Checks on its way that every request is answered exactly once. With ETLENS_RECORD_DIR set, every
// session is written there, so that its messages can be checked against the protocol's own
// definition.
#pragma once

#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/base/file_system.h"
#include "rpc/log.h"
#include "rpc/uv/loop.h"
#include "server/server.h"
#include "tests/support/memory_transport.h"

namespace etlens::test {

using nlohmann::json;

// Capabilities of a client that can do everything, in UTF-16.
json full_capabilities();

class LanguageClient {
 public:
  explicit LanguageClient(const FileSystem& files, Timing timing = {});
  ~LanguageClient();

  std::string workspace = "/work";  // the folder that initialize() names
  // initialize and initialized, with the workspace folder.
  json initialize(const json& capabilities = full_capabilities(), const json& options = nullptr);
  // The result; fails the test if the answer is an error.
  json request(const std::string& method, const json& params = json::object());
  // A list of the result.
  json request_list(const std::string& method, const char* list,
                    const json& params = json::object()) {
    return request(method, params)[list];
  }
  // The error; fails the test if there is none.
  json request_error(const std::string& method, const json& params = json::object());
  void notify(const std::string& method, const json& params = json::object());
  void open(const std::string& path, const std::string& text, int version = 1);
  void change(const std::string& path, int version, const json& changes);
  // Asks for the end in the right order; the exit status.
  int finish();

  // Bytes, as they are. What comes back is taken in.
  void feed(std::string_view bytes);
  void feed_message(const json& message) { feed(lsp::frame(message.dump())); }
  void advance(int milliseconds);

  // Notifications and requests of the server that were not looked at yet, by method; they are
  // taken.
  std::vector<json> take(const std::string& method);
  size_t count(const std::string& method) const;
  // Answers to the server's requests; the default is null, and the settings for
  // workspace/configuration.
  json settings = nullptr;
  bool answers_requests = true;
  // Calls what handles the bytes that feed() brings.
  std::function<void(const std::function<void()>&)> call_through;
  std::map<std::string, json> answers;
  // Responses that no call of request() waited for: those of feed().
  std::vector<json> take_responses() { return std::exchange(responses_, {}); }
  // The hint's text by 0-based line.
  std::map<int, std::string> hints(const std::string& path, int first = 0, int last = 100000);

  Server& server() { return server_; }
  uv::Loop& loop() { return loop_; }
  MemoryTransport& transport() { return transport_; }

 private:
  void drain();
  json response_of(int id);
  void record(char direction, const std::string& text);

  uv::Loop loop_{uv::Loop::Clock::Manual};
  Log log_;
  MemoryTransport transport_;
  Server server_;
  lsp::FrameReader reader_;  // sees what the server sees
  int next_id_ = 0;
  std::map<std::string, int> open_;  // ids of requests, as text, and how often each is open
  std::vector<json> received_;
  std::vector<json> responses_;
  std::FILE* record_ = nullptr;
};

std::string uri_of(const std::string& path);
// A hint's text, whether it is a string or parts.
std::string label_of(const json& hint);

}  // namespace etlens::test
