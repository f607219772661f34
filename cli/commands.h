// SPDX-License-Identifier: Apache-2.0
// The subcommands. Each adds itself to the application; when it was chosen, its exit status lands
// in `status`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace etlens::cli {

void add_annotate(CLI::App& app, int& status);
void add_lines(CLI::App& app, int& status);
void add_modules(CLI::App& app, int& status);
void add_events(CLI::App& app, int& status);
void add_partitions(CLI::App& app, int& status);
void add_advise(CLI::App& app, int& status);
void add_inspect(CLI::App& app, int& status);
void add_check(CLI::App& app, int& status);
void add_diff(CLI::App& app, int& status);
void add_fleet(CLI::App& app, int& status);
void add_profile(CLI::App& app, int& status);
void add_bundle(CLI::App& app, int& status);
void add_runs(CLI::App& app, int& status);
void add_rows(CLI::App& app, int& status);
void add_init(CLI::App& app, int& status);
void add_explain(CLI::App& app, int& status);
void add_schema(CLI::App& app, int& status);
void add_export(CLI::App& app, int& status);
void add_report(CLI::App& app, int& status);
void add_memory(CLI::App& app, int& status);
void add_size(CLI::App& app, int& status);
void add_values(CLI::App& app, int& status);
void add_delegation(CLI::App& app, int& status);
void add_gate(CLI::App& app, int& status);
void add_graph(CLI::App& app, int& status);
void add_pstats(CLI::App& app, int& status);
void add_lsp(CLI::App& app, int& status);
void add_mcp(CLI::App& app, int& status);
void add_api(CLI::App& app, int& status);

// Runs a command, as the process does: `arguments` behind the program's name. Returns its exit
// status.
int run_command(std::vector<std::string> arguments);
// Whether the command goes on until its client ends it.
bool serves(std::string_view command);

}  // namespace etlens::cli
