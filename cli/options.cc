// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/workspace/discovery.h"

namespace etlens::cli {
namespace {

const std::vector<std::string> kScales{"ns", "us", "ms", "s", "cycles"};

// Folders to look for artifacts and sources in.
struct Places {
  std::vector<std::string> folders;  // among the paths
  std::vector<std::string> sources;
};

Result<Places> sort_paths(const CommonOptions& options) {
  Places places;
  const std::string here = current_folder();
  for (const std::string& path : options.paths) {
    std::string absolute = absolute_path(here, path);
    const Result<FileStamp> stamp = real_file_system().stat(absolute);
    if (!stamp) return stamp.error();
    (stamp->is_directory ? places.folders : places.sources).push_back(std::move(absolute));
  }
  return places;
}

Result<PathMapping> parse_mapping(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return Error{
        ErrorCode::InvalidParams,
        "--path-map " + text + " is not FROM=TO; give a recorded prefix and a folder here"};
  }
  return PathMapping{text.substr(0, equals),
                     absolute_path(current_folder(), text.substr(equals + 1))};
}

Error nothing_found(const std::vector<std::string>& folders) {
  return {
      ErrorCode::NotFound,
      "no ETDump below " + join(folders, ", ") +
          "; give one with --etdump, or run the model with the event tracer and save its ETDump "
          "there"};
}

// Fills in the artifacts that were not named: the newest dump, the record and the program that fit
// it.
Result<void> discover(const CommonOptions& options, const std::vector<std::string>& folders,
                      LoadRequest& request) {
  DiscoveryOptions search;
  search.roots = folders;
  if (!request.etdump.empty()) search.roots.emplace_back(parent_path(request.etdump));
  const std::vector<FoundArtifact> found = find_artifacts(real_file_system(), search);
  if (request.etdump.empty()) {
    const std::vector<const FoundArtifact*> dumps = dumps_by_age(found);
    if (dumps.empty()) return nothing_found(folders);
    request.etdump = dumps.front()->path;
    if (dumps.size() > 1) {
      fmt::print(stderr, "etlens: {} is the newest of {} dumps; choose another with --etdump\n",
                 relative_path(current_folder(), request.etdump), dumps.size());
    }
  }
  if (options.etrecord.empty()) {
    Result<std::string> record = choose_record(real_file_system(), found, request.etdump);
    if (!record) return std::move(record).error();
    request.etrecord = std::move(*record);
  }
  if (options.pte.empty() && !request.etrecord.empty()) {
    Result<std::string> program =
        choose_program(real_file_system(), found, request.etdump, request.etrecord);
    if (!program) return std::move(program).error();
    request.pte = std::move(*program);
  }
  return {};
}

}  // namespace

void add_common_options(CLI::App& command, CommonOptions& options,
                        const std::vector<std::string>& formats) {
  command.add_option(
      "PATH", options.paths,
      "Source files to show, or folders with artifacts (default: the working folder)");
  command
      .add_option("--etdump", options.etdump,
                  "ETDump of the runtime (default: the newest one found)")
      ->type_name("FILE");
  command
      .add_option("--etrecord", options.etrecord,
                  "ETRecord of the export (default: the one found that fits the dump)")
      ->type_name("FILE");
  command
      .add_option("--pte", options.pte,
                  "Program that was run: makes delegate events and branches certain (default: the "
                  "one found "
                  "that fits the dump)")
      ->type_name("FILE");
  command.add_option("--method", options.method, "Method to show (default: forward, if it ran)")
      ->type_name("NAME");
  command.add_option("--block", options.block, "Block of executions to show, e.g. \"Execute #2\"")
      ->type_name("NAME");
  command.add_option("--root", options.roots, "Folder that holds the sources; repeatable")
      ->type_name("DIR");
  command
      .add_option("--path-map", options.path_maps,
                  "Where files recorded below FROM are now; repeatable, the first match wins")
      ->type_name("FROM=TO");
  command
      .add_option("--library-frames", options.library_frames,
                  "Files that count as library code, not as yours; repeatable")
      ->type_name("GLOB");
  command.add_option("--source-time-scale", options.source_scale, "Unit of the dump's ticks")
      ->check(CLI::IsMember(kScales))
      ->capture_default_str();
  command.add_option("--target-time-scale", options.target_scale, "Unit of printed numbers")
      ->check(CLI::IsMember(kScales))
      ->capture_default_str();
  if (!formats.empty()) {
    options.format = formats.front();
    command.add_option("--format", options.format, "Form of the result")
        ->check(CLI::IsMember(formats))
        ->capture_default_str();
  }
  command.add_option("-o", options.output, "Write the result to FILE instead of stdout")
      ->type_name("FILE");
}

