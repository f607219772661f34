// SPDX-License-Identifier: Apache-2.0
#include "cli/program_inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/sent_sources.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/join/program_code.h"

namespace etlens::cli {
namespace {

struct Paths {
  std::string pte;
  std::string etrecord;              // "" for none
  std::vector<std::string> folders;  // that may hold the sources
};

Result<Paths> find_paths(const CommonOptions& options) {
  Paths paths;
  const std::string here = current_folder();
  if (!options.pte.empty()) paths.pte = absolute_path(here, options.pte);
  if (!options.etrecord.empty()) paths.etrecord = absolute_path(here, options.etrecord);
  if (Result<void> there = check_named({&paths.pte, &paths.etrecord}); !there)
    return std::move(there).error();
  DiscoveryOptions search;
  for (const std::string& path : options.paths) {
    std::string absolute = absolute_path(here, path);
    const Result<FileStamp> stamp = real_file_system().stat(absolute);
    if (!stamp) return stamp.error();
    if (stamp->is_directory) search.roots.push_back(std::move(absolute));
    else if (paths.pte.empty()) paths.pte = std::move(absolute);
  }
  if (!paths.pte.empty()) search.roots.emplace_back(parent_path(paths.pte));
  else if (search.roots.empty()) search.roots.push_back(here);
  paths.folders = search.roots;
  const bool finds_record = paths.etrecord.empty() && options.finds_record;
  if (!paths.pte.empty() && !finds_record) return paths;
  const std::vector<FoundArtifact> found = find_artifacts(real_file_system(), search);
  if (paths.pte.empty()) {
    const std::vector<const FoundArtifact*> programs = programs_by_age(found);
    if (programs.empty()) {
      return Error{ErrorCode::NotFound,
                   "no .pte program below " + join(search.roots, ", ") + "; give one with --pte"};
    }
    paths.pte = programs.front()->path;
    if (const size_t count = programs.size(); count > 1) {
      say(fmt::format("{} is the newest of {} programs; choose another with --pte",
                      relative_path(here, paths.pte), count));
    }
  }
  if (finds_record) {
    paths.etrecord = find_record_of(real_file_system(), found, paths.pte);
    if (!paths.etrecord.empty())
      say(fmt::format("lines are those of {}", relative_path(here, paths.etrecord)));
  }
  return paths;
}

Result<size_t> choose_method(const EtProgram& program, const std::string& name) {
  if (const std::optional<size_t> method = find_method(program, name)) return *method;
  if (program.methods.empty())
    return Error{ErrorCode::Unsupported, program.path + " has no method; export it again"};
  std::vector<std::string> names;
  for (const ProgramMethod& method : program.methods) names.push_back(method.name);
  return Error{ErrorCode::NotFound, fmt::format("{} has no method {}; it has {}", program.path,
                                                name, join(names, ", "))};
}

}  // namespace

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
      .add_option("--method", options.method,
                  "Method to show (default: forward, or the first that does something)")
      ->type_name("NAME");
  add_repeatable_option(command, "--library-frames", options.library_frames, "GLOB",
                        "Files that count as library code, not as yours; repeatable");
  add_recover_option(command, options);
  options.format = formats.front();
  command.add_option("--format", options.format, "Form of the result")
      ->check(CLI::IsMember(formats))
      ->capture_default_str();
  command.add_option("-o", options.output, "Write the result to FILE instead of stdout")
      ->type_name("FILE");
}

Result<ProgramInputs> resolve_program(const CommonOptions& options) {
  const Result<Paths> paths = find_paths(options);
  if (!paths) return paths.error();
  std::optional<RecoveryRequest> recovery;
  if (options.recovers) {
    recovery = {{paths->folders, {}}, options.library_frames, nullptr};
    LoadRequest places;
    places.roots = paths->folders;
    places.etrecord = paths->etrecord;
    if (is_sent(options)) recovery->source_files = sent_sources(places);
  }
  Result<LoadedProgram> loaded =
      load_program(real_file_system(), paths->pte, paths->etrecord, recovery);
  if (!loaded) return std::move(loaded).error();
  const Result<size_t> method = choose_method(*loaded->program, options.method);
  if (!method) return method.error();
  ProgramInputs inputs;
  inputs.loaded = std::move(*loaded);
  inputs.method = *method;
  for (const ProgramMethod& row : inputs.loaded.program->methods)
    inputs.codes.push_back(code_of_program(inputs.loaded.record, row, options.library_frames));
  return inputs;
}

}  // namespace etlens::cli
