// SPDX-License-Identifier: Apache-2.0
// Server: puts transport, session, loader and features together, and keeps the lifecycle that the
// protocol asks for. Everything here runs on the loop thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "rpc/connection.h"
#include "server/extensions/commands.h"
#include "server/features/features.h"
#include "server/load/dump_totals.h"
#include "server/load/fleet_loader.h"
#include "server/load/load_progress.h"
#include "server/load/program_loader.h"
#include "server/load/study_loader.h"
#include "server/refresher.h"
#include "server/said_once.h"
#include "server/session/session.h"

namespace etlens {

// An answer that a client without lists of its own can give to a question.
struct Offer {
  std::string title;
  std::function<void()> choose;
};

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
  bool has_exited() const { return state_ == State::Exited; }

  // For tests.
  size_t unanswered() const { return connection_.unanswered(); }
  bool is_loading() const {
    return (loader_ && loader_->is_busy()) || (fleets_ && fleets_->is_busy()) ||
           programs_.is_busy() || dump_totals_.is_busy() || session_.source_worker.is_busy();
  }

 private:
  enum class State { Uninitialized, Running, ShutDown, Exited };

  // bindings.cc: the table of methods.
  void bind_features();
  void bind_lists();
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

  // configuration.cc
  void ask_for_settings();
  void take_settings(const lsp::Json& settings);
  void configure_loader();
  void show_measure();
  bool wants_all_values();
  void change_folders(const lsp::WorkspaceFoldersChangeEvent& event);

  // publication.cc
  void make_loader();
  void load_started(const std::string& etdump);
  void publish(std::shared_ptr<const OpenStudy> study);
  void load_unchanged();
  void load_abandoned();
  void load_failed(const Error& error);
  bool is_exported_again(const Error& error) const;
  void wait_for_run(std::string details);
  bool is_growing(const Error& error) const;
  void wait_for_rest(const Error& error);
  void stop_waiting();
  void nothing_found();
  void study_changed();
  void announce();
  void announce_profiles();
  void prepare_texts(size_t first);
  void settle_after_typing();
  bool wait_for_first_study(std::function<void()> answer);
  bool wait_for_source(const lsp::DocumentUri& uri, std::function<void()> answer);
  bool keep_waiting(std::function<void()> answer);
  void make_source_worker();
  void source_looked_at(const lsp::DocumentUri& uri, bool differs);
  void end_work();
  void answer_waiting();
  void publish_diagnostics();
  void publish_diagnostics(const lsp::DocumentUri& uri);
  void tell(lsp::MessageType type, const std::string& message);
  void tell_problem(const std::string& sentence);

  // other_models.cc
  void look_for_other_models();

  // fleet.cc
  void make_fleet_loader();
  void configure_fleet();
  void show_fleet(const FleetLoader::FleetResult& fleet);
  void give_up_fleet();
  Result<lsp::Json> select_fleet(const lsp::Json& argument);
  void offer_fleets();

  // program.cc
  void with_program(ProgramLoader::Done done);

  // commands.cc
  Result<lsp::Json> execute(const lsp::ExecuteCommandParams& params);
  Result<lsp::Json> jump_to_event(const lsp::Json& argument);
  Result<lsp::Json> step_hot_line(const lsp::Json& argument, int step);
  Result<lsp::Json> step_changed_line(const lsp::Json& argument, int step);
  Result<lsp::Json> show_target(const Result<HotLineTarget>& target);
  Result<lsp::Json> show_program();
  void show(const lsp::Location& location);

  // choices.cc
  Result<lsp::Json> select_profile(const lsp::Json& argument);
  Result<lsp::Json> select_method(const lsp::Json& argument);
  Result<lsp::Json> select_statistic(const lsp::Json& argument);
  Result<lsp::Json> select_executions(const lsp::Json& argument);
  Result<lsp::Json> select_baseline(const lsp::Json& argument);
  void offer(std::string question, std::vector<Offer> offers);
  void offer_profiles();
  void offer_methods();
  void offer_statistics();
  void offer_executions();
  Result<lsp::Json> select_measure(const lsp::Json& argument);
  void offer_measures();
  void offer_baselines();

  uv::Loop& loop_;
  Transport& transport_;
  Log& log_;
  ServerOptions options_;
  Connection connection_;
  Session session_;
  Refresher refresher_;
  LoadProgress progress_;
  LoadProgress fleet_progress_;
  std::unique_ptr<StudyLoader> loader_;
  std::unique_ptr<FleetLoader> fleets_;
  ProgramLoader programs_;
  DumpTotals dump_totals_;
  CancelToken other_models_look_;  // of the one that is running

  State state_ = State::Uninitialized;
  int exit_status_ = 1;
  Timer client_timer_;
  Timer settings_timer_;
  Timer flush_timer_;
  Timer reader_timer_;
  Timer texts_timer_;
  Timer typing_timer_;
  Timer receiving_timer_;  // while a file is cut off that may still be copied
  Timer waiting_timer_;
  std::vector<std::function<void()>> waiting_;  // requests of clients that would not ask again
  std::optional<int64_t> client_process_;

  // What the user chose by command; stands above the settings.
  std::optional<extensions::SelectProfileArguments> chosen_profile_;
  std::optional<extensions::SelectMethodArguments> chosen_method_;
  std::optional<Statistic> chosen_statistic_;
  std::optional<std::string> chosen_executions_;
  std::optional<std::string> chosen_measure_;
  bool wants_all_values_ = false;  // the user chose the error of values that are too many otherwise
  std::optional<BaselineSettings> chosen_baseline_;
  std::optional<extensions::SelectFleetArguments> chosen_fleet_;

  SaidOnce said_;                                   // problems that were reported
  std::unordered_set<lsp::DocumentUri> diagnosed_;  // documents with diagnostics of ours
  std::unordered_set<std::string> missed_;  // sources that appeared where none was, looked for once
};

}  // namespace etlens
