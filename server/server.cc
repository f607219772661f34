// SPDX-License-Identifier: Apache-2.0
#include "server/server.h"

#include "core/base/path.h"
#include "server/capabilities.h"
#include "server/controls.h"
#include "server/extensions/methods.h"

namespace etlens {
namespace {

std::vector<std::string> roots_of(const lsp::InitializeParams& params) {
  std::vector<std::string> roots;
  if (params.workspaceFolders) {
    for (const lsp::WorkspaceFolder& folder : *params.workspaceFolders) {
      if (folder.uri.is_file()) roots.push_back(folder.uri.path());
    }
  } else if (params.rootUri) {
    if (params.rootUri->is_file()) roots.push_back(params.rootUri->path());
  } else if (params.rootPath && is_absolute(*params.rootPath)) {
    roots.push_back(normal_path(*params.rootPath));
  }
  return roots;
}

// Files whose names say what they are; our own watching finds the others.
constexpr const char* kArtifactPattern = "**/*.{etdp,etdump,etrecord,pte,prof}";
constexpr const char* kPolicyPattern = "**/etlens.toml";

}  // namespace

Server::Server(uv::Loop& loop, Transport& transport, const FileSystem& files, Log& log,
               ServerOptions options)
    : transport_(transport),
      options_(std::move(options)),
      connection_(transport, log),
      session_(files),
      base_{loop, options_.timing, log, connection_, session_},
      publisher_(base_),
      load_status_(base_, publisher_, workers_,
                   [this] {
                     configure_fleet();
                     if (choices_.wants_more_values()) configure_loader();
                   }),
      choices_(session_, workers_),
      workers_(base_, options_.watching, load_status_.handlers()) {
  use_controls(kSettingControls);
  bind_lifecycle();
  bind_documents();
  bind_workspace();
  bind_features();
  bind_lists();
  connection_.set_gate([this](std::string_view method) { return gate(method); });
  loop.on_exception([&log](const std::exception& exception) {
    log.warning(std::string("something was given up: ") + exception.what());
  });
}

Server::~Server() { base_.loop.on_exception(nullptr); }

void Server::start() {
  connection_.start([this] { exit(); });
  watch_client(options_.client_process);
}

std::optional<lsp::ResponseError> Server::gate(std::string_view method) const {
  if (method == "exit") return std::nullopt;
  if (base_.lifecycle == Lifecycle::Uninitialized && method != "initialize") {
    return lsp::ResponseError{lsp::ResponseCode::ServerNotInitialized,
                              "the first request must be initialize"};
  }
  if (base_.lifecycle == Lifecycle::Running && method == "initialize") {
    return lsp::ResponseError{lsp::ResponseCode::InvalidRequest,
                              "the server is initialized already"};
  }
  if (base_.lifecycle == Lifecycle::ShutDown || base_.lifecycle == Lifecycle::Exited) {
    return lsp::ResponseError{lsp::ResponseCode::InvalidRequest, "the server was shut down"};
  }
  return std::nullopt;
}

lsp::InitializeResult Server::initialize(const lsp::InitializeParams& params) {
  base_.lifecycle = Lifecycle::Running;
  session_.client = resolve_capabilities(params.capabilities);
  session_.documents.set_encoding(session_.client.encoding);
  session_.roots = roots_of(params);
  if (params.trace) connection_.set_trace(*params.trace);
  watch_client(params.processId);
  if (params.initializationOptions) take_settings(*params.initializationOptions);
  if (params.clientInfo)
    base_.log.info("client " + params.clientInfo->name + " " +
                   params.clientInfo->version.value_or(""));
  return {server_capabilities(session_.client), {"etlens", options_.version}};
}

void Server::initialized() {
  register_capabilities();
  if (!session_.client.configuration) {
    configure_loader();
    return;
  }
  ask_for_settings();
  // A client that never answers gets the defaults.
  settings_timer_ = base_.loop.after(options_.timing.settings_wait, [this] { configure_loader(); });
}

void Server::register_capabilities() {
  lsp::RegistrationParams params;
  const ClientCapabilities& client = session_.client;
  if (client.watch_files) {
    const lsp::Json artifacts{{"globPattern", kArtifactPattern}};
    const lsp::Json policy{{"globPattern", kPolicyPattern}};
    params.registrations.push_back(
        {"etlens/watch", "workspace/didChangeWatchedFiles",
         lsp::Json{{"watchers", lsp::Json::array({artifacts, policy})}}});
  }
  if (client.register_configuration) {
    params.registrations.push_back(
        {"etlens/settings", "workspace/didChangeConfiguration", lsp::Json{{"section", "etlens"}}});
  }
  if (client.register_definition) {
    const lsp::Json filter{{"scheme", extensions::kProvidedScheme}};
    params.registrations.push_back({"etlens/definition", "textDocument/definition",
                                    lsp::Json{{"documentSelector", lsp::Json::array({filter})}}});
  }
  if (params.registrations.empty()) return;
  connection_.request<lsp::Json>(
      "client/registerCapability", params, [this](const Result<lsp::Json>& answer) {
        if (!answer)
          base_.log.warning("the client refused to register capabilities: " +
                            answer.error().message);
      });
}

// The client has gone, or asked us to go. What was answered is written first.
void Server::exit() {
  if (has_exited()) return;
  exit_status_ = base_.lifecycle == Lifecycle::ShutDown ? 0 : 1;
  load_status_.answer_held();
  base_.lifecycle = Lifecycle::Exited;
  for (Timer* timer : {&client_timer_, &settings_timer_, &typing_timer_}) timer->cancel();
  workers_.shut(Workers::Programs::GivenUp);
  flush_timer_ = base_.loop.after(options_.timing.flush_limit, [this] { base_.loop.stop(); });
  wait_for_reader(transport_.unsent());
  transport_.close([this] { base_.loop.stop(); });
}

// Whoever still reads the last answers gets them; a client that reads nothing is not waited for.
void Server::wait_for_reader(size_t unsent) {
  reader_timer_ = base_.loop.after(options_.timing.flush_pause, [this, unsent] {
    const size_t now = transport_.unsent();
    if (now == unsent) base_.loop.stop();
    else wait_for_reader(now);
  });
}

// Hints were answered by arithmetic. The client is asked to look again only if that was not all.
void Server::settle_after_typing() {
  typing_timer_ = base_.loop.after(options_.timing.typing_pause, [this] {
    if (base_.is_running() && session_.sources.settle()) publisher_.refresh();
  });
}

// A process that we cannot see from the start (another machine's, another container's) is not
// watched.
void Server::watch_client(std::optional<int64_t> process) {
  if (!process || !uv::is_process_alive(*process)) return;
  client_process_ = process;
  check_client();
}

void Server::check_client() {
  if (options_.timing.client_check.count() == 0) return;
  client_timer_ = base_.loop.after(options_.timing.client_check, [this] {
    if (uv::is_process_alive(*client_process_)) check_client();
    else exit();
  });
}

}  // namespace etlens
