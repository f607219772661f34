// SPDX-License-Identifier: Apache-2.0
// Server: workspace/executeCommand.
#include "server/features/features.h"
#include "server/server.h"

namespace etlens {
Result<lsp::Json> Server::execute(const lsp::ExecuteCommandParams& params) {
  // What the user may choose; without an argument the server asks.
  struct Choice {
    std::string_view command;
    Result<lsp::Json> (Server::*select)(const lsp::Json&);
    void (Server::*offer)();
  };
  static constexpr Choice kChoices[] = {
      {"etlens.selectProfile", &Server::select_profile, &Server::offer_profiles},
      {"etlens.selectMethod", &Server::select_method, &Server::offer_methods},
      {"etlens.selectStatistic", &Server::select_statistic, &Server::offer_statistics},
      {"etlens.selectExecutions", &Server::select_executions, &Server::offer_executions},
      {"etlens.selectMeasure", &Server::select_measure, &Server::offer_measures},
      {"etlens.selectBaseline", &Server::select_baseline, &Server::offer_baselines},
      {"etlens.selectFleet", &Server::select_fleet, &Server::offer_fleets},
  };
  const bool has_argument = params.arguments && !params.arguments->empty();
  const lsp::Json argument = has_argument ? params.arguments->front() : lsp::Json();
  for (const Choice& choice : kChoices) {
    if (params.command != choice.command) continue;
    if (has_argument) return (this->*choice.select)(argument);
    (this->*choice.offer)();
    return lsp::Json();
  }
  if (params.command == "etlens.jumpToEvent") return jump_to_event(argument);
  if (params.command == "etlens.nextHotLine") return step_hot_line(argument, 1);
  if (params.command == "etlens.previousHotLine") return step_hot_line(argument, -1);
  if (params.command == "etlens.nextChangedLine") return step_changed_line(argument, 1);
  if (params.command == "etlens.previousChangedLine") return step_changed_line(argument, -1);
  if (params.command == "etlens.showEdgeProgram") return show_program();
  if (params.command == "etlens.reload") {
    loader_->reload();
    fleets_->reload();
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
  const Result<extensions::JumpToEventArguments> arguments =
      lsp::decode<extensions::JumpToEventArguments>(argument);
  if (!arguments) return arguments.error();
  const Result<lsp::Location> location = event_location(session_, *arguments);
  if (!location) return location.error();
  show(*location);
  return lsp::to_json_value(*location);
}

Result<lsp::Json> Server::step_hot_line(const lsp::Json& argument, int step) {
  extensions::HotLineArguments arguments;
  if (!argument.is_null()) {
    Result<extensions::HotLineArguments> decoded =
        lsp::decode<extensions::HotLineArguments>(argument);
    if (!decoded) return decoded.error();
    arguments = std::move(*decoded);
  }
  return show_target(hot_line(session_, arguments, step));
}

Result<lsp::Json> Server::step_changed_line(const lsp::Json& argument, int step) {
  extensions::ChangedLineArguments arguments;
  if (!argument.is_null()) {
    Result<extensions::ChangedLineArguments> decoded =
        lsp::decode<extensions::ChangedLineArguments>(argument);
    if (!decoded) return decoded.error();
    arguments = std::move(*decoded);
  }
  return show_target(changed_line(session_, arguments, step));
}

// Answers where it is, which of how many, and how many there are that nobody can show.
Result<lsp::Json> Server::show_target(const Result<HotLineTarget>& target) {
  if (!target) return target.error();
  show(target->location);
  extensions::JumpTarget answer{target->location, target->rank + 1, target->count, std::nullopt};
  if (target->elsewhere > 0) answer.elsewhere = target->elsewhere;
  return lsp::to_json_value(answer);
}

Result<lsp::Json> Server::show_program() {
  const extensions::EdgeProgramResult program = show_edge_program(session_);
  if (session_.study() == nullptr) return Error{ErrorCode::NotFound, session_.message};
  if (session_.client.provided_documents) show({program.uri, {}});
  return lsp::to_json_value(program);
}

}  // namespace etlens
