// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include "core/base/file_system.h"
#include "core/base/nearest_name.h"

namespace etlens::cli {
namespace {

bool is_command(const CLI::App& app, const std::string& name) {
  const auto commands =
      app.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; });
  return !commands.empty();
}

}  // namespace

std::vector<std::string> with_command(const CLI::App& app, std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front().starts_with('-')) return arguments;
  const std::string& first = arguments.front();
  if (!is_command(app, first) && real_file_system().stat(first))
    arguments.insert(arguments.begin(), "annotate");
  return arguments;
}

std::string unknown_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.front().starts_with('-')) return "";
  const std::string& typed = arguments.front();
  if (is_command(app, typed)) return "";
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  const std::string nearest = nearest_name(typed, names);
  return "there is no command and no file " + typed +
         (nearest.empty() ? "; `etlens --help` lists the commands"
                          : "; did you mean " + nearest + "?");
}

}  // namespace etlens::cli
