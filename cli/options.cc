// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "cli/terminal.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/facts/value_facts.h"

namespace etlens::cli {
namespace {

const std::vector<std::string> kScales{"ns", "us", "ms", "s", "cycles"};

// Counts are unsigned, and "-1" would be the greatest of them.
const CLI::Validator kFromZero(
    [](const std::string& text) {
      return text.starts_with('-') ? "a whole number from 0 on is needed" : std::string();
    },
    "");

int print_json(const CommonOptions& options, const TableForms& forms) {
  const bool is_arranged = options.arrangement.chooses_rows() && forms.json_is_whole;
  if (is_arranged || !options.arrangement.columns.empty()) {
    return fail({ErrorCode::InvalidParams,
                 fmt::format("--format json has every {}; leave out {}, or choose another format",
                             is_arranged ? "row" : "field",
                             is_arranged ? "--top, --sort and --reverse" : "--columns")});
  }
  if (!options.arrangement.chooses_rows()) return write_output(options, forms.json({}));
  const Result<RowChoice> rows = row_choice(options, forms.table(TableStyle::Data));
  return rows ? write_output(options, forms.json(*rows)) : fail(rows.error());
}

// Columns of the terminal that the result is shown in, or that COLUMNS says it has; 0 where it is
// shown in none.
size_t terminal_width(const CommonOptions& options) {
  if (!options.output.empty() || !is_terminal(stdout)) return 0;
  const char* columns = std::getenv("COLUMNS");
  const int64_t said = parse_int(columns == nullptr ? "" : columns).value_or(0);
  return said > 0 ? static_cast<size_t>(said) : terminal_columns();
}

}  // namespace

void add_common_options(CLI::App& command, CommonOptions& options,
                        const std::vector<std::string>& formats) {
  command.add_option(
      "PATH", options.paths,
      "Source files to show, or folders with artifacts (default: the working folder)");
  command
      .add_option("--etdump", options.etdump,
                  "ETDump of the runtime (default: the newest one found)")
      ->type_name("FILE");
  add_record_options(command, options,
                     "ETRecord of the export (default: the one found that fits the dump)");
  command
      .add_option("--pte", options.pte,
                  "Program that was run: makes delegate events and branches certain (default: the "
                  "one found that fits the dump)")
      ->type_name("FILE");
  command
      .add_option("--method", options.selection.method,
                  "Method to show (default: forward, if it ran)")
      ->type_name("NAME");
  command
      .add_option("--block", options.selection.block,
                  "Block of executions to show, e.g. \"Execute #2\"")
      ->type_name("NAME");
  add_source_options(command, options);
  add_recover_option(command, options);
  add_scale_option(command, options);
  command
      .add_option("--target-time-scale", options.target_scale,
                  "Unit of printed times (default: ms; in tables what fits each value)")
      ->check(CLI::IsMember(kScales));
  add_output_options(command, options, formats);
}

void add_output_options(CLI::App& command, CommonOptions& options,
                        const std::vector<std::string>& formats) {
  if (!formats.empty()) {
    options.format = formats.front();
    command.add_option("--format", options.format, "Form of the result")
        ->check(CLI::IsMember(formats))
        ->capture_default_str();
  }
  command.add_option("-o", options.output, "Write the result to FILE instead of stdout")
      ->type_name("FILE");
}

CLI::Option* add_no_record_option(CLI::App& command, CommonOptions& options) {
  return command.add_flag("!--no-etrecord", options.finds_record,
                          "Use no ETRecord: numbers stand on events and delegate "
                          "calls, not on lines");
}

void add_record_options(CLI::App& command, CommonOptions& options, const std::string& description) {
  CLI::Option* named =
      command.add_option("--etrecord", options.etrecord, description)->type_name("FILE");
  add_no_record_option(command, options)->excludes(named);
}

void add_scale_option(CLI::App& command, CommonOptions& options) {
  command.add_option("--source-time-scale", options.source_scale, "Unit of a dump's ticks")
      ->check(CLI::IsMember(kScales))
      ->capture_default_str();
}

void add_source_options(CLI::App& command, CommonOptions& options) {
  add_repeatable_option(command, "--root", options.roots, "DIR",
                        "Folder that holds the sources; repeatable");
  add_repeatable_option(
      command, "--path-map", options.path_maps, "FROM=TO",
      "Where files recorded below FROM are now; repeatable, the first match wins");
  add_repeatable_option(command, "--python-environment", options.environments, "DIR",
                        "Python environment, or its interpreter, that has the installed packages; "
                        "repeatable (default: those below the folders of the sources)");
  add_repeatable_option(command, "--library-frames", options.library_frames, "GLOB",
                        "Files that count as library code, not as yours; repeatable");
}

void add_recover_option(CLI::App& command, CommonOptions& options) {
  command.add_flag(
      "!--no-recover", options.recovers,
      "Leave time on the lines of forward where the export lost the lines inside helpers: they are "
      "not looked for in the sources");
}

void add_time_options(CLI::App& command, CommonOptions& options) {
  command
      .add_option("--statistic", options.statistic,
                  "What many executions are as one number: typical (the mean without "
                  "interruptions), mean, median, min or max")
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--executions", options.time.executions,
                  "Executions to use: numbers like 1-25,30, or slow, fast or all (default: all, or "
                  "the group with most of the time where they did different work)")
      ->type_name("LIST");
  command
      .add_option("--group", options.time.group,
                  "Group of executions that did the same work, e.g. decode or \"group B\": `etlens "
                  "check` lists them (default: the one with most of the time)")
      ->type_name("NAME");
  command
      .add_option("--warmup", options.time.warmup,
                  "Leave out the first N executions, which are the warm-up of a dump (default: 0)")
      ->type_name("N")
      ->check(kFromZero);
  command.add_flag("--raw", options.time.is_raw,
                   "Durations as they were logged: those that a backend cut to whole steps of a "
                   "coarse clock are not centred");
}

