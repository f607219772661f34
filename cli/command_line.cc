// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <algorithm>
#include <numeric>

#include "core/base/file_system.h"

namespace etlens::cli {
namespace {

constexpr size_t kMaxTypos = 2;

bool is_command(const CLI::App& app, const std::string& name) {
  const auto commands =
      app.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; });
  return !commands.empty();
}

// Letters to insert, delete, replace or exchange with their neighbour.
size_t typos_between(std::string_view a, std::string_view b) {
  std::vector<size_t> older;
  std::vector<size_t> before(b.size() + 1);
  std::iota(before.begin(), before.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    std::vector<size_t> row(b.size() + 1, i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({row[j] + 1, before[j + 1] + 1, before[j] + (a[i] == b[j] ? 0u : 1u)});
      const bool is_exchanged = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (is_exchanged) row[j + 1] = std::min(row[j + 1], older[j - 1] + 1);
    }
    older = std::move(before);
    before = std::move(row);
  }
  return before.back();
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
  std::string nearest;
  size_t least = kMaxTypos + 1;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string name = command->get_name();
    const size_t typos = name.starts_with(typed) ? 1 : typos_between(typed, name);
    if (typos >= least) continue;
    least = typos;
    nearest = name;
  }
  return "there is no command and no file " + typed +
         (nearest.empty() ? "; `etlens --help` lists the commands"
                          : "; did you mean " + nearest + "?");
}

}  // namespace etlens::cli
