// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <algorithm>

#include "core/base/file_system.h"
#include "core/base/nearest_name.h"

namespace etlens::cli {
namespace {

// Whether the first argument is to be a command, and is none.
bool lacks_command(std::span<const std::string> commands,
                   const std::vector<std::string>& arguments) {
  return !arguments.empty() && !arguments.front().starts_with('-') &&
         std::ranges::find(commands, arguments.front()) == commands.end();
}

}  // namespace

std::vector<std::string> with_command(std::span<const std::string> commands,
                                      std::vector<std::string> arguments) {
  if (lacks_command(commands, arguments) && real_file_system().stat(arguments.front()))
    arguments.insert(arguments.begin(), "annotate");
  return arguments;
}

std::string unknown_command(std::span<const std::string> commands,
                            const std::vector<std::string>& arguments) {
  if (!lacks_command(commands, arguments)) return "";
  const std::string& typed = arguments.front();
  const std::string nearest = nearest_name(typed, {commands.begin(), commands.end()});
  return "there is no command and no file " + typed +
         (nearest.empty() ? "; `etlens --help` lists the commands"
                          : "; did you mean " + nearest + "?");
}

}  // namespace etlens::cli
