// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet_inputs.h"

#include <fmt/format.h>

#include "cli/terminal.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/fleet/processes.h"

namespace etlens::cli {
namespace {

constexpr size_t kShownEvery = 16;  // dumps

Result<FactSources> read_facts(const std::vector<std::string>& given) {
  FactSources sources;
  for (const std::string& text : given) {
    const bool is_table = text.ends_with(".csv");
    Result<void> added = add_fact_source(
        real_file_system(), is_table ? absolute_path(current_folder(), text) : text, sources);
    if (!added) return std::move(added).error();
  }
  return sources;
}

}  // namespace

void add_fleet_inputs(CLI::App& command, FleetInputOptions& options) {
  CommonOptions& common = options.common;
  command.add_option("PATH", common.paths,
                     "Dumps, or folders that hold them (default: the working folder)");
  add_record_options(
      command, common,
      "ETRecord of all dumps (default: of those found, the one that fits each best)");
  command.add_option("--pte", common.pte, "Program of all dumps")->type_name("FILE");
  command
      .add_option("--method", common.selection.method,
                  "Method to read (default: forward, if it ran)")
      ->type_name("NAME");
  command.add_option("--block", common.selection.block, "Block of executions to read")
      ->type_name("NAME");
  add_source_options(command, common);
  common.recovers = false;
  command.add_flag("--recover", common.recovers,
                   "Find the lines inside helpers that exports lost, with the sources of each "
                   "export; otherwise their time stays on the lines of forward");
  add_scale_option(command, common);
  add_time_options(command, common);
  add_repeatable_option(
      command, "--facts", options.facts, "PATTERN|FILE",
      "Where facts of a dump are written: a pattern of the end of its path "
      "(devices/{device}/{build}/*.etdp), or a table with a column dump (FILE.csv); "
      "repeatable. NAME.json next to a dump is always read");
  command
      .add_option("--jobs", options.jobs, "Processes that read dumps (default: one a processor)")
      ->type_name("N");
}

Result<FleetInputs> resolve_fleet(const FleetInputOptions& options) {
  FleetInputs fleet;
  const std::string here = current_folder();
  std::vector<std::string> paths;
  for (const std::string& path : options.common.paths) paths.push_back(absolute_path(here, path));
  if (paths.empty()) paths.push_back(here);
  Result<DumpSearch> search = find_dumps(real_file_system(), paths);
  if (!search) return std::move(search).error();
  if (search->dumps.empty()) {
    return Error{ErrorCode::NotFound, "no ETDump below " + join(paths, ", ") +
                                          "; name a folder that holds dumps, or dumps"};
  }
  CommonOptions common = options.common;
  common.paths.clear();
  common.etdump = search->dumps.front();
  Result<Inputs> inputs = resolve_inputs(common, RecordSearch::Never);
  if (!inputs) return std::move(inputs).error();
  Result<FactSources> facts = read_facts(options.facts);
  if (!facts) return std::move(facts).error();
  fleet.work.dumps = std::move(search->dumps);
  fleet.work.reader.load = inputs->request;
  if (!options.common.finds_record) {
    std::erase_if(search->partners,
                  [](const FoundArtifact& partner) { return partner.kind == FileKind::EtRecord; });
  }
  fleet.work.reader.partners = std::move(search->partners);
  fleet.work.reader.facts = std::move(*facts);
  fleet.work.reader.here = here;
  fleet.work.jobs = options.jobs == 0 ? processor_count() : options.jobs;
  fleet.inputs = std::move(*inputs);
  return fleet;
}

Result<void> read_with_progress(const DumpWork& work,
                                const std::function<Result<void>(DumpText)>& take,
                                const std::function<void(std::string)>& leave_out) {
  const bool shows = is_terminal(stderr);
  std::optional<Error> problem;
  const auto take_one = [&](size_t i, DumpText text) {
    if (shows && i % kShownEvery == 0)
      write_message(fmt::format("\rreading dump {} of {} ", i + 1, work.dumps.size()));
    Result<void> taken = take(std::move(text));
    if (!taken) problem = std::move(taken).error();
    return !problem;
  };
  const Result<void> read = read_dumps(real_file_system(), work, take_one, leave_out);
  if (shows) write_message("\r\x1b[K");
  if (problem) return std::move(*problem);
  return read;
}

}  // namespace etlens::cli
