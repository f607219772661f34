// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/facts/value_facts.h"

namespace etlens::cli {
namespace {

const std::vector<std::string> kScales{"ns", "us", "ms", "s", "cycles"};

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
  command
      .add_option("--etrecord", options.etrecord,
                  "ETRecord of the export (default: the one found that fits the dump)")
      ->type_name("FILE");
  command
      .add_option("--pte", options.pte,
                  "Program that was run: makes delegate events and branches certain (default: the "
                  "one found that fits the dump)")
      ->type_name("FILE");
  command.add_option("--method", options.method, "Method to show (default: forward, if it ran)")
      ->type_name("NAME");
  command.add_option("--block", options.block, "Block of executions to show, e.g. \"Execute #2\"")
      ->type_name("NAME");
  command.add_option("--root", options.roots, "Folder that holds the sources; repeatable")
      ->type_name("DIR");
  command
      .add_option("--path-map", options.path_maps,
                  "Where files recorded below FROM are now; repeatable, the first match wins")
      ->type_name("FROM=TO");
  command
      .add_option("--library-frames", options.library_frames,
                  "Files that count as library code, not as yours; repeatable")
      ->type_name("GLOB");
  add_recover_option(command, options);
  command.add_option("--source-time-scale", options.source_scale, "Unit of the dump's ticks")
      ->check(CLI::IsMember(kScales))
      ->capture_default_str();
  command
      .add_option("--target-time-scale", options.target_scale,
                  "Unit of printed times (default: ms; in tables what fits each value)")
      ->check(CLI::IsMember(kScales));
  if (!formats.empty()) {
    options.format = formats.front();
    command.add_option("--format", options.format, "Form of the result")
        ->check(CLI::IsMember(formats))
        ->capture_default_str();
  }
  command.add_option("-o", options.output, "Write the result to FILE instead of stdout")
      ->type_name("FILE");
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
      .add_option("--executions", options.executions,
                  "Executions to use: numbers like 1-25,30, or slow, fast or all (default: all, or "
                  "the larger group where they do different work)")
      ->type_name("LIST");
  command.add_flag("--raw", options.is_raw,
                   "Durations as they were logged: those that a backend cut to whole steps of a "
                   "coarse clock are not centred");
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
      .add_option("--reference", options.reference,
                  "Of the measure error: compare with another dump, a bundled program (.bpte), an "
                  "ETRecord's reference outputs, or an .npz (default: what lies beside the dump)")
      ->type_name("FILE");
  command
      .add_option("--debug-buffer", options.debug_buffer,
                  "Likewise: bytes of the values (default: the file beside the dump with its name "
                  "and .bin)")
      ->type_name("FILE");
  command
      .add_option(
          "--prof", options.profile,
          "Python profile of Dynamo's profiler or of cProfile; without a dump it is what is "
          "shown")
      ->type_name("FILE");
}

Result<Facts> facts_of(std::shared_ptr<const Study> study, const CommonOptions& options) {
  std::vector<std::string> there;
  if (options.measure == kTimeId) return Facts(study, study->first_measure());
  for (size_t m = 0; m < study->measures.size(); ++m) {
    there.emplace_back(study->measures[m].quantity.id);
    if (there.back() == options.measure) return Facts(std::move(study), m);
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
        "every operator tell (an .npz, or another dump)",
        study->values->reference);
  }
  return Error{ErrorCode::NotFound, fmt::format("there is no measure {} here; there is: {}{}",
                                                options.measure, join(there, ", "), why)};
}

int write_output(const CommonOptions& options, std::string_view text, bool in_color) {
  return write_raw_output(options, in_color ? shown_in_color(text) : shown_text(text));
}

int print_table(const CommonOptions& options, const TableForms& forms) {
  const std::string& format = options.format;
  const auto print = [&](std::string_view text) { return write_output(options, text); };
  if (format == "json") return print(forms.json());
  if (format == "tsv") return print(to_tsv(forms.table(TableStyle::Data)));
  if (format == "csv") return print(to_csv(forms.table(TableStyle::Data)));
  if (format == "markdown") return print(to_markdown(forms.table(TableStyle::Human)));
  return print(forms.text());
}

int write_raw_output(const CommonOptions& options, std::string_view text) {
  std::FILE* file = options.output.empty() ? stdout : std::fopen(options.output.c_str(), "wb");
  bool ok = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file != nullptr) ok &= (options.output.empty() ? std::fflush(file) : std::fclose(file)) == 0;
  if (ok) return kSuccess;
  return fail({ErrorCode::Io, "cannot write " +
                                  (options.output.empty() ? "to stdout" : options.output) +
                                  "; check the path and the space left"});
}

Result<double> parse_fraction(const std::string& option, std::string_view text) {
  const bool is_percent = text.ends_with('%');
  const std::optional<double> number =
      parse_double(is_percent ? text.substr(0, text.size() - 1) : text);
  if (!number || *number < 0) {
    return Error{ErrorCode::InvalidParams,
                 fmt::format("{} {} is no share; give one like 5% or 0.05", option, text)};
  }
  return is_percent ? *number / 100 : *number;
}

void say(std::string_view sentence) { fmt::print(stderr, "etlens: {}\n", shown_text(sentence)); }

int fail(const Error& error) {
  say(error.message);
  return error.code == ErrorCode::InvalidParams ? kWrongUsage : kUnusableInput;
}

bool wants_color(const CommonOptions& options) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return options.output.empty() && (no_color == nullptr || *no_color == '\0') &&
         ::isatty(STDOUT_FILENO) != 0 &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

size_t table_width(const CommonOptions& options) {
  winsize size{};
  const bool is_terminal =
      options.output.empty() && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_terminal ? size.ws_col : kTableWidth;
}

}  // namespace etlens::cli