Result<Inputs> resolve_inputs(const CommonOptions& options, RecordSearch search) {
  Inputs inputs;
  LoadRequest& request = inputs.request;
  request.time_scale = *parse_time_scale(options.source_scale);
  inputs.target = *parse_time_scale(options.target_scale);
  if (request.time_scale == TimeScale::Cycles) inputs.target = TimeScale::Cycles;
  if (!is_convertible(request.time_scale, inputs.target)) {
    return Error{ErrorCode::InvalidParams,
                 "times cannot be shown in cycles unless --source-time-scale is cycles too"};
  }
  request.selection = {options.method, options.block};
  request.library_frames = options.library_frames;
  for (const std::string& text : options.path_maps) {
    Result<PathMapping> mapping = parse_mapping(text);
    if (!mapping) return std::move(mapping).error();
    request.path_mappings.push_back(std::move(*mapping));
  }
  Result<Places> places = sort_paths(options);
  if (!places) return std::move(places).error();
  inputs.sources = std::move(places->sources);

  const std::string here = current_folder();
  for (const std::string& root : options.roots) {
    const std::string absolute = absolute_path(here, root);
    const Result<FileStamp> stamp = real_file_system().stat(absolute);
    if (!stamp) return stamp.error();
    request.roots.push_back(absolute);
  }
  std::vector<std::string> folders = places->folders.empty() ? request.roots : places->folders;
  if (folders.empty()) folders.push_back(here);
  if (request.roots.empty()) request.roots = folders;
  if (!options.etdump.empty()) request.etdump = absolute_path(here, options.etdump);
  if (!options.etrecord.empty()) request.etrecord = absolute_path(here, options.etrecord);
  if (!options.pte.empty()) request.pte = absolute_path(here, options.pte);
  const bool wants_partner = (request.etrecord.empty() || request.pte.empty()) &&
                             (request.etdump.empty() || search == RecordSearch::BesideDump);
  if (request.etdump.empty() || wants_partner) {
    // A named dump is looked for beside, not in the whole working folder.
    const bool beside = !request.etdump.empty() && places->folders.empty() && options.roots.empty();
    if (Result<void> found =
            discover(options, beside ? std::vector<std::string>() : folders, request);
        !found) {
      return std::move(found).error();
    }
  }
  return inputs;
}

int write_output(const CommonOptions& options, std::string_view text) {
  std::FILE* file = options.output.empty() ? stdout : std::fopen(options.output.c_str(), "wb");
  bool ok = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file != nullptr) ok &= (options.output.empty() ? std::fflush(file) : std::fclose(file)) == 0;
  if (ok) return kSuccess;
  return fail({ErrorCode::Io, "cannot write " +
                                  (options.output.empty() ? "to stdout" : options.output) +
                                  "; check the path and the space left"});
}

int fail(const Error& error) {
  fmt::print(stderr, "etlens: {}\n", error.message);
  return error.code == ErrorCode::InvalidParams ? kWrongUsage : kUnusableInput;
}

bool wants_color(const CommonOptions& options) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return options.output.empty() && (no_color == nullptr || *no_color == '\0') &&
         ::isatty(STDOUT_FILENO) != 0 &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

}  // namespace etlens::cli
