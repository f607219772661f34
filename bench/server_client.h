// SPDX-License-Identifier: Apache-2.0
// ServerClient: a whole language server with a client in one process, bytes in and messages out, on
// a clock that stands still.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "bench/synthetic.h"
#include "core/base/file_system.h"
#include "protocol/feature_types.h"
#include "protocol/framing.h"
#include "server/server.h"

namespace etlens::bench {

// Keeps the last message that was sent, and does for each what a stream does: writes its frame.
class LastMessage final : public Transport {
 public:
  void start(Handlers handlers) override { handlers_ = std::move(handlers); }
  void send(std::string json) override {
    frame_ = lsp::frame(json);
    last_ = std::move(json);
  }
  void close(std::function<void()> on_flushed) override { on_flushed(); }
  size_t unsent() const override { return 0; }

  void feed(std::string_view bytes) {
    reader_.push(bytes);
    std::vector<lsp::Frame> frames;
    while (auto frame = reader_.pull()) frames.push_back(std::move(*frame));
    handlers_.on_frames(std::move(frames));
  }
  const std::string& last() const { return last_; }

 private:
  Handlers handlers_;
  lsp::FrameReader reader_;
  std::string last_;
  std::string frame_;
};

class ServerClient {
 public:
  // Opens the source of the artifacts; every line with time has a hint.
  explicit ServerClient(const SyntheticFiles& files)
      : server_(loop_, transport_, real_file_system(), log_, options()),
        uri_(lsp::DocumentUri::from_path(files.source).string()),
        text_(read(files.source)) {
    server_.start();
    const lsp::Json capabilities = lsp::Json::parse(
        R"({"workspace": {"inlayHint": {"refreshSupport": true}, "codeLens": {"refreshSupport": true}},
            "textDocument": {"hover": {"contentFormat": ["markdown"]},
            "inlayHint": {"resolveSupport": {"properties": ["label.location"]}}}})");
    request("initialize", {{"processId", nullptr},
                           {"rootUri", lsp::DocumentUri::from_path(files.folder).string()},
                           {"capabilities", capabilities},
                           {"initializationOptions", {{"hints", {{"thresholdPercent", 0}}}}}});
    notify("initialized", lsp::Json::object());
    loop_.advance(Delay(2000));
    const lsp::Json document{
        {"uri", uri_}, {"languageId", "python"}, {"version", 1}, {"text", text_}};
    notify("textDocument/didOpen", {{"textDocument", document}});
  }

  // A message's bytes.
  static std::string frame(lsp::Json message) {
    message["jsonrpc"] = "2.0";
    return lsp::frame(message.dump());
  }
  void feed(std::string_view bytes) { transport_.feed(bytes); }
  void request(const char* method, const lsp::Json& params) {
    feed(frame({{"id", next_id()}, {"method", method}, {"params", params}}));
  }
  void notify(const char* method, const lsp::Json& params) {
    feed(frame({{"method", method}, {"params", params}}));
    loop_.run_until_idle();
  }

  lsp::Json document() const { return {{"uri", uri_}}; }
  lsp::Json hint_params(uint32_t first, uint32_t last) const {
    return {{"textDocument", document()},
            {"range",
             {{"start", {{"line", first}, {"character", 0}}},
              {"end", {{"line", last}, {"character", 0}}}}}};
  }
  // Of a change between two positions.
  lsp::Json change_params(const lsp::Json& start, const lsp::Json& end, std::string_view text) {
    const lsp::Json change{{"range", {{"start", start}, {"end", end}}}, {"text", text}};
    return {{"textDocument", {{"uri", uri_}, {"version", ++version_}}},
            {"contentChanges", lsp::Json::array({change})}};
  }

  const std::string& last() const { return transport_.last(); }
  const std::string& text() const { return text_; }
  int32_t next_id() { return ++id_; }
  int32_t last_id() const { return id_; }
  uv::Loop& loop() { return loop_; }

 private:
  static ServerOptions options() {
    ServerOptions options;
    options.watching = StudyLoader::Watching::ByClientOnly;
    options.timing.client_check = Delay(0);
    return options;
  }
  static std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  uv::Loop loop_{uv::Loop::Clock::Manual};
  Log log_;
  LastMessage transport_;
  Server server_;
  std::string uri_;
  std::string text_;
  int32_t id_ = 0;
  int32_t version_ = 1;
};

}  // namespace etlens::bench
