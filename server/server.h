// SPDX-License-Identifier: Apache-2.0
// Server: puts transport, session, workers and features together, and keeps the lifecycle that the
// protocol asks for. Everything here runs on the loop thread.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>

#include "server/load_status.h"
#include "server/publisher.h"
#include "server/user_choices.h"
#include "server/workers.h"

namespace etlens {

struct ServerOptions {
  Timing timing;
  StudyLoader::Watching watching = StudyLoader::Watching::Folders;
  std::string version;
  std::optional<int64_t> client_process = {};  // known before the client says it
};

class Server {
 public:
  Server(uv::Loop& loop, Transport& transport, const FileSystem& files, Log& log,
         ServerOptions options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Then run the loop; it is stopped when the client says exit, or has gone.
  void start();
  // 0 if the client asked for the end in the right order, else 1.
  int exit_status() const { return exit_status_; }
  bool has_exited() const { return base_.lifecycle == Lifecycle::Exited; }

  // For tests.
  size_t unanswered() const { return connection_.unanswered(); }
  bool is_loading() const { return workers_.is_busy(); }

 private:
  // bindings.cc: the table of methods.
  void bind_features();
  void bind_lists();
  void bind_graph();
  void bind_report();
  void bind_documents();
  void bind_workspace();
  void bind_lifecycle();

  std::optional<lsp::ResponseError> gate(std::string_view method) const;
  lsp::InitializeResult initialize(const lsp::InitializeParams& params);
  void initialized();
  void register_capabilities();
  void exit();
  void watch_client(std::optional<int64_t> process);
  void check_client();
  void wait_for_reader(size_t unsent);
  void settle_after_typing();

  // configuration.cc
  void ask_for_settings();
  void take_settings(const lsp::Json& settings);
  void configure_loader();
  void configure_fleet();
  void apply_choices();
  void change_folders(const lsp::WorkspaceFoldersChangeEvent& event);

  // commands.cc
  Result<lsp::Json> execute(const lsp::ExecuteCommandParams& params);

  Transport& transport_;
  ServerOptions options_;
  Connection connection_;
  Session session_;
  ServerBase base_;
  Publisher publisher_;
  LoadStatus load_status_;
  UserChoices choices_;

  int exit_status_ = 1;
  Timer client_timer_;
  Timer settings_timer_;
  Timer flush_timer_;
  Timer reader_timer_;
  Timer typing_timer_;
  std::optional<int64_t> client_process_;
  std::unordered_set<std::string> missed_;  // sources that appeared where none was, looked for once
  Workers workers_;                         // ends first
};

}  // namespace etlens
