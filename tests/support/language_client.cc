// SPDX-License-Identifier: Apache-2.0
#include "tests/support/language_client.h"

#include <catch2/catch.hpp>
#include <cstdlib>

namespace etlens::test {
namespace {

ServerOptions options_with(Timing timing) {
  ServerOptions options;
  options.timing = timing;
  options.timing.client_check = Delay(0);
  // What is looked at in the background, and when, must not depend on how fast the machine is.
  options.timing.scan_share = 0;
  if (timing.at_once == Timing().at_once) options.timing.at_once = std::chrono::minutes(1);
  options.watching = StudyLoader::Watching::ByClientOnly;
  options.version = "test";
  return options;
}

}  // namespace

json full_capabilities() {
  return json::parse(R"({
    "general": {"positionEncodings": ["utf-16"]},
    "window": {"workDoneProgress": true, "showDocument": {"support": true}},
    "workspace": {
      "configuration": true, "workspaceFolders": true,
      "inlayHint": {"refreshSupport": true}, "codeLens": {"refreshSupport": true},
      "didChangeConfiguration": {"dynamicRegistration": true},
      "didChangeWatchedFiles": {"dynamicRegistration": true, "relativePatternSupport": true},
      "textDocumentContent": {"dynamicRegistration": true}
    },
    "textDocument": {
      "hover": {"contentFormat": ["markdown", "plaintext"]},
      "inlayHint": {"resolveSupport": {"properties": ["label.location", "label.command"]}},
      "definition": {"dynamicRegistration": true},
      "publishDiagnostics": {"versionSupport": true, "relatedInformation": true}
    }
  })");
}

LanguageClient::LanguageClient(const FileSystem& files, Timing timing)
    : server_(loop_, transport_, files, log_, options_with(timing)) {
  if (const char* folder = std::getenv("ETLENS_RECORD_DIR")) {
    static int sessions = 0;
    const std::string path =
        std::string(folder) + "/session-" + std::to_string(++sessions) + ".jsonl";
    record_ = std::fopen(path.c_str(), "w");
    REQUIRE(record_ != nullptr);
    transport_.on_message = [this](char direction, const std::string& text) {
      record(direction, text);
    };
  }
  server_.start();
}

LanguageClient::~LanguageClient() {
  loop_.run_until_idle();
  drain();
  CHECK(open_.empty());
  if (record_ != nullptr) std::fclose(record_);
}

// One line per message; what is no JSON object is not the protocol's.
void LanguageClient::record(char direction, const std::string& text) {
  const json message = json::parse(text, nullptr, false);
  if (message.is_object())
    std::fprintf(record_, "%c %s\n", direction,
                 direction == '<' ? text.c_str() : message.dump().c_str());
}

json LanguageClient::initialize(const json& capabilities, const json& options) {
  json params{{"processId", nullptr},
              {"rootUri", uri_of(workspace)},
              {"capabilities", capabilities},
              {"workspaceFolders", {{{"uri", uri_of(workspace)}, {"name", "work"}}}}};
  if (!options.is_null()) params["initializationOptions"] = options;
  json result = request("initialize", params);
  notify("initialized");
  return result;
}

void LanguageClient::feed(std::string_view bytes) {
  // Every request among the bytes must be answered.
  reader_.push(bytes);
  while (auto frame = reader_.pull()) {
    if (!*frame) continue;
    const lsp::Message message = lsp::parse_message(**frame);
    std::optional<lsp::RequestId> id;
    if (const auto* request = std::get_if<lsp::Request>(&message)) id = request->id;
    if (const auto* malformed = std::get_if<lsp::Malformed>(&message)) id = malformed->id;
    if (id && transport_.is_open()) ++open_[lsp::to_text(*id)];
  }
  if (call_through) call_through([&] { transport_.feed(bytes); });
  else transport_.feed(bytes);
  drain();
  loop_.run_until_idle();
  drain();
}

