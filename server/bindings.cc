// SPDX-License-Identifier: Apache-2.0
// Server: the table of methods. Every method that etlens answers or listens to is on this page.
#include "core/base/path.h"
#include "server/extensions/methods.h"
#include "server/features/features.h"
#include "server/server.h"

namespace etlens {

using lsp::EmptyParams;
using lsp::Json;

namespace {

template <typename R>
R value_of(const R*);
template <typename R>
R value_of(const Result<R>*);

// Features that answer at once, with a result or an error.
template <typename Params, typename R>
void bind_feature(ServerBase& base, std::string_view method,
                  R (*feature)(Session&, const Params&)) {
  base.connection.on_request<Params, decltype(value_of(static_cast<R*>(nullptr)))>(
      std::string(method),
      [&base, feature](const Params& params) { return feature(base.session, params); });
}
template <typename R>
void bind_feature(ServerBase& base, std::string_view method, R (*feature)(Session&)) {
  base.connection.on_request<EmptyParams, R>(
      std::string(method), [&base, feature](const EmptyParams&) { return feature(base.session); });
}

}  // namespace

void Server::bind_lifecycle() {
  connection_.on_request<lsp::InitializeParams, lsp::InitializeResult>(
      "initialize", [this](const lsp::InitializeParams& params) { return initialize(params); });
  connection_.on_notification<EmptyParams>("initialized",
                                           [this](const EmptyParams&) { initialized(); });
  connection_.on_request<EmptyParams, lsp::Null>("shutdown", [this](const EmptyParams&) {
    load_status_.answer_held();
    base_.lifecycle = Lifecycle::ShutDown;
    workers_.shut(Workers::Programs::StillRead);
    load_status_.end_progress();
    return lsp::Null();
  });
  connection_.on_notification<EmptyParams>("exit", [this](const EmptyParams&) { exit(); });
  connection_.on_notification<lsp::SetTraceParams>(
      "$/setTrace",
      [this](const lsp::SetTraceParams& params) { connection_.set_trace(params.value); });
  connection_.on_notification<lsp::WorkDoneProgressParams>(
      "window/workDoneProgress/cancel",
      [this](const lsp::WorkDoneProgressParams& params) { load_status_.cancel(params.token); });
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
          workers_.study.reload();
        }
        publisher_.publish_diagnostics(uri);
      });
  connection_.on_notification<lsp::DidChangeTextDocumentParams>(
      "textDocument/didChange", [this](const lsp::DidChangeTextDocumentParams& params) {
        if (session_.documents.change(params) == nullptr) {
          base_.log.warning("a change of a document that is not open: " +
                            params.textDocument.uri.string());
        }
      });
  connection_.on_notification<lsp::DocumentParams>(
      "textDocument/didSave", [this](const lsp::DocumentParams& params) {
        publisher_.publish_diagnostics(params.textDocument.uri);
      });
  connection_.on_notification<lsp::DocumentParams>(
      "textDocument/didClose", [this](const lsp::DocumentParams& params) {
        const lsp::DocumentUri& uri = params.textDocument.uri;
        session_.documents.close(uri);
        session_.forget(uri);
        publisher_.withdraw_diagnostics(uri);
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
          if (event.uri.is_file()) workers_.study.changed(event.uri.path());
        }
      });
  connection_.on_request<lsp::ExecuteCommandParams, Json>(
      "workspace/executeCommand",
      [this](const lsp::ExecuteCommandParams& params) { return execute(params); });
}

void Server::bind_features() {
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
          if (session_.client.*refresh || !load_status_.hold(params.textDocument.uri, answer))
            answer();
        });
  };
  bind_first("textDocument/inlayHint", &ClientCapabilities::hint_refresh, &inlay_hints);
  bind_feature(base_, "textDocument/hover", &hover);
  bind_first("textDocument/codeLens", &ClientCapabilities::lens_refresh, &code_lenses);
  bind_feature(base_, "textDocument/codeAction", &code_actions);
  bind_feature(base_, "textDocument/definition", &definition);
  bind_feature(base_, "textDocument/prepareCallHierarchy", &prepare_call_hierarchy);
  bind_feature(base_, "callHierarchy/incomingCalls", &incoming_calls);
  bind_feature(base_, "callHierarchy/outgoingCalls", &outgoing_calls);
  bind_feature(base_, "workspace/symbol", &workspace_symbols);
  bind_feature(base_, "workspace/textDocumentContent", &provided_document);
}

