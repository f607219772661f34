// SPDX-License-Identifier: Apache-2.0
// Options that most subcommands share, and what they resolve to.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/facts/facts.h"
#include "core/render/tables.h"
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
  bool recovers = true;                     // lines inside helpers that the record lost
  std::string source_scale = "ns";
  std::string target_scale;  // "": ms, and for people what fits each value
  std::string statistic = "typical";
  std::string executions;
  bool is_raw = false;
  std::string profile;
  std::string measure = "time";
  std::string reference;      // of the values that a dump logged
  bool wants_values = false;  // whether there are values that fit; not those of large dumps
  std::string format = "table";
  std::string output;  // "" is stdout
};

// Adds the options that every command on a pair of artifacts has; `formats` are those it can print.
void add_common_options(CLI::App& command, CommonOptions& options,
                        const std::vector<std::string>& formats);

// Adds --no-recover.
void add_recover_option(CLI::App& command, CommonOptions& options);

// Adds those of commands that show one number for many executions.
void add_time_options(CLI::App& command, CommonOptions& options);

// Adds that of commands that show any measure.
void add_measure_option(CLI::App& command, CommonOptions& options);
// The facts of the measure that the options name. NotFound if the study has no such measure: the
// sentence says which there are.
Result<Facts> facts_of(std::shared_ptr<const Study> study, const CommonOptions& options);

struct Inputs {
  LoadRequest request;
  TimeScale target = TimeScale::Milliseconds;  // of plain numbers
  std::optional<TimeScale> unit;     // of numbers for people; nullopt: chosen for each value
  std::vector<std::string> sources;  // absolute paths of the source files among `paths`
  // Further dumps that were found, the newest of each other model: another record fits them.
  std::vector<std::string> other_models;
};

// What a command does about a record when only the dump was named.
enum class RecordSearch { BesideDump, Never };

// Finds the artifacts and checks the options. Notes about choices made go to stderr.
Result<Inputs> resolve_inputs(const CommonOptions& options,
                              RecordSearch search = RecordSearch::BesideDump,
                              const FileSystem& files = real_file_system());

// Writes to stdout, or to the file of -o. Whatever an artifact put into the text, no control
// character, no override of writing direction and nothing but UTF-8 comes out; `in_color`: the
// colours that etlens wrote do. Returns an exit status.
int write_output(const CommonOptions& options, std::string_view text, bool in_color = false);
// The same, byte for byte.
int write_raw_output(const CommonOptions& options, std::string_view text);

// The formats of commands that print a table, and what they can print: only what is asked for is
// made.
inline const std::vector<std::string> kTableFormats{"table", "tsv", "csv", "json", "markdown"};
struct TableForms {
  std::function<Table(TableStyle)> table;  // Data for tsv and csv, Human for Markdown
  std::function<std::string()> json;
  std::function<std::string()> text;  // for people
};
int print_table(const CommonOptions& options, const TableForms& forms);

// "5%" or "0.05", as the option was given. Error: InvalidParams.
Result<double> parse_fraction(const std::string& option, std::string_view text);

// Prints "etlens: <sentence>" on stderr, as safely as write_output.
void say(std::string_view sentence);

// Prints "etlens: <sentence>" on stderr and returns kUnusableInput, or kWrongUsage for options that
// ask for what cannot be.
int fail(const Error& error);

// True if stdout is a terminal that wants colours: no NO_COLOR, no -o.
bool wants_color(const CommonOptions& options);

// Columns of the terminal that the result is shown in; kTableWidth where it is none.
size_t table_width(const CommonOptions& options);
inline constexpr size_t kTableWidth = 120;

}  // namespace etlens::cli