void LanguageClient::drain() {
  std::vector<std::string> sent = transport_.take_sent();
  while (!sent.empty()) {
    std::vector<json> to_answer;
    for (const std::string& text : sent) {
      json message = json::parse(text, nullptr, false);
      INFO(text);
      REQUIRE_FALSE(message.is_discarded());
      if (message.contains("method")) {
        if (message.contains("id") && answers_requests) to_answer.push_back(message);
        received_.push_back(std::move(message));
        continue;
      }
      if (!message["id"].is_null()) {
        const auto open = open_.find(message["id"].dump());
        REQUIRE(open != open_.end());  // an answer that nobody waits for, or a second one
        if (--open->second == 0) open_.erase(open);
      }
      responses_.push_back(std::move(message));
    }
    for (const json& asked : to_answer) {
      json result;
      if (asked["method"] == "workspace/configuration") result = json::array({settings});
      if (answers.contains(asked["method"])) result = answers[asked["method"]];
      const json answer{{"jsonrpc", "2.0"}, {"id", asked["id"]}, {"result", result}};
      transport_.feed(lsp::frame(answer.dump()));
    }
    sent = transport_.take_sent();
  }
}

json LanguageClient::response_of(int id) {
  for (auto at = responses_.begin(); at != responses_.end(); ++at) {
    if ((*at)["id"] != id) continue;
    json response = std::move(*at);
    responses_.erase(at);
    return response;
  }
  FAIL("no answer to request " << id);
  return nullptr;
}

json LanguageClient::request(const std::string& method, const json& params) {
  const int id = ++next_id_;
  feed_message({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
  const json response = response_of(id);
  INFO(method << " " << response.dump());
  REQUIRE_FALSE(response.contains("error"));
  return response["result"];
}

json LanguageClient::request_error(const std::string& method, const json& params) {
  const int id = ++next_id_;
  feed_message({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
  const json response = response_of(id);
  INFO(method << " " << response.dump());
  REQUIRE(response.contains("error"));
  return response["error"];
}

void LanguageClient::notify(const std::string& method, const json& params) {
  feed_message({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
}

void LanguageClient::open(const std::string& path, const std::string& text, int version) {
  notify(
      "textDocument/didOpen",
      {{"textDocument",
        {{"uri", uri_of(path)}, {"languageId", "python"}, {"version", version}, {"text", text}}}});
}

void LanguageClient::change(const std::string& path, int version, const json& changes) {
  notify("textDocument/didChange", {{"textDocument", {{"uri", uri_of(path)}, {"version", version}}},
                                    {"contentChanges", changes}});
}

int LanguageClient::finish() {
  request("shutdown");
  notify("exit");
  return server_.exit_status();
}

void LanguageClient::advance(int milliseconds) {
  loop_.advance(Delay(milliseconds));
  drain();
  loop_.run_until_idle();
  drain();
}

std::vector<json> LanguageClient::take(const std::string& method) {
  std::vector<json> taken;
  std::vector<json> left;
  for (json& message : received_)
    (message["method"] == method ? taken : left).push_back(std::move(message));
  received_ = std::move(left);
  return taken;
}

size_t LanguageClient::count(const std::string& method) const {
  return static_cast<size_t>(
      std::count_if(received_.begin(), received_.end(),
                    [&](const json& message) { return message["method"] == method; }));
}

std::map<int, std::string> LanguageClient::hints(const std::string& path, int first, int last) {
  const json result =
      request("textDocument/inlayHint", {{"textDocument", {{"uri", uri_of(path)}}},
                                         {"range",
                                          {{"start", {{"line", first}, {"character", 0}}},
                                           {"end", {{"line", last}, {"character", 0}}}}}});
  std::map<int, std::string> texts;
  for (const json& hint : result) texts[hint["position"]["line"]] = label_of(hint);
  return texts;
}

std::string uri_of(const std::string& path) { return lsp::DocumentUri::from_path(path).string(); }

std::string label_of(const json& hint) {
  if (hint["label"].is_string()) return hint["label"];
  std::string text;
  for (const json& part : hint["label"]) text += part["value"].get<std::string>();
  return text;
}

}  // namespace etlens::test
