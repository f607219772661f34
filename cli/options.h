// SPDX-License-Identifier: Apache-2.0
// Options that most subcommands share, and what they resolve to.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/workspace/load.h"

namespace etlens::cli {

// Exit statuses of the whole program.
inline constexpr int kSuccess = 0;
inline constexpr int kUnusableInput = 1;
inline constexpr int kWrongUsage = 2;

struct CommonOptions {
  std::vector<std::string> paths;  // source files or folders with artifacts
  std::string etdump;
  std::string etrecord;
  std::string pte;
  std::string debug_buffer;
  std::string method;
  std::string block;
  std::vector<std::string> roots;
  std::vector<std::string> path_maps;       // FROM=TO
  std::vector<std::string> library_frames;  // globs
  std::string source_scale = "ns";
  std::string target_scale = "ms";
  std::string format = "table";
  std::string output;  // "" is stdout
};

// Adds the options that every command on a pair of artifacts has; `formats` are those it can print.
void add_common_options(CLI::App& command, CommonOptions& options,
                        const std::vector<std::string>& formats);

struct Inputs {
  LoadRequest request;
  TimeScale target = TimeScale::Milliseconds;
  std::vector<std::string> sources;  // absolute paths of the source files among `paths`
};

// What a command does about a record when only the dump was named.
enum class RecordSearch { BesideDump, Never };

// Finds the artifacts and checks the options. Notes about choices made go to stderr.
Result<Inputs> resolve_inputs(const CommonOptions& options,
                              RecordSearch search = RecordSearch::BesideDump);

// Writes to stdout, or to the file of -o. Returns an exit status.
int write_output(const CommonOptions& options, std::string_view text);

// Prints "etlens: <sentence>" on stderr and returns kUnusableInput.
int fail(const Error& error);

// True if stdout is a terminal that wants colours: no NO_COLOR, no -o.
bool wants_color(const CommonOptions& options);

}  // namespace etlens::cli
