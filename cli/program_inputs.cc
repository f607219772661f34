// SPDX-License-Identifier: Apache-2.0
#include "cli/program_inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/sent_sources.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/join/program_code.h"

namespace etlens::cli {

Result<LoadRequest> find_program(const CommonOptions& options) {
  Result<StudyWish> wish = program_wish_of(options);
  if (!wish) return std::move(wish).error();
  const std::string here = current_folder();
  DiscoveryOptions search;
  for (const std::string& path : options.paths) {
    std::string absolute = absolute_path(here, path);
    const Result<FileStamp> stamp = real_file_system().stat(absolute);
    if (!stamp) return stamp.error();
    if (stamp->is_directory) search.roots.push_back(std::move(absolute));
    else if (wish->pte.empty()) wish->pte = std::move(absolute);
  }
  if (!wish->pte.empty()) search.roots.emplace_back(parent_path(wish->pte));
  else if (search.roots.empty()) search.roots.push_back(here);
  if (wish->roots.empty()) wish->roots = search.roots;
  const bool finds_record = wish->etrecord.empty() && wish->finds_record;
  std::vector<FoundArtifact> found;
  if (wish->pte.empty() || finds_record) found = find_artifacts(real_file_system(), search);
  if (wish->pte.empty() && programs_by_age(found).empty()) {
    return Error{ErrorCode::NotFound,
                 "no .pte program below " + join(search.roots, ", ") + "; give one with --pte"};
  }
  Result<ResolvedProgram> resolved = resolve_program(real_file_system(), found, *wish);
  if (!resolved) return std::move(resolved).error();
  LoadRequest& request = resolved->request;
  if (wish->pte.empty() && resolved->programs > 1) {
    say(fmt::format("{} is the newest of {} programs; choose another with --pte",
                    relative_path(here, request.pte), resolved->programs));
  }
  if (finds_record && !request.etrecord.empty())
    say(fmt::format("lines are those of {}", relative_path(here, request.etrecord)));
  if (is_sent(options)) request.source_files = sent_sources(request);
  return std::move(request);
}

void add_program_options(CLI::App& command, CommonOptions& options,
                         const std::vector<std::string>& formats) {
  command.add_option("PATH", options.paths,
                     "A program (.pte), or folders to find one in (default: the working folder)");
  command.add_option("--pte", options.pte, "Program to look at (default: the newest one found)")
      ->type_name("FILE");
  add_record_options(command, options,
                     "ETRecord of the export, for lines and modules (default: the one found that "
                     "fits the program)");
  command
      .add_option("--method", options.selection.method,
                  "Method to show (default: forward, or the first that does something)")
      ->type_name("NAME");
  add_source_options(command, options);
  add_recover_option(command, options);
  add_output_options(command, options, formats);
}

Result<ProgramInputs> resolve_program(const CommonOptions& options) {
  const Result<LoadRequest> request = find_program(options);
  if (!request) return request.error();
  return load_found_program(*request, options);
}

Result<ProgramInputs> load_found_program(const LoadRequest& request, const CommonOptions& options) {
  Result<LoadedProgram> loaded = load_program(real_file_system(), request);
  if (!loaded) return std::move(loaded).error();
  const Result<size_t> method = choose_method(*loaded->program, options.selection.method);
  if (!method) return method.error();
  ProgramInputs inputs;
  inputs.loaded = std::move(*loaded);
  inputs.method = *method;
  for (const ProgramMethod& row : inputs.loaded.program->methods)
    inputs.codes.push_back(code_of_program(inputs.loaded.record, row, options.library_frames));
  return inputs;
}

}  // namespace etlens::cli