void add_reading_options(CLI::App& command, CommonOptions& options) {
  command.add_flag("--explain", options.explains, "Print below it what its words and signs mean");
  command.add_option("--color", options.color, "Colours: auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN")
      ->capture_default_str();
}

CLI::Option* add_list_option(CLI::App& command, const std::string& name,
                             std::vector<std::string>& values, const std::string& description) {
  const auto take = [&values](const std::string& list) {
    values.clear();
    for (const std::string_view value : split(list, ',')) {
      if (!trim(value).empty()) values.emplace_back(trim(value));
    }
  };
  return command.add_option_function<std::string>(name, take, description);
}

CLI::Option* add_repeatable_option(CLI::App& command, const std::string& name,
                                   std::vector<std::string>& values, const std::string& type,
                                   const std::string& description) {
  return command.add_option(name, values, description)->type_name(type)->allow_extra_args(false);
}

void add_view_options(CLI::App& command, CommonOptions& options) {
  command
      .add_option("--top", options.arrangement.top,
                  "List N rows; 0 is all of them (default: what a screen can take)")
      ->type_name("N")
      ->check(kFromZero);
  command
      .add_option("--sort", options.arrangement.sort,
                  "Order the rows by this column: numbers from the greatest, names from the first")
      ->type_name("COLUMN");
  command.add_flag("--reverse", options.arrangement.is_reversed, "Turn the order round");
  add_list_option(command, "--columns", options.arrangement.columns,
                  "Print these columns, in this order; `all` has those that are left out otherwise")
      ->type_name("NAME,…");
  add_reading_options(command, options);
}

void add_measure_option(CLI::App& command, CommonOptions& options) {
  command
      .add_option(
          "--measure", options.measure,
          "What to show: time; memory and size, where the program is there; error, where the dump "
          "logged values and there is something to compare them with; compile_time, of --prof")
      ->type_name("ID")
      ->capture_default_str();
  command
      .add_option("--reference", options.named_values.reference,
                  "Of the measure error: compare with another dump, a bundled program (.bpte), an "
                  "ETRecord's reference outputs, or an .npz (default: a file next to the dump)")
      ->type_name("FILE");
  command
      .add_option(
          "--debug-buffer", options.named_values.debug_buffer,
          "Of the measure error: bytes of the values (default: the file next to the dump with "
          "its name and .bin)")
      ->type_name("FILE");
  command
      .add_option(
          "--prof", options.profile,
          "Python profile of Dynamo's profiler or of cProfile; without a dump it is what is shown")
      ->type_name("FILE");
}

Result<Facts> facts_of(std::shared_ptr<const Study> study, const CommonOptions& options) {
  std::vector<std::string> there;
  if (options.measure == kTimeId) return Facts(study, study->first_measure(), FactsFor::Reports);
  for (size_t m = 0; m < study->measures.size(); ++m) {
    there.emplace_back(study->measures[m].quantity.id);
    if (there.back() == options.measure) return Facts(std::move(study), m, FactsFor::Reports);
  }
  std::string why;
  for (const Oddity oddity : {Oddity::ValuesReferenceUnfit, Oddity::ValuesUnreadable}) {
    const ReportRow* row = study->report.find(oddity);
    if (row != nullptr && ValuesFacts::has_measure(options.measure)) why += "; " + row->first;
  }
  if (why.empty() && study->values && !study->values->reference.empty() &&
      ValuesFacts::has_measure(options.measure)) {
    why = fmt::format(
        "; {} has only what the method returns, and where error begins the values of "
        "every operator show (an .npz, or another dump)",
        study->values->reference);
  }
  return Error{ErrorCode::NotFound, fmt::format("there is no measure {} here; there is: {}{}",
                                                options.measure, join(there, ", "), why)};
}

