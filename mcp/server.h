// SPDX-License-Identifier: Apache-2.0
// The server of the Model Context Protocol: what agents ask, answered with facts. It reads, and
// only below its roots.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mcp/calls.h"
#include "mcp/era.h"
#include "rpc/connection.h"
#include "rpc/log.h"
#include "rpc/transport.h"
#include "rpc/uv/loop.h"

namespace etlens::mcp {

struct ServerOptions {
  std::string version = "test";
  std::vector<std::string> roots;  // that the user named; else the client's, else `folder`
  std::string folder;              // the working folder
  Delay roots_wait{5000};          // for a client to say its roots
  Delay flush_pause{400};          // that has gone and reads nothing for so long reads no more
  RootAccess access;
};

class Server {
 public:
  // All must outlive the server.
  Server(uv::Loop& loop, Transport& transport, const FileSystem& files, Log& log,
         ServerOptions options);

  void start();
  size_t unanswered() const { return connection_.unanswered(); }
  bool has_exited() const { return has_exited_; }

 private:
  using Handler = std::function<void(const lsp::Json& params, Era era, ReplyOnce reply)>;
  void bind(const char* method, Handler handler);
  void bind_lifecycle();
  void bind_lists();

  void initialize(const lsp::Json& params, ReplyOnce reply);
  void call_tool(const lsp::Json& params, Era era, ReplyOnce reply);
  void list_tools(const lsp::Json& params, Era era, ReplyOnce reply);
  void need_roots(Era era);
  void ask_for_roots();
  void take_roots(const Result<lsp::Json>& answer);
  void use_folder();
  void exit();
  void wait_for_reader(size_t unsent);

  uv::Loop& loop_;
  Transport& transport_;
  ServerOptions options_;
  Connection connection_;
  Calls calls_;
  bool has_session_ = false;
  bool client_has_roots_ = false;
  bool has_roots_ = false;
  bool has_exited_ = false;
  Timer roots_timer_;
  Timer flush_timer_;
};

}  // namespace etlens::mcp
