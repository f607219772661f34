// SPDX-License-Identifier: Apache-2.0
// Options that most subcommands share, and what they resolve to.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/output_file.h"
#include "core/facts/facts.h"
#include "core/render/table_printer.h"
#include "core/render/tables.h"
#include "core/workspace/resolve.h"

namespace etlens::cli {

// Exit statuses of the whole program.
inline constexpr int kSuccess = 0;
inline constexpr int kUnusableInput = 1;
inline constexpr int kWrongUsage = 2;

// What to load as it was typed, and how to show it. wish_of() gives the wish itself.
struct CommonOptions : StudyWish {
  std::vector<std::string> paths;      // source files or folders with artifacts
  std::vector<std::string> path_maps;  // FROM=TO
  std::string source_scale = "ns";
  std::string target_scale;  // "": ms, and for people what fits each value
  std::string statistic = "typical";
  std::string measure = "time";
  ValuesRequest named_values;  // for what shows values
  bool needs_dump = false;     // an export that has not run says nothing here
  bool wants_values = false;   // whether there are values that fit; not those of large dumps
  std::string format = "table";
  bool is_page = false;        // made to be sent, whatever `format` says (cli/sent_sources.h)
  std::string output;          // "" is stdout
  Arrangement arrangement;     // of the rows and columns of a table
  std::string color = "auto";  // auto, always, never
  bool explains = false;       // the words and signs that were used, at the end
};

// Whether the output is made to be sent or posted.
inline bool is_sent(const CommonOptions& options) {
  return options.is_page || options.format == "markdown";
}

// Adds the options that every command on a pair of artifacts has; `formats` are those it can print.
void add_common_options(CLI::App& command, CommonOptions& options,
                        const std::vector<std::string>& formats);

// Adds --etrecord and --no-etrecord.
void add_record_options(CLI::App& command, CommonOptions& options, const std::string& description);
// Of these, the second alone.
CLI::Option* add_no_record_option(CLI::App& command, CommonOptions& options);
// Adds --no-recover.
void add_recover_option(CLI::App& command, CommonOptions& options);
// Adds where sources are, and which are library code.
void add_source_options(CLI::App& command, CommonOptions& options);
// Adds --format, unless there are no `formats`, and -o. The first format is the default.
void add_output_options(CLI::App& command, CommonOptions& options,
                        const std::vector<std::string>& formats);
// Adds --source-time-scale.
void add_scale_option(CLI::App& command, CommonOptions& options);
// An option whose one value is a list: "a,b,c". What stands behind it is not taken for more of it.
CLI::Option* add_list_option(CLI::App& command, const std::string& name,
                             std::vector<std::string>& values, const std::string& description);

// An option that is given once for each of its values: what stands behind one is not taken for
// more.
CLI::Option* add_repeatable_option(CLI::App& command, const std::string& name,
                                   std::vector<std::string>& values, const std::string& type,
                                   const std::string& description);

// Adds those of commands that show one number for many executions.
void add_time_options(CLI::App& command, CommonOptions& options);

// Adds those of commands that print ranked tables: what is listed, in which order, how.
void add_view_options(CLI::App& command, CommonOptions& options);
// Of these, what all output for people has: colours, and an explanation of its words.
void add_reading_options(CLI::App& command, CommonOptions& options);

// Adds that of commands that show any measure.
void add_measure_option(CLI::App& command, CommonOptions& options);
// The facts of the measure that the options name. NotFound if the study has no such measure: the
// sentence says which there are.
Result<Facts> facts_of(std::shared_ptr<const Study> study, const CommonOptions& options);
// The measures to load for it: of a run no others than the one that is shown.
MeasureRows measures_for(const LoadRequest& request, const CommonOptions& options);

struct Inputs : ResolvedStudy {
  TimeScale target = TimeScale::Milliseconds;  // of plain numbers
  std::optional<TimeScale> unit;     // of numbers for people; nullopt: chosen for each value
  std::vector<std::string> sources;  // absolute paths of the source files among `paths`
  ValuesRequest values;              // as named
};

// What the options ask for, with absolute paths. Errors: InvalidParams; NotFound
// for roots and environments.
Result<StudyWish> wish_of(const CommonOptions& options);
// The same of a command about a program or a record. NotFound as well, for one that is not there.
Result<StudyWish> program_wish_of(const CommonOptions& options);

// What a command does about a record when only the dump was named.
enum class RecordSearch { BesideDump, Never };

// Finds the artifacts and checks the options. Notes about choices made go to stderr.
Result<Inputs> resolve_inputs(const CommonOptions& options,
                              RecordSearch search = RecordSearch::BesideDump,
                              const FileSystem& files = real_file_system());

// That the files, named by options, are there; "" is none. Asked before anything is searched for.
Result<void> check_named(const std::vector<const std::string*>& paths,
                         const FileSystem& files = real_file_system());

// That a dump has no record.
Error no_record(const LoadRequest& request);
// Says on stderr what keeps numbers from their lines although somebody may think that they are
// there: no record, or a program that was named and left out.
void say_what_is_missing(const CommonOptions& options, const LoadRequest& request,
                         const LoadReport& report);

// Writes to stdout, or to the file of -o. Whatever an artifact put into the text, no control
// character, no override of writing direction and nothing but UTF-8 comes out; `in_color`: the
// colours that etlens wrote do. Returns an exit status.
int write_output(const CommonOptions& options, std::string_view text, bool in_color = false);
// The file of -o, or stdout, for what is written piece by piece.
Result<OutputFile> open_output(const CommonOptions& options);
// The same as write_output, byte for byte.
int write_raw_output(const CommonOptions& options, std::string_view text);

// The formats of commands that print a table, and what they can print: only what is asked for is
// made.
inline const std::vector<std::string> kTableFormats{"table", "tsv", "csv", "json", "markdown"};
struct TableForms {
  std::function<Table(TableStyle)> table;  // Data for tsv and csv, Human for Markdown
  // `rows`: of the table of data. Where it has other rows, json_is_whole.
  std::function<std::string(const RowChoice& rows)> json;
  std::function<std::string(TablePrinter&)> text;  // for people
  bool json_is_whole = false;                      // no rows can be chosen
  // Markdown in front of the table.
  std::function<std::string()> head = [] { return std::string(); };
};
int print_table(const CommonOptions& options, const TableForms& forms);

// "5%" or "0.05", as the option was given. Error: InvalidParams.
Result<double> parse_fraction(const std::string& option, std::string_view text);

// Prints "etlens: <sentence>" on stderr, as safely as write_output, on one line. If stderr is
// closed or full, nothing happens.
void say(std::string_view sentence);

// Says the rows of a report, a sentence each.
void say_oddities(const LoadReport& report);

// Prints "etlens: <sentence>" on stderr and returns kUnusableInput, or kWrongUsage for options that
// ask for what cannot be.
int fail(const Error& error);

// What --color says; with auto, colours go to a terminal that can show them, or where
// CLICOLOR_FORCE wants them, and nowhere with NO_COLOR or CLICOLOR=0.
bool wants_color(const CommonOptions& options);

// How tables are printed for people: by the options, and for the terminal, if it is one.
PrintStyle print_style(const CommonOptions& options);

// The rows that the options choose of the table of data; InvalidParams for columns that are none.
Result<RowChoice> row_choice(const CommonOptions& options, const Table& data);

}  // namespace etlens::cli
