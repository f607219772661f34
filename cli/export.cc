// SPDX-License-Identifier: Apache-2.0
// `etlens export`: the profile in a form that another program reads.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/program_inputs.h"
#include "cli/python_profiles.h"
#include "cli/report_inputs.h"
#include "cli/terminal.h"
#include "core/base/path.h"
#include "core/export/call_graph.h"
#include "core/export/memory_chart.h"
#include "core/formats/pstats/pstats_writer.h"

namespace etlens::cli {
namespace {

struct ExportOptions {
  ReportOptions report;
  std::string to;
};

// The form that Python profiles alone have.
constexpr std::string_view kDot = "dot";
// What they have as well.
constexpr std::string_view kProf = "prof";
// The form that can be of memory.
constexpr std::string_view kSvg = "svg";

std::string list_of_forms() {
  std::string text = "Forms:\n";
  for (const ExportForm& form : export_forms())
    text += fmt::format("  {:<12} for {}\n", form.name, form.opens_in);
  text += fmt::format(
      "  {:<12} for Graphviz: the call graph of a Python profile (PATH is a .prof)\n", kDot);
  return text +
         "Every number is the one that the other commands print; docs/exports.md says what is in "
         "each form.";
}

// Of Python profiles that were named instead of artifacts; several are added up.
int export_python_profiles(const ExportOptions& options) {
  const std::vector<std::string>& paths = options.report.common.paths;
  if (!std::all_of(paths.begin(), paths.end(), is_python_profile) || paths.empty()) {
    return fail({ErrorCode::InvalidParams,
                 "dot is the call graph of Python profiles; name one or more .prof files"});
  }
  const Result<PythonProfiles> profiles = load_python_profiles(paths);
  if (!profiles) return fail(profiles.error());
  return write_to(options.report, [&](Sink& sink) {
    if (options.to == kDot) return write_call_graph(profiles->all, sink);
    (void)write_python_profile(profiles->all, [&](std::string_view piece) {
      sink << piece;
      return true;  // the sink's end says what could not be written
    });
  });
}

// Of the program alone: no dump says what was planned.
int export_memory_chart(const ExportOptions& options) {
  if (options.to != kSvg) {
    return fail({ErrorCode::InvalidParams,
                 fmt::format("{} is no picture of memory; --to svg is, and `etlens memory` prints "
                             "what is planned",
                             options.to)});
  }
  CommonOptions common = options.report.common;
  common.is_page = true;
  // A program that was not named lies beside the dump that was.
  if (common.pte.empty() && common.paths.empty() && !common.etdump.empty())
    common.paths.emplace_back(parent_path(absolute_path(current_folder(), common.etdump)));
  const Result<ProgramInputs> inputs = resolve_program(common);
  if (!inputs) return fail(inputs.error());
  const MemoryFacts facts(inputs->loaded.program, inputs->method, inputs->codes[inputs->method]);
  say_oddities(facts.report());
  return write_to(options.report,
                  [&](Sink& sink) { write_memory_chart(facts, PictureKind::File, sink); });
}

int run_export(const ExportOptions& options) {
  const std::vector<std::string>& paths = options.report.common.paths;
  const bool has_profile = !paths.empty() && is_python_profile(paths.front());
  if (options.to == kDot || (options.to == kProf && has_profile))
    return export_python_profiles(options);
  if (has_profile) {
    return fail({ErrorCode::InvalidParams,
                 fmt::format("{} is of an ETDump; of a Python profile there is --to prof, and "
                             "--to dot for Graphviz: … | dot -Tsvg",
                             options.to)});
  }
  if (options.report.common.measure == kMemoryId) return export_memory_chart(options);
  const ExportForm& form = *find_export_form(options.to);
  const std::string& output = options.report.common.output;
  if (form.is_binary && output.empty() && is_terminal(stdout)) {
    return fail(
        {ErrorCode::InvalidParams, fmt::format("{} is binary; name a file with -o, like -o model{}",
                                               form.name, form.suffix)});
  }
  const bool is_report = form.name == "html" || form.name == "markdown";
  const Result<ReportInputs> inputs = load_report(options.report, is_report);
  if (!inputs) return fail(inputs.error());
  return write_form(options.report, form, *inputs);
}

}  // namespace

void add_export(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("export", "Write the profile in a form that another program reads");
  auto options = std::make_shared<ExportOptions>();
  add_report_options(*command, options->report);
  std::vector<std::string> names;
  for (const ExportForm& form : export_forms()) names.emplace_back(form.name);
  names.emplace_back(kDot);
  command->add_option("--to", options->to, "Form of the file")
      ->type_name("FORM")
      ->required()
      ->check(CLI::IsMember(names));
  command
      ->add_option("--measure", options->report.common.measure,
                   "What the svg shows: time, as a flame graph; memory, the chart of what the "
                   "program planned (PATH may be a .pte)")
      ->type_name("ID")
      ->capture_default_str()
      ->check(CLI::IsMember({std::string(kTimeId), std::string(kMemoryId)}));
  command->footer(list_of_forms());
  command->callback([options, &status] { status = run_export(*options); });
}

}  // namespace etlens::cli
