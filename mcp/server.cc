// SPDX-License-Identifier: Apache-2.0
#include "mcp/server.h"

#include "core/base/path.h"
#include "core/base/text.h"
#include "mcp/answer.h"
#include "mcp/controls.h"
#include "mcp/prompt.h"
#include "protocol/uri.h"

namespace etlens::mcp {
namespace {

constexpr Cancellation kCancellation{"notifications/cancelled", "requestId", false};

void write_server(JsonWriter& out) {
  out.key("capabilities").begin_object();
  out.key("tools").begin_object().end_object().key("prompts").begin_object().end_object();
  out.end_object().field("instructions", instructions());
}

void write_tool(JsonWriter& out, const Tool& tool) {
  out.begin_object().field("name", tool.name).field("title", tool.title);
  out.field("description", tool.description).key("inputSchema");
  write_schema(out, tool.arguments);
  out.key("outputSchema").raw(tool.output_schema());
  out.key("annotations").begin_object().field("title", tool.title).field("readOnlyHint", true);
  out.field("destructiveHint", false).field("idempotentHint", true);
  out.field("openWorldHint", false).end_object().end_object();
}

// Lists here have one page: there is no cursor that anybody could have been given.
std::optional<lsp::ResponseError> cursor_error(const lsp::Json& params) {
  const auto cursor = params.find("cursor");
  if (cursor == params.end() || cursor->is_null()) return std::nullopt;
  return invalid_params("there is no such cursor; the list has one page");
}

// Null if nobody asked for progress.
lsp::Json progress_token(const lsp::Json& params) {
  const auto meta = params.find("_meta");
  if (meta == params.end() || !meta->is_object()) return {};
  lsp::Json token = meta->value("progressToken", lsp::Json());
  return token.is_string() || token.is_number_integer() ? token : lsp::Json();
}

// Where a desktop starts programs.
bool is_nobodys(std::string_view folder) {
  return (is_absolute(folder) && folder == root_of(folder)) || folder == "c:/windows/system32";
}

}  // namespace

Server::Server(uv::Loop& loop, Transport& transport, const FileSystem& files, Log& log,
               ServerOptions options)
    : loop_(loop),
      transport_(transport),
      options_(std::move(options)),
      connection_(transport, log, kCancellation),
      calls_(loop, connection_, files, options_.access, options_.version) {
  use_controls(kArgumentControls);
  bind_lifecycle();
  bind_lists();
  connection_.on_cancel([this](const lsp::RequestId& id) { calls_.cancel(id); });
}

void Server::start() {
  if (!options_.roots.empty()) {
    has_roots_ = true;
    calls_.set_roots(options_.roots);
  }
  connection_.start([this] { exit(); });
}

// Of a session, requests come after `initialize`; that and ping come at any time.
void Server::bind(const char* method, Handler handler) {
  const std::string_view name(method);
  const bool is_early = name == "initialize" || name == "ping";
  connection_.on_raw_request(method, [this, is_early, handler = std::move(handler)](
                                         const lsp::Json& params, ReplyOnce reply) {
    const EraOrError era = era_of(params);
    if (era.error) reply.error(*era.error);
    else if (era.era == Era::Session && !has_session_ && !is_early)
      reply.error({lsp::ResponseCode::InvalidRequest, "the first request must be initialize"});
    else handler(params, era.era, std::move(reply));
  });
}

void Server::bind_lifecycle() {
  bind("initialize", [this](const lsp::Json& params, Era, ReplyOnce reply) {
    initialize(params, std::move(reply));
  });
  bind("ping", [](const lsp::Json&, Era, ReplyOnce reply) { reply.result("{}"); });
  // Asked by clients that do not know yet which of the two a server speaks.
  bind("server/discover", [this](const lsp::Json&, Era era, ReplyOnce reply) {
    JsonWriter out = begin_result(era, options_.version);
    out.key("supportedVersions").begin_array().value(kStatelessVersion);
    for (const std::string_view version : kSessionVersions) out.value(version);
    out.end_array();
    write_server(out);
    write_cacheable(out, era);
    out.end_object();
    reply.result(out.text());
  });
  connection_.on_notification<lsp::EmptyParams>(
      "notifications/initialized", [this](const lsp::EmptyParams&) { need_roots(Era::Session); });
  connection_.on_notification<lsp::EmptyParams>("notifications/roots/list_changed",
                                                [this](const lsp::EmptyParams&) {
                                                  if (options_.roots.empty() && client_has_roots_)
                                                    ask_for_roots();
                                                });
}

void Server::bind_lists() {
  bind("tools/list", [this](const lsp::Json& params, Era era, ReplyOnce reply) {
    list_tools(params, era, std::move(reply));
  });
  bind("tools/call", [this](const lsp::Json& params, Era era, ReplyOnce reply) {
    call_tool(params, era, std::move(reply));
  });
  bind("prompts/list", [this](const lsp::Json& params, Era era, ReplyOnce reply) {
    if (const auto error = cursor_error(params)) return reply.error(*error);
    JsonWriter out = begin_result(era, options_.version);
    write_prompts(out);
    write_cacheable(out, era);
    reply.result(out.end_object().text());
  });
  bind("prompts/get", [this](const lsp::Json& params, Era era, ReplyOnce reply) {
    JsonWriter out = begin_result(era, options_.version);
    const Result<void> written = write_prompt(out, params);
    if (!written) return reply.error(invalid_params(clipped(written.error().message)));
    reply.result(out.end_object().text());
  });
}

void Server::initialize(const lsp::Json& params, ReplyOnce reply) {
  const auto version = params.find("protocolVersion");
  if (version == params.end() || !version->is_string())
    return reply.error(invalid_params("protocolVersion is missing"));
  if (has_session_) {
    return reply.error({lsp::ResponseCode::InvalidRequest, "the session was initialized already"});
  }
  has_session_ = true;
  const auto capabilities = params.find("capabilities");
  client_has_roots_ =
      capabilities != params.end() && capabilities->is_object() && capabilities->contains("roots");
  JsonWriter out(JsonStyle::Message);
  out.begin_object();
  out.field("protocolVersion", session_version(version->get_ref<const std::string&>()));
  out.key("serverInfo").begin_object().field("name", "etlens").field("title", "etlens");
  out.field("version", options_.version).end_object();
  write_server(out);
  reply.result(out.end_object().text());
}

void Server::list_tools(const lsp::Json& params, Era era, ReplyOnce reply) {
  if (const auto error = cursor_error(params)) return reply.error(*error);
  JsonWriter out = begin_result(era, options_.version);
  out.key("tools").begin_array();
  for (const Tool& tool : tools()) write_tool(out, tool);
  out.end_array();
  write_cacheable(out, era);
  reply.result(out.end_object().text());
}

void Server::call_tool(const lsp::Json& params, Era era, ReplyOnce reply) {
  const auto name = params.find("name");
  if (name == params.end() || !name->is_string())
    return reply.error(invalid_params("the name of a tool is missing"));
  const Tool* tool = find_tool(name->get_ref<const std::string&>());
  if (tool == nullptr) {
    std::vector<std::string> names;
    for (const Tool& one : tools()) names.emplace_back(one.name);
    return reply.error(invalid_params("there is no tool " + clipped(name->get<std::string>()) +
                                      "; there are " + join(names, ", ")));
  }
  need_roots(era);
  Result<Arguments> arguments =
      Arguments::read(params.value("arguments", lsp::Json()), tool->arguments);
  if (!arguments) {
    calls_.answer(era, arguments.error(), std::move(reply));
    return;
  }
  calls_.add({tool, std::move(*arguments), era, progress_token(params), std::move(reply)});
}

// Roots that the user named; else those of a session's client; else the working folder.
void Server::need_roots(Era era) {
  if (has_roots_ || roots_timer_.pending()) return;
  if (era == Era::Session && client_has_roots_) ask_for_roots();
  else use_folder();
}

void Server::ask_for_roots() {
  calls_.wait_for_roots();
  roots_timer_ = loop_.after(options_.roots_wait, [this] { use_folder(); });
  connection_.request<lsp::Json>("roots/list", lsp::EmptyParams{},
                                 [this](const Result<lsp::Json>& answer) { take_roots(answer); });
}

void Server::take_roots(const Result<lsp::Json>& answer) {
  roots_timer_.cancel();
  std::vector<std::string> roots;
  const lsp::Json list =
      answer && answer->is_object() ? answer->value("roots", lsp::Json()) : lsp::Json();
  for (const lsp::Json& root : list) {
    if (!root.is_object() || !root.contains("uri") || !root["uri"].is_string()) continue;
    const auto uri = lsp::DocumentUri::from_string(root["uri"].get_ref<const std::string&>());
    if (uri.is_file()) roots.push_back(uri.path());
  }
  has_roots_ = true;
  if (list.is_array() && list.empty()) {
    calls_.refuse({ErrorCode::NotFound,
                   "the client has no folder open; open the model's folder there, or name it as an "
                   "argument of etlens mcp"});
  } else if (roots.empty()) {
    use_folder();
  } else {
    calls_.set_roots(std::move(roots));
  }
}

void Server::use_folder() {
  has_roots_ = true;
  if (is_nobodys(options_.folder)) {
    calls_.refuse({ErrorCode::NotFound, "etlens was started in " + options_.folder +
                                            " and has no workspace; name the model's folder as an "
                                            "argument of etlens mcp"});
  } else {
    calls_.set_roots({options_.folder});
  }
}

void Server::exit() {
  if (std::exchange(has_exited_, true)) return;
  roots_timer_.cancel();
  connection_.shut();
  calls_.shut();
  wait_for_reader(transport_.unsent());
  transport_.close([this] { loop_.stop(); });
}

// Whoever still reads the last answers gets them, however slowly.
void Server::wait_for_reader(size_t unsent) {
  flush_timer_ = loop_.after(options_.flush_pause, [this, unsent] {
    const size_t now = transport_.unsent();
    if (now == unsent) loop_.stop();
    else wait_for_reader(now);
  });
}

}  // namespace etlens::mcp
