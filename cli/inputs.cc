// SPDX-License-Identifier: Apache-2.0
// From options to what is to be loaded: finds the artifacts that were not named, and says on stderr
// what was chosen among several.
#include <fmt/format.h>

#include <algorithm>

#include "cli/open_study.h"
#include "cli/options.h"
#include "cli/sent_sources.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/formats/etdump/dump_in_log.h"
#include "core/formats/file_kind.h"
#include "core/formats/foreign_file.h"
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

Error nothing_found(const std::vector<std::string>& folders) {
  return {ErrorCode::NotFound,
          "no ETDump below " + join(folders, ", ") +
              ", and no ETRecord or program; export a model there with generate_etrecord=True, or "
              "name its files with --etdump, --etrecord and --pte"};
}

Error no_dump(const std::vector<std::string>& folders) {
  return {ErrorCode::NotFound, "no ETDump below " + join(folders, ", ") +
                                   "; give one with --etdump, or run the model "
                                   "with the event tracer and save its ETDump there"};
}

// One sentence: what is shown, what else there is, and how to choose.
void note_choice(const Inputs& inputs) {
  if (inputs.dumps < 2) return;
  const std::string here = current_folder();
  const std::string_view shown = relative_path(here, inputs.request.etdump);
  if (inputs.other_models.empty()) {
    say(fmt::format("{} is the newest of {} dumps; choose another with --etdump", shown,
                    inputs.dumps));
    return;
  }
  std::vector<std::string> names;
  for (const std::string& path : inputs.other_models) names.emplace_back(relative_path(here, path));
  say(fmt::format("showing {}, the newest of {} dumps; {}; choose another with --etdump", shown,
                  inputs.dumps, other_models_text(names)));
}

Result<void> resolve_scales(const CommonOptions& options, TimeScale source, Inputs& inputs) {
  if (!options.target_scale.empty()) {
    inputs.unit = parse_time_scale(options.target_scale);
    inputs.target = *inputs.unit;
  }
  if (source == TimeScale::Cycles && options.target_scale.empty())
    inputs.target = TimeScale::Cycles;
  if (!is_convertible(source, inputs.target)) {
    return Error{ErrorCode::InvalidParams,
                 inputs.target == TimeScale::Cycles
                     ? "times cannot be shown in cycles unless --source-time-scale is cycles too"
                     : "cycles are not a time: leave out --target-time-scale, or give the length "
                       "of a tick with --source-time-scale"};
  }
  return {};
}

// Sources often lie beside the artifacts.
void add_root_of(const std::string& artifact, std::vector<std::string>& roots) {
  if (artifact.empty()) return;
  const std::string_view folder = parent_path(artifact);
  if (std::find(roots.begin(), roots.end(), folder) == roots.end()) roots.emplace_back(folder);
}

// What there is to choose from, as far as the wish leaves something open. A named dump is looked
// for next to itself, not in the whole working folder.
std::vector<FoundArtifact> look_around(const FileSystem& files, const StudyWish& wish,
                                       const std::vector<std::string>& folders,
                                       RecordSearch search) {
  const bool wants_partner = (wish.etrecord.empty() && wish.finds_record) || wish.pte.empty() ||
                             (wish.values && wish.values->reference.empty());
  const bool is_whole = search == RecordSearch::Never || !wants_partner;
  if (!wish.etdump.empty() && is_whole) return {};
  DiscoveryOptions around;
  around.roots = folders;
  if (!wish.etdump.empty()) around.roots.emplace_back(parent_path(wish.etdump));
  return find_artifacts(files, around);
}

}  // namespace

Result<StudyWish> wish_of(const CommonOptions& options) {
  StudyWish wish = options;
  wish.values = options.named_values;
  wish.time_scale = *parse_time_scale(options.source_scale);
  const Result<Statistic> statistic = read_statistic(options.statistic);
  if (!statistic) return statistic.error();
  wish.time.statistic = *statistic;
  for (const std::string& text : options.path_maps) {
    std::optional<PathMapping> mapping = parse_path_mapping(text);
    if (!mapping) {
      return Error{
          ErrorCode::InvalidParams,
          "--path-map " + text + " is not FROM=TO; give a recorded prefix and a folder here"};
    }
    wish.path_mappings.push_back(std::move(*mapping));
  }
  const auto absolute = [here = current_folder()](const std::string& path) -> Result<std::string> {
    return absolute_path(here, path);
  };
  if (Result<void> done = make_absolute(wish, absolute); !done) return std::move(done).error();
  for (std::string& root : wish.roots) root = *absolute(root);
  for (const std::vector<std::string>* folders : {&wish.roots, &wish.environments}) {
    for (const std::string& folder : *folders) {
      const Result<FileStamp> stamp = real_file_system().stat(folder);
      if (!stamp) return stamp.error();
    }
  }
  return wish;
}

