// SPDX-License-Identifier: Apache-2.0
// The `etlens` executable: argv to subcommand.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/controls.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "core/base/budget.h"
#include "core/base/output_file.h"
#include "core/base/watchdog.h"
#include "etlens_version.h"

namespace etlens::cli {
namespace {

struct Command {
  std::string_view name;
  void (*add)(CLI::App&, int& status);
};

constexpr const char* kVersion = "--version";

// In the order of --help.
constexpr auto kCommands = std::to_array<Command>({
    {"annotate", add_annotate},
    {"advise", add_advise},
    {"lines", add_lines},
    {"modules", add_modules},
    {"events", add_events},
    {"partitions", add_partitions},
    {"inspect", add_inspect},
    {"check", add_check},
    {"diff", add_diff},
    {"runs", add_runs},
    {"fleet", add_fleet},
    {"rows", add_rows},
    {"export", add_export},
    {"report", add_report},
    {"memory", add_memory},
    {"size", add_size},
    {"delegation", add_delegation},
    {"gate", add_gate},
    {"graph", add_graph},
    {"values", add_values},
    {"pstats", add_pstats},
    {"profile", add_profile},
    {"bundle", add_bundle},
    {"init", add_init},
    {"explain", add_explain},
    {"schema", add_schema},
    {"lsp", add_lsp},
    {"mcp", add_mcp},
    {"api", add_api},
});

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  return names;
}

// The command of that name alone: a good part of a short run was to make the options of all others.
// None for --version; all of them if there is no such command, for the help.
void add_named(CLI::App& app, int& status, std::string_view name) {
  const auto named = std::ranges::find(kCommands, name, &Command::name);
  if (named != kCommands.end()) return named->add(app, status);
  if (name == kVersion) return;
  for (const Command& command : kCommands) command.add(app, status);
}

// `first`: the first argument, "" without one.
void add_commands(CLI::App& app, int& status, std::string_view first) {
  app.set_version_flag(kVersion, std::string("etlens ") + ETLENS_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Without --etdump and --etrecord the artifacts "
      "are found in the given folder by their content.\n"
      "`etlens FOLDER` is `etlens annotate FOLDER`.\n"
      "Exit status: 0 success; 1 an input could not be used, or the result could not be written; "
      "2 wrong usage; 3 `diff`: slower than was "
      "allowed, `gate`: a budget is violated.\n"
      "`etlens COMMAND --help` lists what a command can do.");
  add_named(app, status, first);
}

// What --help and --version print, and what is wrong with the options.
int end_of_parsing(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream help;
  std::ostringstream problem;
  const bool is_wanted = app.exit(error, help, problem) == 0;
  write_message(problem.str());
  if (!is_wanted) return kWrongUsage;
  return write_raw_output({}, help.str());
}

}  // namespace

bool serves(std::string_view command) {
  return command == "lsp" || command == "mcp" || command == "api";
}

int run_command(std::vector<std::string> arguments) {
  const std::vector<std::string> commands = command_names();
  arguments = with_command(commands, std::move(arguments));
  if (const std::string problem = unknown_command(commands, arguments); !problem.empty()) {
    say(problem);
    return kWrongUsage;
  }
  CLI::App app{"What an ExecuTorch model costs, on the line of PyTorch source that caused it.",
               "etlens"};
  int status = kSuccess;
  add_commands(app, status, arguments.empty() ? "" : std::string_view(arguments.front()));
  // A server outlives what it loads, and holds every load and every request to a budget.
  std::optional<CommandScope> budget;
  if (arguments.empty() || !serves(arguments.front())) {
    budget.emplace(CancelToken(), CommandScope::Watched::Yes);
    start_watchdog();
  }
  try {
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return end_of_parsing(app, error);
  } catch (const std::bad_alloc&) {
    const std::string why = budget ? budget->error().message : out_of_memory("etlens").message;
    budget.reset();  // past it not even the sentence could be made
    say(why);
    return kUnusableInput;
  }
  return status;
}

}  // namespace etlens::cli

int main(int argc, char** argv) {
  using namespace etlens::cli;
  prepare_streams();
  etlens::use_controls(kOptionControls);
  try {
    return run_command(arguments_of(argc, argv));
  } catch (const std::exception& error) {
    etlens::write_message(
        "etlens: this is a bug of etlens; please report it with what was asked: ");
    etlens::write_message(error.what());
    etlens::write_message("\n");
  }
  return kUnusableInput;
}