void Server::bind_lists() {
  bind_feature(base_, extensions::kStatus, &status);
  bind_feature(base_, extensions::kModules, &list_modules);
  bind_feature(base_, extensions::kModels, &list_models);
  bind_feature(base_, extensions::kModuleSource, &find_module_source);
  bind_feature(base_, extensions::kChanges, &list_changes);
  bind_feature(base_, extensions::kPartitions, &list_partitions);
  bind_feature(base_, extensions::kAdvice, &list_advice);
  bind_feature(base_, extensions::kDelegation, &list_delegation);
  bind_feature(base_, extensions::kEdgeProgram, &show_edge_program);
  bind_feature(base_, extensions::kEvents, &list_events);
  bind_feature(base_, extensions::kEventTable, &tabulate_events);
  bind_feature(base_, extensions::kFlameGraph, &draw_flame_graph);
  bind_feature(base_, extensions::kHotLines, &list_hot_lines);
  bind_feature(base_, extensions::kLineCosts, &list_line_costs);
  bind_feature(base_, extensions::kDelegateLines, &list_delegate_lines);
  connection_.on_request<EmptyParams, extensions::ProfilesResult>(
      std::string(extensions::kProfiles), [this](const EmptyParams&) {
        const Facts* facts = session_.time_facts();
        const StudyLoader& loader = workers_.study;
        workers_.totals.want(loader.found(), facts == nullptr ? "" : facts->study().etdump_path,
                             loader.settings());
        return list_profiles(session_, loader.found(), workers_.totals, choices_.has_dump());
      });
  const auto bind_program =
      [this]<typename Params, typename R>(
          std::string_view method,
          R (*function)(Session&, const ProgramLoader::Program&, const Params&)) {
        connection_.on_later_request<Params, R>(
            std::string(method), [this, function](const Params& params, Reply<R> reply) {
              const auto kept = std::make_shared<Reply<R>>(std::move(reply));
              workers_.with_program(
                  [this, function, params, kept](const ProgramLoader::Program& program) {
                    (*kept)(function(session_, program, params));
                  });
            });
      };
  bind_program(extensions::kMemory, &list_memory);
  bind_program(extensions::kSize, &list_size);
  bind_graph();
  bind_report();
}

void Server::bind_report() {
  connection_.on_later_request<EmptyParams, extensions::ReportResult>(
      std::string(extensions::kReport),
      [this](const EmptyParams&, Reply<extensions::ReportResult> reply) {
        const auto kept = std::make_shared<Reply<extensions::ReportResult>>(std::move(reply));
        const auto answer = [this, kept](const ReportLoader::Page& page) {
          (*kept)(show_report(session_, page));
        };
        workers_.with_program([this, answer](const ProgramLoader::Program& program) {
          std::optional<ReportRequest> wanted = report_of_study(session_, program);
          if (wanted) workers_.reports.ask(std::move(*wanted), answer);
          else answer(Error{ErrorCode::NotFound, session_.message});
        });
      });
}

void Server::bind_graph() {
  connection_.on_later_request<extensions::GraphParams, extensions::GraphResult>(
      std::string(extensions::kGraph),
      [this](const extensions::GraphParams& params, Reply<extensions::GraphResult> reply) {
        const auto kept = std::make_shared<Reply<extensions::GraphResult>>(std::move(reply));
        const auto answer = [this, kept](const GraphLoader::Graph& graph) {
          (*kept)(show_graph(session_, graph));
        };
        if (std::optional<GraphRequest> wanted = graph_of_study(session_, params)) {
          workers_.graphs.ask(std::move(*wanted), answer);
          return;
        }
        workers_.with_program([this, params, answer](const ProgramLoader::Program& program) {
          Result<GraphRequest> wanted = graph_of_program(session_, program, params);
          if (wanted) workers_.graphs.ask(std::move(*wanted), answer);
          else answer(std::move(wanted).error());
        });
      });
}

}  // namespace etlens