Result<Inputs> resolve_inputs(const CommonOptions& options, RecordSearch search,
                              const FileSystem& files) {
  Result<StudyWish> wish = wish_of(options);
  if (!wish) return std::move(wish).error();
  Inputs inputs;
  if (Result<void> scales = resolve_scales(options, wish->time_scale, inputs); !scales)
    return std::move(scales).error();
  inputs.values = *wish->values;
  if (!options.wants_values && options.measure == kTimeId) wish->values.reset();
  else if (options.wants_values) wish->values->most_bytes = kQuicklyCompared;
  Result<Places> places = sort_paths(files, options);
  if (!places) return std::move(places).error();
  inputs.sources = std::move(places->sources);
  if (wish->etdump.empty()) wish->etdump = places->log;
  if (Result<void> there =
          check_named({&wish->etdump, &wish->etrecord, &wish->pte, &wish->profile}, files);
      !there) {
    return std::move(there).error();
  }
  std::vector<std::string> folders = places->folders.empty() ? wish->roots : places->folders;
  const bool is_beside = !wish->etdump.empty() && folders.empty();
  if (folders.empty()) folders.push_back(current_folder());
  // A profile that was named alone is shown alone.
  const bool is_alone =
      !wish->profile.empty() && wish->etdump.empty() && wish->etrecord.empty() && wish->pte.empty();
  std::vector<FoundArtifact> found;
  if (!is_alone)
    found = look_around(files, *wish, is_beside ? std::vector<std::string>() : folders, search);
  if (!is_alone && options.needs_dump && wish->etdump.empty() && dumps_by_age(found).empty())
    return no_dump(folders);
  Result<ResolvedStudy> resolved = resolve_kept(files, found, *wish);
  if (!resolved && resolved.error().code == ErrorCode::NotFound && wish->etdump.empty())
    return nothing_found(folders);
  if (!resolved) return std::move(resolved).error();
  static_cast<ResolvedStudy&>(inputs) = std::move(*resolved);
  if (wish->etdump.empty()) note_choice(inputs);
  LoadRequest& request = inputs.request;
  if (request.roots.empty()) {
    request.roots = std::move(folders);
    add_root_of(request.etdump, request.roots);
    add_root_of(request.etrecord, request.roots);
    add_root_of(request.profile, request.roots);
  }
  // A revision of a repository holds nothing from outside.
  if (is_sent(options) && &files == &real_file_system())
    request.source_files = sent_sources(request);
  return inputs;
}

Result<StudyWish> program_wish_of(const CommonOptions& options) {
  Result<StudyWish> wish = wish_of(options);
  if (!wish) return wish;
  if (Result<void> there = check_named({&wish->pte, &wish->etrecord}); !there)
    return std::move(there).error();
  return wish;
}

Result<void> check_named(const std::vector<const std::string*>& paths, const FileSystem& files) {
  for (const std::string* path : paths) {
    if (path->empty()) continue;
    if (const Result<Bytes> front = files.read_range(*path, 0, 1); !front) return front.error();
  }
  return {};
}

Error no_record(const LoadRequest& request) {
  const bool has_dump = !request.etdump.empty();
  return {ErrorCode::NotFound,
          fmt::format("no ETRecord was found for {}; give one with --etrecord, or export with "
                      "generate_etrecord=True and save it next to the {}",
                      has_dump ? request.etdump : request.pte, has_dump ? "dump" : "program")};
}

namespace {

// Of an export that has not run: which files are shown, where they were found. `report`: what of
// them was left out.
void note_export(const CommonOptions& options, const LoadRequest& request,
                 const LoadReport& report) {
  const bool is_named = !options.etrecord.empty() || !options.pte.empty();
  const bool has_export = !request.etrecord.empty() || !request.pte.empty();
  if (!request.etdump.empty() || is_named || !has_export) return;
  const bool is_without_program = report.find(Oddity::ProgramDiffers) != nullptr ||
                                  report.find(Oddity::ProgramUnreadable) != nullptr;
  const bool is_without_record = report.find(Oddity::RecordLeftOut) != nullptr;
  std::vector<std::string> names;
  const std::string here = current_folder();
  if (!request.pte.empty() && !is_without_program)
    names.emplace_back(relative_path(here, request.pte));
  if (!request.etrecord.empty() && !is_without_record)
    names.emplace_back(relative_path(here, request.etrecord));
  say(fmt::format("no ETDump is here: {} is shown, as it was exported", join(names, " with ")));
}

}  // namespace

void say_what_is_missing(const CommonOptions& options, const LoadRequest& request,
                         const LoadReport& report) {
  if (request.etrecord.empty() && request.finds_record && !request.etdump.empty())
    say(no_record(request).message);
  note_export(options, request, report);
  for (const std::string& sentence : sentences_before_numbers(report)) say(sentence);
  if (options.pte.empty()) return;
  for (const Oddity oddity : {Oddity::ProgramUnreadable, Oddity::ProgramDiffers}) {
    if (const ReportRow* row = report.find(oddity)) say(row->first + "; it is left out");
  }
}

}  // namespace etlens::cli
