// SPDX-License-Identifier: Apache-2.0
// The `etlens` executable: argv to subcommand.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "core/base/budget.h"
#include "etlens_version.h"

int main(int argc, char** argv) {
  using namespace etlens::cli;
  prepare_terminal();
  CLI::App app{"What an ExecuTorch model costs, on the line of PyTorch source that caused it.",
               "etlens"};
  app.set_version_flag("--version", std::string("etlens ") + ETLENS_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Without --etdump and --etrecord the artifacts are found in the given folder by their "
      "content.\n"
      "`etlens FOLDER` is `etlens annotate FOLDER`.\n"
      "Exit status: 0 success; 1 an input could not be used; 2 wrong usage; 3 `diff`: slower than "
      "was "
      "allowed.\n"
      "`etlens COMMAND --help` says what a command can do.");
  int status = kSuccess;
  add_annotate(app, status);
  add_advise(app, status);
  add_lines(app, status);
  add_modules(app, status);
  add_events(app, status);
  add_partitions(app, status);
  add_inspect(app, status);
  add_check(app, status);
  add_diff(app, status);
  add_fleet(app, status);
  add_rows(app, status);
  add_export(app, status);
  add_report(app, status);
  add_memory(app, status);
  add_size(app, status);
  add_values(app, status);
  add_pstats(app, status);
  add_init(app, status);
  add_explain(app, status);
  add_lsp(app, status);
  add_mcp(app, status);
  std::vector<std::string> arguments = with_command(app, arguments_of(argc, argv));
  if (const std::string problem = unknown_command(app, arguments); !problem.empty()) {
    say(problem);
    return kWrongUsage;
  }
  // A server outlives what it loads, and holds every load and every call of a tool to a budget.
  const bool serves = !arguments.empty() && (arguments[0] == "lsp" || arguments[0] == "mcp");
  std::optional<etlens::CommandScope> budget;
  if (!serves) budget.emplace(etlens::CancelToken());
  try {
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kSuccess : kWrongUsage;
  } catch (const std::bad_alloc&) {
    const std::string why =
        budget ? budget->error().message : etlens::out_of_memory("etlens").message;
    budget.reset();  // past it not even the sentence could be made
    say(why);
    return kUnusableInput;
  }
  return status;
}
