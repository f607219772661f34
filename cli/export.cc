// SPDX-License-Identifier: Apache-2.0
// `etlens export`: the profile in a form that another program reads.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "cli/commands.h"
#include "cli/report_inputs.h"
#include "core/base/path.h"
#include "core/export/call_graph.h"
#include "core/formats/file_kind.h"
#include "core/workspace/load_profile.h"

namespace etlens::cli {
namespace {

struct Options {
  ReportOptions report;
  std::string to;
};

// The form that Python profiles alone have.
constexpr std::string_view kDot = "dot";

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

bool is_python_profile(const std::string& path) {
  const Result<Bytes> front = real_file_system().read_range(path, 0, kKindBytes);
  return front && file_kind(front->span()) == FileKind::PythonProfile;
}

int export_call_graph(const Options& options) {
  const std::vector<std::string>& paths = options.report.common.paths;
  if (paths.size() != 1 || !is_python_profile(paths.front())) {
    return fail({ErrorCode::InvalidParams,
                 "dot is the call graph of a Python profile; name one .prof file"});
  }
  const Result<PythonProfile> profile =
      load_profile(real_file_system(), absolute_path(current_folder(), paths.front()));
  if (!profile) return fail(profile.error());
  return write_to(options.report, [&](Sink& sink) { write_call_graph(*profile, {}, sink); });
}

int run(const Options& options) {
  if (options.to == kDot) return export_call_graph(options);
  if (!options.report.common.paths.empty() &&
      is_python_profile(options.report.common.paths.front())) {
    return fail({ErrorCode::InvalidParams,
                 fmt::format("{} is of an ETDump; of a Python profile there is --to dot, for "
                             "Graphviz: … | dot -Tsvg",
                             options.to)});
  }
  const ExportForm& form = *find_export_form(options.to);
  const std::string& output = options.report.common.output;
  if (form.is_binary && output.empty() && ::isatty(STDOUT_FILENO) != 0) {
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
  auto options = std::make_shared<Options>();
  add_report_options(*command, options->report);
  std::vector<std::string> names;
  for (const ExportForm& form : export_forms()) names.emplace_back(form.name);
  command->add_option("--to", options->to, "Form of the file")
      ->type_name("FORM")
      ->required()
      ->check(CLI::IsMember(names));
  command->footer(list_of_forms());
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace etlens::cli
