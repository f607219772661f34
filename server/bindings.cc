// SPDX-License-Identifier: Apache-2.0
// Server: the table of methods. Every method that etlens answers or listens to is on this page.
#include "core/base/path.h"
#include "server/extensions/methods.h"
#include "server/features/features.h"
#include "server/server.h"

namespace etlens {

using lsp::EmptyParams;
using lsp::Json;

void Server::bind_lifecycle() {
  connection_.on_request<lsp::InitializeParams, lsp::InitializeResult>(
      "initialize", [this](const lsp::InitializeParams& params) { return initialize(params); });
  connection_.on_notification<EmptyParams>("initialized",
                                           [this](const EmptyParams&) { initialized(); });
  connection_.on_request<EmptyParams, lsp::Null>("shutdown", [this](const EmptyParams&) {
    answer_waiting();
    state_ = State::ShutDown;
    end_work();
    progress_.end();
    fleet_progress_.end();
    return lsp::Null();
  });
  connection_.on_notification<EmptyParams>("exit", [this](const EmptyParams&) { exit(); });
  connection_.on_notification<lsp::SetTraceParams>(
      "$/setTrace",
      [this](const lsp::SetTraceParams& params) { connection_.set_trace(params.value); });
  connection_.on_notification<lsp::WorkDoneProgressParams>(
      "window/workDoneProgress/cancel", [this](const lsp::WorkDoneProgressParams& params) {
        if (progress_.is_current(params.token)) loader_->cancel();
        if (fleet_progress_.is_current(params.token)) give_up_fleet();
      });
}

void Server::bind_documents() {
  connection_.on_notification<lsp::DidOpenTextDocumentParams>(
      "textDocument/didOpen", [this](const lsp::DidOpenTextDocumentParams& params) {
        session_.documents.open(params.textDocument);
        const lsp::DocumentUri& uri = params.textDocument.uri;
        if (session_.roots.empty() && uri.is_file()) {
          // A file without a folder: what lies around it is the workspace.
          session_.roots.emplace_back(parent_path(uri.path()));
          configure_loader();
        } else if (uri.is_file() && session_.sources.is_missed(uri.path()) &&
                   missed_.insert(uri.path()).second) {
          loader_->reload();
        }
        publish_diagnostics(uri);
      });
  connection_.on_notification<lsp::DidChangeTextDocumentParams>(
      "textDocument/didChange", [this](const lsp::DidChangeTextDocumentParams& params) {
        if (session_.documents.change(params) == nullptr) {
          log_.warning("a change of a document that is not open: " +
                       params.textDocument.uri.string());
        }
      });
  connection_.on_notification<lsp::DocumentParams>(
      "textDocument/didSave",
      [this](const lsp::DocumentParams& params) { publish_diagnostics(params.textDocument.uri); });
  connection_.on_notification<lsp::DocumentParams>(
      "textDocument/didClose", [this](const lsp::DocumentParams& params) {
        const lsp::DocumentUri& uri = params.textDocument.uri;
        session_.documents.close(uri);
        session_.forget(uri);
        if (diagnosed_.erase(uri) > 0) {
          connection_.notify("textDocument/publishDiagnostics",
                             lsp::PublishDiagnosticsParams{uri, std::nullopt, {}});
        }
      });
}

void Server::bind_workspace() {
  connection_.on_notification<lsp::DidChangeConfigurationParams>(
      "workspace/didChangeConfiguration", [this](const lsp::DidChangeConfigurationParams& params) {
        if (session_.client.configuration) {
          ask_for_settings();
        } else if (params.settings) {
          take_settings(*params.settings);
          configure_loader();
        }
      });
  connection_.on_notification<lsp::DidChangeWorkspaceFoldersParams>(
      "workspace/didChangeWorkspaceFolders",
      [this](const lsp::DidChangeWorkspaceFoldersParams& params) { change_folders(params.event); });
  connection_.on_notification<lsp::DidChangeWatchedFilesParams>(
      "workspace/didChangeWatchedFiles", [this](const lsp::DidChangeWatchedFilesParams& params) {
        for (const lsp::FileEvent& event : params.changes) {
          if (event.uri.is_file()) loader_->changed(event.uri.path());
        }
      });
  connection_.on_request<lsp::ExecuteCommandParams, Json>(
      "workspace/executeCommand",
      [this](const lsp::ExecuteCommandParams& params) { return execute(params); });
}

void Server::bind_features() {
  // Params, result, method, function.
  const auto bind = [this]<typename Params, typename R>(const char* method,
                                                        R (*function)(Session&, const Params&)) {
    connection_.on_request<Params, R>(
        method, [this, function](const Params& params) { return function(session_, params); });
  };
  const auto bind_first = [this]<typename Params, typename R>(
                              const char* method, bool ClientCapabilities::*refresh,
                              R (*function)(Session&, const Params&)) {
    connection_.on_later_request<Params, R>(
        method, [this, refresh, function](const Params& params, Reply<R> reply) {
          const auto kept = std::make_shared<Reply<R>>(std::move(reply));
          const auto answer = [this, function, params, kept] {
            (*kept)(function(session_, params));
            if (!session_.sources.is_settled()) settle_after_typing();
          };
          const bool waits =
              !(session_.client.*refresh) &&
              (wait_for_first_study(answer) || wait_for_source(params.textDocument.uri, answer));
          if (!waits) answer();
        });
  };
  bind_first("textDocument/inlayHint", &ClientCapabilities::hint_refresh, &inlay_hints);
  bind("textDocument/hover", &hover);
  bind_first("textDocument/codeLens", &ClientCapabilities::lens_refresh, &code_lenses);
  bind("textDocument/definition", &definition);
  bind("textDocument/prepareCallHierarchy", &prepare_call_hierarchy);
  bind("callHierarchy/incomingCalls", &incoming_calls);
  bind("callHierarchy/outgoingCalls", &outgoing_calls);
  bind("workspace/symbol", &workspace_symbols);
  connection_.on_request<lsp::TextDocumentContentParams, lsp::TextDocumentContentResult>(
      "workspace/textDocumentContent", [this](const lsp::TextDocumentContentParams& params) {
        return provided_document(session_, params);
      });
}

void Server::bind_lists() {
  const auto bind = [this]<typename R>(std::string_view method, R (*function)(Session&)) {
    connection_.on_request<EmptyParams, R>(
        std::string(method), [this, function](const EmptyParams&) { return function(session_); });
  };
  bind(extensions::kStatus, &status);
  bind(extensions::kModules, &list_modules);
  bind(extensions::kChanges, &list_changes);
  bind(extensions::kPartitions, &list_partitions);
  bind(extensions::kAdvice, &list_advice);
  bind(extensions::kEdgeProgram, &show_edge_program);
  connection_.on_request<extensions::EventsParams, extensions::EventsResult>(
      std::string(extensions::kEvents),
      [this](const extensions::EventsParams& params) { return list_events(session_, params); });
  connection_.on_request<extensions::EventTableParams, extensions::EventTableResult>(
      std::string(extensions::kEventTable), [this](const extensions::EventTableParams& params) {
        return tabulate_events(session_, params);
      });
  connection_.on_request<extensions::FlameGraphParams, extensions::FlameGraphResult>(
      std::string(extensions::kFlameGraph), [this](const extensions::FlameGraphParams& params) {
        return draw_flame_graph(session_, params);
      });
  connection_.on_request<extensions::HotLinesParams, extensions::HotLinesResult>(
      std::string(extensions::kHotLines), [this](const extensions::HotLinesParams& params) {
        return list_hot_lines(session_, params);
      });
  connection_.on_request<lsp::DocumentParams, extensions::LineCostsResult>(
      std::string(extensions::kLineCosts),
      [this](const lsp::DocumentParams& params) { return list_line_costs(session_, params); });
  connection_.on_request<lsp::TextDocumentPositionParams, extensions::DelegateLinesResult>(
      std::string(extensions::kDelegateLines),
      [this](const lsp::TextDocumentPositionParams& params) {
        return list_delegate_lines(session_, params);
      });
  connection_.on_request<EmptyParams, extensions::ProfilesResult>(
      std::string(extensions::kProfiles), [this](const EmptyParams&) {
        const Facts* facts = session_.time_facts();
        dump_totals_.want(loader_->found(), facts == nullptr ? "" : facts->study().etdump_path,
                          loader_->settings());
        return list_profiles(session_, loader_->found(), dump_totals_, chosen_profile_.has_value());
      });
  const auto bind_program =
      [this]<typename Params, typename R>(
          std::string_view method,
          R (*function)(Session&, const ProgramLoader::Program&, const Params&)) {
        connection_.on_later_request<Params, R>(
            std::string(method), [this, function](const Params& params, Reply<R> reply) {
              const auto kept = std::make_shared<Reply<R>>(std::move(reply));
              with_program([this, function, params, kept](const ProgramLoader::Program& program) {
                (*kept)(function(session_, program, params));
              });
            });
      };
  bind_program(extensions::kMemory, &list_memory);
  bind_program(extensions::kSize, &list_size);
}

}  // namespace etlens