MeasureRows measures_for(const LoadRequest& request, const CommonOptions& options) {
  const bool is_time = options.measure == kTimeId && !request.etdump.empty();
  return is_time ? MeasureRows{} : request.measures;
}

int write_output(const CommonOptions& options, std::string_view text, bool in_color) {
  return write_raw_output(options, in_color ? shown_in_color(text) : shown_text(text));
}

namespace {

// Numbers stay numbers.
Table for_spreadsheets(Table table) {
  for (std::vector<std::string>& row : table.rows) {
    for (size_t c = 0; c < row.size(); ++c) {
      if (table.columns[c].align == Align::Left) row[c] = spreadsheet_text(row[c]);
    }
  }
  return table;
}

}  // namespace

int print_table(const CommonOptions& options, const TableForms& forms) {
  const std::string& format = options.format;
  if (format == "json") return print_json(options, forms);
  if (format == "table") {
    TablePrinter printer(print_style(options));
    const std::string text = forms.text(printer);
    if (printer.problem()) return fail(*printer.problem());
    return write_output(options, text + printer.legend(), printer.style().in_color);
  }
  const bool is_markdown = format == "markdown";
  Result<Table> table = arranged(forms.table(is_markdown ? TableStyle::Human : TableStyle::Data),
                                 options.arrangement);
  if (!table) return fail(table.error());
  if (is_markdown) return write_output(options, forms.head() + to_markdown(*table));
  return write_output(
      options, format == "csv" ? to_csv(for_spreadsheets(*std::move(table))) : to_tsv(*table));
}

int write_raw_output(const CommonOptions& options, std::string_view text) {
  Result<OutputFile> file = open_output(options);
  if (!file) return fail(file.error());
  file->write(text);
  const Result<void> written = file->commit();
  return written ? kSuccess : fail(written.error());
}

Result<OutputFile> open_output(const CommonOptions& options) {
  if (options.output.empty()) return OutputFile::standard_output();
  return OutputFile::create(options.output);
}

Result<double> parse_fraction(const std::string& option, std::string_view text) {
  const bool is_percent = text.ends_with('%');
  const std::optional<double> number =
      parse_double(is_percent ? text.substr(0, text.size() - 1) : text);
  if (!number || !std::isfinite(*number) || *number < 0) {
    return Error{ErrorCode::InvalidParams,
                 fmt::format("{} {} is not a share; give one like 5% or 0.05", option, text)};
  }
  if (!is_percent && *number >= 1) {
    return Error{ErrorCode::InvalidParams,
                 fmt::format("{0} {1} may be {1}% or {2:g}%; write one of them", option, text,
                             *number * 100)};
  }
  return is_percent ? *number / 100 : *number;
}

void say(std::string_view sentence) {
  std::string line(shown_text(sentence));
  std::replace(line.begin(), line.end(), '\n', ' ');  // what files call things may have lines
  write_message("etlens: " + line + "\n");
}

void say_oddities(const LoadReport& report) {
  for (const ReportRow& row : report.rows()) {
    say(fmt::format("{} ({}, {})", advice_of(row.oddity), row.first, counted(row.count, "time")));
  }
}

int fail(const Error& error) {
  say(error.message);
  return error.code == ErrorCode::InvalidParams ? kWrongUsage : kUnusableInput;
}

bool wants_color(const CommonOptions& options) {
  if (options.color != "auto") return options.color == "always";
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  if (!variable("NO_COLOR").empty()) return false;
  const std::string_view force = variable("CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return true;
  return options.output.empty() && is_terminal(stdout) && variable("TERM") != "dumb" &&
         variable("CLICOLOR") != "0";
}

PrintStyle print_style(const CommonOptions& options) {
  return {options.arrangement, terminal_width(options), wants_color(options), options.explains};
}

Result<RowChoice> row_choice(const CommonOptions& options, const Table& data) {
  if (!options.arrangement.chooses_rows()) return RowChoice();
  Result<std::vector<size_t>> rows = arranged_rows(data, options.arrangement);
  if (!rows) return rows.error();
  return RowChoice(std::move(*rows));
}

}  // namespace etlens::cli
