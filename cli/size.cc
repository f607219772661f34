// SPDX-License-Identifier: Apache-2.0
// `etlens size`: what every byte of a program's file is for.
#include <memory>

#include "cli/commands.h"
#include "cli/program_inputs.h"
#include "core/base/fields_json.h"
#include "core/render/size_report.h"
#include "core/view/size_view.h"

namespace etlens::cli {
namespace {

int run_size(const CommonOptions& options) {
  const Result<ProgramInputs> inputs = resolve_program(options);
  if (!inputs) return fail(inputs.error());
  const SizeFacts facts(real_file_system(), inputs->loaded.program, inputs->codes);
  LoadReport report = inputs->loaded.program->report;
  report.append(facts.report());
  say_oddities(report);
  return print_table(
      options, {.table = [&](TableStyle style) { return size_parts_table(facts, style); },
                .json = [&](const RowChoice& rows) { return json_text(size_view(facts, rows)); },
                .text = [&](TablePrinter& printer) { return size_text(facts, printer); }});
}

}  // namespace

void add_size(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "size", "Show what every byte of a program's file is for, by module and line");
  auto options = std::make_shared<CommonOptions>();
  add_program_options(*command, *options, kTableFormats);
  add_view_options(*command, *options);
  command->callback([options, &status] { status = run_size(*options); });
}

}  // namespace etlens::cli
