// SPDX-License-Identifier: Apache-2.0
// `etlens memory`: what is in use when a method's planned memory peaks, and on which lines it is
// made.
#include <memory>

#include "cli/commands.h"
#include "cli/program_inputs.h"
#include "core/render/memory_report.h"

namespace etlens::cli {
namespace {

const std::vector<std::string> kFormats{"table", "tsv", "csv", "json", "markdown"};

int run(const CommonOptions& options) {
  const Result<ProgramInputs> inputs = resolve_program(options);
  if (!inputs) return fail(inputs.error());
  const std::shared_ptr<const EtProgram>& program = inputs->loaded.program;
  LoadReport report = program->report;
  std::vector<MemoryFacts> methods;
  for (size_t m = 0; m < program->methods.size(); ++m) {
    methods.emplace_back(program, m, inputs->codes[m]);
    report.append(methods.back().report());
  }
  print_report(report);
  const MemoryFacts& facts = methods[inputs->method];
  if (options.format == "json") return write_output(options, memory_json(facts));
  if (options.format == "tsv")
    return write_output(options, to_tsv(memory_tensors_table(facts, TableStyle::Data)));
  if (options.format == "csv")
    return write_output(options, to_csv(memory_tensors_table(facts, TableStyle::Data)));
  if (options.format == "markdown")
    return write_output(options, to_markdown(memory_tensors_table(facts, TableStyle::Human)));
  return write_output(options, memory_text(methods, facts));
}

}  // namespace

void add_memory(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "memory", "Show the planned memory of a program: its peak, and the lines that make it");
  auto options = std::make_shared<CommonOptions>();
  add_program_options(*command, *options, kFormats);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace etlens::cli
