// SPDX-License-Identifier: Apache-2.0
// `etlens report`: one page about a profile, to send or to post.
#include <memory>

#include "cli/commands.h"
#include "cli/report_inputs.h"

namespace etlens::cli {
namespace {

struct ReportCommandOptions {
  ReportOptions report;
  std::string format;
};

// As it was asked for, or as the name of the file tells.
const ExportForm& form_of(const ReportCommandOptions& options) {
  const std::string& output = options.report.common.output;
  if (!options.format.empty()) return *find_export_form(options.format);
  return *find_export_form(output.ends_with(".md") ? "markdown" : "html");
}

int run_report(const ReportCommandOptions& options) {
  const Result<ReportInputs> inputs = load_report(options.report, true);
  if (!inputs) return fail(inputs.error());
  return write_form(options.report, form_of(options), *inputs);
}

}  // namespace

void add_report(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("report", "Write a page about the profile, to send or to post");
  auto options = std::make_shared<ReportCommandOptions>();
  add_report_options(*command, options->report);
  command
      ->add_option("--format", options->format,
                   "html: one file that needs no network and no script; markdown: for a pull "
                   "request (default: html, or by the name of the file)")
      ->check(CLI::IsMember({"html", "markdown"}));
  command->callback([options, &status] { status = run_report(*options); });
}

}  // namespace etlens::cli
