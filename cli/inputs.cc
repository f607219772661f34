// SPDX-License-Identifier: Apache-2.0
// From options to what is to be loaded: finds the artifacts that were not named, and says on stderr
// what was chosen among several.
#include <fmt/format.h>

#include <algorithm>

#include "cli/options.h"
#include "cli/sent_sources.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/formats/etdump/dump_in_log.h"
#include "core/formats/file_kind.h"
#include "core/formats/foreign_file.h"
#include "core/workspace/discovery.h"
#include "core/workspace/other_models.h"

namespace etlens::cli {
namespace {

// Folders to look for artifacts and sources in.
struct Places {
  std::vector<std::string> folders;  // among the paths
  std::vector<std::string> sources;
  std::string log;  // a text with a dump in it; "" for none
};

// An artifact that was given without its option is no source.
Result<void> check_source(const FileSystem& files, const std::string& path) {
  const Result<Bytes> front = files.read_range(path, 0, kKindBytes);
  const FileKind kind = front ? file_kind(front->span()) : FileKind::Other;
  if (std::optional<Error> foreign = foreign_file(files, path, kind, FileKind::Other))
    return std::move(*foreign).about(path);
  if (!control_of(kind)) return {};
  return Error{ErrorCode::InvalidParams, fmt::format("{} is {}, not a source; give it{}", path,
                                                     describe(kind), words_of(*control_of(kind)))};
}

Result<Places> sort_paths(const FileSystem& files, const CommonOptions& options) {
  Places places;
  const std::string here = current_folder();
  for (const std::string& path : options.paths) {
    std::string absolute = absolute_path(here, path);
    const Result<FileStamp> stamp = files.stat(absolute);
    if (!stamp) return stamp.error();
    if (!stamp->is_directory) {
      if (Result<void> source = check_source(files, absolute); !source)
        return std::move(source).error();
    }
    const bool is_log = !stamp->is_directory && options.etdump.empty() && places.log.empty() &&
                        !absolute.ends_with(".py") && is_log_with_dump(files, absolute);
    if (is_log) places.log = std::move(absolute);
    else (stamp->is_directory ? places.folders : places.sources).push_back(std::move(absolute));
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

Result<TimeOptions> parse_time(const CommonOptions& options) {
  const std::optional<Statistic> statistic = parse_statistic(options.statistic);
  if (!statistic) {
    return Error{ErrorCode::InvalidParams, "there is no statistic " + options.statistic +
                                               "; there are typical, mean, median, min and max"};
  }
  return TimeOptions{*statistic, options.executions, options.is_raw};
}

Error nothing_found(const std::vector<std::string>& folders) {
  return {ErrorCode::NotFound, "no ETDump below " + join(folders, ", ") +
                                   "; give one with --etdump, or run the model "
                                   "with the event tracer and save its ETDump there"};
}

// One sentence: what is shown, what else there is, and how to choose.
void note_choice(const Inputs& inputs, size_t dump_count) {
  if (dump_count < 2) return;
  const std::string here = current_folder();
  const std::string_view shown = relative_path(here, inputs.request.etdump);
  if (inputs.other_models.empty()) {
    say(fmt::format("{} is the newest of {} dumps; choose another with --etdump", shown,
                    dump_count));
    return;
  }
  std::vector<std::string> names;
  for (const std::string& path : inputs.other_models) names.emplace_back(relative_path(here, path));
  say(fmt::format("showing {}, the newest of {} dumps; {}; choose another with --etdump", shown,
                  dump_count, other_models_text(names)));
}

// Fills in the artifacts that were not named: the newest dump, the record and the program that fit
// it.
Result<void> discover(const FileSystem& files, const std::vector<std::string>& folders,
                      Inputs& inputs) {
  LoadRequest& request = inputs.request;
  DiscoveryOptions search;
  search.roots = folders;
  if (!request.etdump.empty()) search.roots.emplace_back(parent_path(request.etdump));
  const std::vector<FoundArtifact> found = find_artifacts(files, search);
  const bool is_chosen = request.etdump.empty();
  const std::vector<const FoundArtifact*> dumps = dumps_by_age(found);
  if (is_chosen) {
    if (dumps.empty()) return nothing_found(folders);
    request.etdump = dumps.front()->path;
  }
  if (Result<void> chosen = choose_partners(files, found, request); !chosen) return chosen;
  if (is_chosen) {
    inputs.other_models = find_other_models(files, found, request.etdump, request.etrecord);
    note_choice(inputs, dumps.size());
  }
  return {};
}

Result<void> resolve_scales(const CommonOptions& options, Inputs& inputs) {
  inputs.request.time_scale = *parse_time_scale(options.source_scale);
  if (!options.target_scale.empty()) {
    inputs.unit = parse_time_scale(options.target_scale);
    inputs.target = *inputs.unit;
  }
  if (inputs.request.time_scale == TimeScale::Cycles && options.target_scale.empty())
    inputs.target = TimeScale::Cycles;
  if (!is_convertible(inputs.request.time_scale, inputs.target)) {
    return Error{ErrorCode::InvalidParams,
                 inputs.target == TimeScale::Cycles
                     ? "times cannot be shown in cycles unless --source-time-scale is cycles too"
                     : "cycles are not a time: leave out --target-time-scale, or give the length "
                       "of a tick with --source-time-scale"};
  }
  return {};
}

Result<void> resolve_roots(const CommonOptions& options, LoadRequest& request) {
  for (const std::string& root : options.roots) {
    std::string absolute = absolute_path(current_folder(), root);
    const Result<FileStamp> stamp = real_file_system().stat(absolute);
    if (!stamp) return stamp.error();
    request.roots.push_back(std::move(absolute));
  }
  return {};
}

// Sources often lie beside the artifacts.
void add_root_of(const std::string& artifact, std::vector<std::string>& roots) {
  if (artifact.empty()) return;
  const std::string_view folder = parent_path(artifact);
  if (std::find(roots.begin(), roots.end(), folder) == roots.end()) roots.emplace_back(folder);
}

// What the values of the dump are read from and compared with, for what shows more than time.
void find_values(const CommonOptions& options, LoadRequest& request) {
  if (!options.wants_values && options.measure == "time") return;
  const std::string here = current_folder();
  ValuesRequest& values = request.values.emplace();
  if (options.wants_values) values.most_bytes = kQuicklyCompared;
  if (!options.debug_buffer.empty())
    values.debug_buffer = absolute_path(here, options.debug_buffer);
  if (!options.reference.empty()) {
    values.reference = absolute_path(here, options.reference);
    return;
  }
  DiscoveryOptions search;
  search.roots = {std::string(parent_path(request.etdump))};
  values.candidates = reference_candidates(find_artifacts(real_file_system(), search),
                                           request.etdump, request.etrecord);
}

}  // namespace

Result<Inputs> resolve_inputs(const CommonOptions& options, RecordSearch search,
                              const FileSystem& files) {
  Inputs inputs;
  LoadRequest& request = inputs.request;
  if (Result<void> scales = resolve_scales(options, inputs); !scales)
    return std::move(scales).error();
  Result<TimeOptions> time = parse_time(options);
  if (!time) return std::move(time).error();
  request.time = std::move(*time);
  request.selection = {options.method, options.block};
  request.library_frames = options.library_frames;
  request.recovers = options.recovers;
  for (const std::string& text : options.path_maps) {
    Result<PathMapping> mapping = parse_mapping(text);
    if (!mapping) return std::move(mapping).error();
    request.path_mappings.push_back(std::move(*mapping));
  }
  Result<Places> places = sort_paths(files, options);
  if (!places) return std::move(places).error();
  inputs.sources = std::move(places->sources);
  if (Result<void> roots = resolve_roots(options, request); !roots) return std::move(roots).error();

  const std::string here = current_folder();
  std::vector<std::string> folders = places->folders.empty() ? request.roots : places->folders;
  if (folders.empty()) folders.push_back(here);
  if (!options.etdump.empty()) request.etdump = absolute_path(here, options.etdump);
  else request.etdump = places->log;
  if (!options.etrecord.empty()) request.etrecord = absolute_path(here, options.etrecord);
  if (!options.pte.empty()) request.pte = absolute_path(here, options.pte);
  if (!options.profile.empty()) request.profile = absolute_path(here, options.profile);
  request.finds_record = options.finds_record;
  if (Result<void> there =
          check_named({&request.etdump, &request.etrecord, &request.pte, &request.profile}, files);
      !there) {
    return std::move(there).error();
  }
  // A profile that was named alone is shown alone.
  const bool is_alone = !request.profile.empty() && request.etdump.empty() &&
                        request.etrecord.empty() && request.pte.empty();
  const bool wants_partner = ((request.etrecord.empty() && request.finds_record) ||
                              request.pte.empty() || request.etdump.empty()) &&
                             (request.etdump.empty() || search == RecordSearch::BesideDump);
  if (!is_alone && (request.etdump.empty() || wants_partner)) {
    // A named dump is looked for beside, not in the whole working folder.
    const bool beside = !request.etdump.empty() && places->folders.empty() && options.roots.empty();
    if (Result<void> found = discover(files, beside ? std::vector<std::string>() : folders, inputs);
        !found) {
      return std::move(found).error();
    }
  }
  if (request.roots.empty()) {
    request.roots = std::move(folders);
    add_root_of(request.etdump, request.roots);
    add_root_of(request.etrecord, request.roots);
    add_root_of(request.profile, request.roots);
  }
  find_values(options, request);
  // A revision of a repository holds nothing from outside.
  if (is_sent(options) && &files == &real_file_system())
    request.source_files = sent_sources(request);
  return inputs;
}

Result<void> check_named(const std::vector<const std::string*>& paths, const FileSystem& files) {
  for (const std::string* path : paths) {
    if (path->empty()) continue;
    if (const Result<Bytes> front = files.read_range(*path, 0, 1); !front) return front.error();
  }
  return {};
}

Error no_record(const std::string& etdump) {
  return {ErrorCode::NotFound,
          "no ETRecord was found for " + etdump +
              "; give one with --etrecord, or export with generate_etrecord=True and save it "
              "next to the dump"};
}

void say_what_is_missing(const CommonOptions& options, const LoadRequest& request,
                         const LoadReport& report) {
  if (request.etrecord.empty() && request.finds_record && !request.etdump.empty())
    say(no_record(request.etdump).message);
  for (const std::string& sentence : sentences_before_numbers(report)) say(sentence);
  if (options.pte.empty()) return;
  for (const Oddity oddity : {Oddity::ProgramUnreadable, Oddity::ProgramDiffers}) {
    if (const ReportRow* row = report.find(oddity)) say(row->first + "; it is left out");
  }
}

}  // namespace etlens::cli
