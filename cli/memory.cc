// SPDX-License-Identifier: Apache-2.0
// `etlens memory`: what is in use when a method's planned memory peaks, and on which lines it is
// made.
#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/program_inputs.h"
#include "core/base/fields_json.h"
#include "core/base/path.h"
#include "core/join/program_fit.h"
#include "core/render/memory_report.h"
#include "core/view/memory_view.h"
#include "core/workspace/load.h"

namespace etlens::cli {
namespace {

// What the allocators gave out while the program ran, if a dump of it was named.
Result<DumpAllocators> read_allocators(const CommonOptions& options, const LoadedProgram& loaded,
                                       std::shared_ptr<const EventLog>& log) {
  if (options.etdump.empty()) return DumpAllocators();
  LoadRequest request;
  request.etdump = absolute_path(current_folder(), options.etdump);
  const Result<Artifacts> dump = load_artifacts(real_file_system(), request);
  if (!dump) return dump.error();
  const auto fits = [&](const Block& block) {
    return fits_any_method(*loaded.program, *dump->log, dump->trees, block, loaded.record.get());
  };
  const auto is_execution = [](const Block& block) { return block.is_execution; };
  if (std::any_of(dump->blocks.begin(), dump->blocks.end(), is_execution) &&
      std::none_of(dump->blocks.begin(), dump->blocks.end(),
                   [&](const Block& block) { return block.is_execution && fits(block); })) {
    return Error{ErrorCode::Unsupported,
                 request.etdump + " and " + loaded.program->path +
                     " do not belong together; give an ETDump of a run of this program"};
  }
  log = dump->log;
  return DumpAllocators(allocator_facts(*log));
}

int run_memory(const CommonOptions& options) {
  const Result<ProgramInputs> inputs = resolve_program(options);
  if (!inputs) return fail(inputs.error());
  std::shared_ptr<const EventLog> log;  // that the allocators are views into
  const Result<DumpAllocators> allocators = read_allocators(options, inputs->loaded, log);
  if (!allocators) return fail(allocators.error());
  const std::shared_ptr<const EtProgram>& program = inputs->loaded.program;
  LoadReport report = program->report;
  std::vector<MemoryFacts> methods;
  for (size_t m = 0; m < program->methods.size(); ++m) {
    methods.emplace_back(program, m, inputs->codes[m]);
    report.append(methods.back().report());
  }
  say_oddities(report);
  const MemoryFacts& facts = methods[inputs->method];
  return print_table(
      options,
      {.table = [&](TableStyle style) { return memory_tensors_table(facts, style); },
       .json =
           [&](const RowChoice& rows) { return json_text(memory_view(facts, *allocators, rows)); },
       .text =
           [&](TablePrinter& printer) {
             return memory_text(methods, facts, *allocators, printer);
           }});
}

}  // namespace

void add_memory(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "memory", "Show the planned memory of a program: its peak, and the lines that make it");
  auto options = std::make_shared<CommonOptions>();
  add_program_options(*command, *options, kTableFormats);
  add_view_options(*command, *options);
  command
      ->add_option("--etdump", options->etdump,
                   "ETDump of a run of the program, for what its allocators gave out")
      ->type_name("FILE");
  command->callback([options, &status] { status = run_memory(*options); });
}

}  // namespace etlens::cli
