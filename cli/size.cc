// SPDX-License-Identifier: Apache-2.0
// `etlens size`: what every byte of a program's file is for.
#include <memory>

#include "cli/commands.h"
#include "cli/program_inputs.h"
#include "core/render/size_report.h"

namespace etlens::cli {
namespace {

const std::vector<std::string> kFormats{"table", "tsv", "csv", "json", "markdown"};

int run(const CommonOptions& options) {
  const Result<ProgramInputs> inputs = resolve_program(options);
  if (!inputs) return fail(inputs.error());
  const SizeFacts facts(real_file_system(), inputs->loaded.program, inputs->codes);
  LoadReport report = inputs->loaded.program->report;
  report.append(facts.report());
  print_report(report);
  if (options.format == "json") return write_output(options, size_json(facts));
  if (options.format == "tsv")
    return write_output(options, to_tsv(size_parts_table(facts, TableStyle::Data)));
  if (options.format == "csv")
    return write_output(options, to_csv(size_parts_table(facts, TableStyle::Data)));
  if (options.format == "markdown")
    return write_output(options, to_markdown(size_parts_table(facts, TableStyle::Human)));
  return write_output(options, size_text(facts));
}

}  // namespace

void add_size(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "size", "Show what every byte of a program's file is for, by module and line");
  auto options = std::make_shared<CommonOptions>();
  add_program_options(*command, *options, kFormats);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace etlens::cli
