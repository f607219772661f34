// SPDX-License-Identifier: Apache-2.0
// Server: workspace/executeCommand.
#include "server/features/features.h"
#include "server/server.h"

namespace etlens {
namespace {

// Where a command leads to, which clients are told to show, and its answer.
struct Destination {
  lsp::Location location;
  lsp::Json answer;
};

// Of an argument that may be null.
template <typename Arguments>
Result<Arguments> decode_or_default(const lsp::Json& argument) {
  return argument.is_null() ? Arguments() : lsp::decode<Arguments>(argument);
}

Result<Destination> jump_to_event(Session& session, const lsp::Json& argument) {
  const Result<extensions::JumpToEventArguments> arguments =
      lsp::decode<extensions::JumpToEventArguments>(argument);
  if (!arguments) return arguments.error();
  const Result<lsp::Location> location = event_location(session, *arguments);
  if (!location) return location.error();
  return Destination{*location, lsp::to_json_value(*location)};
}

// The next line of a list. Answers where it is, which of how many, and how many there are that
// nobody can show.
template <typename Arguments>
Result<Destination> step(Session& session, const lsp::Json& argument, int by,
                         Result<HotLineTarget> (*find)(Session&, const Arguments&, int)) {
  const Result<Arguments> arguments = decode_or_default<Arguments>(argument);
  if (!arguments) return arguments.error();
  const Result<HotLineTarget> target = find(session, *arguments, by);
  if (!target) return target.error();
  extensions::JumpTarget answer{target->location, target->rank + 1, target->count, std::nullopt};
  if (target->elsewhere > 0) answer.elsewhere = target->elsewhere;
  return Destination{target->location, lsp::to_json_value(answer)};
}

Error no_place() {
  return {ErrorCode::InvalidParams, "the command needs the uri and the position of a line"};
}

// The sentence of a command that tells something of a line.
Result<std::string> tell_line(Session& session, const lsp::Json& argument,
                              Result<std::string> (*tell)(Session&, const LinePlace&)) {
  if (argument.is_null()) return no_place();
  const auto arguments = lsp::decode<LinePlace>(argument);
  if (!arguments) return arguments.error();
  return tell(session, *arguments);
}

Result<Destination> find_destination(Session& session, const std::string& command,
                                     const lsp::Json& argument) {
  if (command == "etlens.jumpToEvent") return jump_to_event(session, argument);
  if (command == "etlens.nextHotLine") return step(session, argument, 1, &hot_line);
  if (command == "etlens.previousHotLine") return step(session, argument, -1, &hot_line);
  if (command == "etlens.nextChangedLine") return step(session, argument, 1, &changed_line);
  if (command == "etlens.previousChangedLine") return step(session, argument, -1, &changed_line);
  if (command == "etlens.nextDelegateLine") {
    if (argument.is_null()) return no_place();
    return step(session, argument, 1, &delegate_line);
  }
  return Error{ErrorCode::InvalidParams, "etlens has no command " + command};
}

}  // namespace

Result<lsp::Json> Server::execute(const lsp::ExecuteCommandParams& params) {
  const bool has_argument = params.arguments && !params.arguments->empty();
  const lsp::Json argument = has_argument ? params.arguments->front() : lsp::Json();
  if (const UserChoices::Command* choice = UserChoices::find(params.command)) {
    // Without an argument the server asks.
    if (!has_argument) {
      publisher_.ask((choices_.*choice->question)(), [this] { apply_choices(); });
    } else if (Result<void> selected = (choices_.*choice->select)(argument); !selected) {
      return std::move(selected).error();
    } else {
      apply_choices();
    }
    return lsp::Json();
  }
  if (params.command == "etlens.reload") {
    workers_.study.reload();
    workers_.fleet.reload();
    return lsp::Json();
  }
  if (params.command == "etlens.showEdgeProgram") {
    const extensions::EdgeProgramResult program = show_edge_program(session_);
    if (session_.study() == nullptr) return Error{ErrorCode::NotFound, session_.message};
    if (session_.client.provided_documents) publisher_.show({program.uri, {}});
    return lsp::to_json_value(program);
  }
  const bool is_of_call = params.command == "etlens.showDelegateLines";
  if (is_of_call || params.command == "etlens.whyNotDelegated") {
    const Result<std::string> words =
        tell_line(session_, argument, is_of_call ? &delegate_lines_words : &not_delegated_words);
    if (!words) return words.error();
    publisher_.log_or_show(lsp::MessageType::Info, *words);
    return lsp::Json(*words);
  }
  Result<Destination> destination = find_destination(session_, params.command, argument);
  if (!destination) return std::move(destination).error();
  publisher_.show(destination->location);
  return std::move(destination->answer);
}

}  // namespace etlens
