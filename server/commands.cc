// SPDX-License-Identifier: Apache-2.0
// Server: workspace/executeCommand.
#include <fmt/format.h>

#include "core/base/path.h"
#include "server/features/features.h"
#include "server/server.h"

namespace etlens {
namespace {

constexpr size_t kMaxOffered = 9;
constexpr const char* kNewest = "Newest";

const lsp::Json& first_argument(const lsp::ExecuteCommandParams& params) {
  static const lsp::Json kNone;
  return params.arguments && !params.arguments->empty() ? params.arguments->front() : kNone;
}

// A path as a person in this workspace says it.
std::string short_path(const std::vector<std::string>& roots, const std::string& path) {
  for (const std::string& root : roots) {
    if (is_below(root, path)) return std::string(relative_path(root, path));
  }
  return path;
}

}  // namespace

Result<lsp::Json> Server::execute(const lsp::ExecuteCommandParams& params) {
  const lsp::Json& argument = first_argument(params);
  if (params.command == "etlens.jumpToEvent") return jump_to_event(argument);
  if (params.command == "etlens.nextHotLine") return step_hot_line(argument, 1);
  if (params.command == "etlens.previousHotLine") return step_hot_line(argument, -1);
  if (params.command == "etlens.selectProfile") {
    if (!params.arguments || params.arguments->empty()) {
      offer_profiles();
      return lsp::Json();
    }
    return select_profile(argument);
  }
  if (params.command == "etlens.selectMethod") {
    if (!params.arguments || params.arguments->empty()) {
      offer_methods();
      return lsp::Json();
    }
    return select_method(argument);
  }
  if (params.command == "etlens.showEdgeProgram") return show_program();
  if (params.command == "etlens.reload") {
    loader_->reload();
    return lsp::Json();
  }
  return Error{ErrorCode::InvalidParams, "etlens has no command " + params.command};
}

void Server::show(const lsp::Location& location) {
  if (!session_.client.show_document) return;
  lsp::ShowDocumentParams params;
  params.uri = location.uri;
  params.selection = lsp::Range{location.range.start, location.range.start};
  connection_.request<lsp::ShowDocumentResult>("window/showDocument", params, nullptr);
}

Result<lsp::Json> Server::jump_to_event(const lsp::Json& argument) {
  const Result<lsp::JumpToEventArguments> arguments =
      lsp::decode<lsp::JumpToEventArguments>(argument);
  if (!arguments) return arguments.error();
  const Result<lsp::Location> location = event_location(session_, *arguments);
  if (!location) return location.error();
  show(*location);
  return lsp::to_json_value(*location);
}

Result<lsp::Json> Server::step_hot_line(const lsp::Json& argument, int step) {
  lsp::HotLineArguments arguments;
  if (!argument.is_null()) {
    Result<lsp::HotLineArguments> decoded = lsp::decode<lsp::HotLineArguments>(argument);
    if (!decoded) return decoded.error();
    arguments = std::move(*decoded);
  }
  const Result<HotLineTarget> target = hot_line(session_, arguments, step);
  if (!target) return target.error();
  show(target->location);
  lsp::Json answer = lsp::to_json_value(target->location);
  answer["rank"] = target->rank + 1;
  answer["count"] = target->count;
  return answer;
}

Result<lsp::Json> Server::select_profile(const lsp::Json& argument) {
  if (argument.is_null()) {
    chosen_profile_.reset();
  } else {
    Result<lsp::SelectProfileArguments> arguments =
        lsp::decode<lsp::SelectProfileArguments>(argument);
    if (!arguments) return arguments.error();
    chosen_profile_ = std::move(*arguments);
  }
  configure_loader();
  return lsp::Json();
}

Result<lsp::Json> Server::select_method(const lsp::Json& argument) {
  if (argument.is_null()) {
    chosen_method_.reset();
  } else {
    Result<lsp::SelectMethodArguments> arguments =
        lsp::decode<lsp::SelectMethodArguments>(argument);
    if (!arguments) return arguments.error();
    chosen_method_ = std::move(*arguments);
  }
  configure_loader();
  return lsp::Json();
}

Result<lsp::Json> Server::show_program() {
  const lsp::EdgeProgramResult program = show_edge_program(session_);
  if (session_.prepared() == nullptr) return Error{ErrorCode::NotFound, session_.message};
  if (session_.client.provided_documents) show({program.uri, {}});
  return lsp::to_json_value(program);
}

// For clients without a list of their own. The user asked for it, so it may ask back.
void Server::offer_profiles() {
  lsp::ShowMessageRequestParams params;
  params.message = "Which dump shall etlens show?";
  params.actions.push_back({kNewest});
  auto paths = std::make_shared<std::vector<std::pair<std::string, std::string>>>();
  for (const FoundArtifact* dump : dumps_by_age(loader_->found())) {
    if (paths->size() == kMaxOffered) break;
    paths->emplace_back(short_path(session_.roots, dump->path), dump->path);
    params.actions.push_back({paths->back().first});
  }
  connection_.request<std::optional<lsp::MessageActionItem>>(
      "window/showMessageRequest", params,
      [this, paths](const Result<std::optional<lsp::MessageActionItem>>& answer) {
        if (!answer || !*answer || state_ != State::Running) return;
        if ((*answer)->title == kNewest) chosen_profile_.reset();
        for (const auto& [title, path] : *paths) {
          if (title == (*answer)->title)
            chosen_profile_ = lsp::SelectProfileArguments{path, std::nullopt, std::nullopt};
        }
        configure_loader();
      });
}

void Server::offer_methods() {
  const lsp::ProfilesResult known = list_profiles(session_, loader_->found(), false);
  lsp::ShowMessageRequestParams params;
  params.message = "Which method, or which block of executions, shall etlens show?";
  for (const lsp::MethodItem& method : known.methods) params.actions.push_back({method.name});
  for (const lsp::BlockItem& block : known.blocks) params.actions.push_back({block.name});
  if (params.actions.size() > kMaxOffered) params.actions.resize(kMaxOffered);
  if (params.actions.empty()) {
    tell(lsp::MessageType::Info, session_.message);
    return;
  }
  connection_.request<std::optional<lsp::MessageActionItem>>(
      "window/showMessageRequest", params,
      [this, methods = known.methods](const Result<std::optional<lsp::MessageActionItem>>& answer) {
        if (!answer || !*answer || state_ != State::Running) return;
        const std::string& title = (*answer)->title;
        const bool is_method =
            std::any_of(methods.begin(), methods.end(),
                        [&](const lsp::MethodItem& method) { return method.name == title; });
        chosen_method_ = is_method ? lsp::SelectMethodArguments{title, std::nullopt}
                                   : lsp::SelectMethodArguments{std::nullopt, title};
        configure_loader();
      });
}

}  // namespace etlens
