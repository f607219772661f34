// SPDX-License-Identifier: Apache-2.0
// `etlens export`: the profile in a form that another program reads.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "cli/commands.h"
#include "cli/report_inputs.h"

namespace etlens::cli {
namespace {

struct Options {
  ReportOptions report;
  std::string to;
};

std::string list_of_forms() {
  std::string text = "Forms:\n";
  for (const ExportForm& form : export_forms())
    text += fmt::format("  {:<12} for {}\n", form.name, form.opens_in);
  return text +
         "Every number is the one that the other commands print; docs/exports.md says what is in "
         "each form.";
}

int run(const Options& options) {
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
