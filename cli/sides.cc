// SPDX-License-Identifier: Apache-2.0
#include "cli/sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/terminal.h"
#include "core/base/path.h"

namespace etlens::cli {
namespace {

Result<SideFiles> sort_paths(const SideOptions& options, std::string_view name, SidePlace& place) {
  std::vector<std::string> named = options.etdumps;
  named.insert(named.end(), options.paths.begin(), options.paths.end());
  Result<SidePlace> found = find_side_place(real_file_system(), current_folder(), named);
  if (!found) return std::move(found).error();
  place = std::move(*found);
  if (Result<void> opened = open_side_place(real_file_system(), place); !opened)
    return std::move(opened).error();
  Result<SideFiles> side =
      find_side_files(place.files ? *place.files : real_file_system(), place.paths);
  if (!side) return side;
  const std::string here = current_folder();
  if (!options.etrecord.empty()) side->etrecord = absolute_path(here, options.etrecord);
  if (!options.pte.empty()) side->pte = absolute_path(here, options.pte);
  if (named.empty() && side->dumps.empty()) {
    return Error{
        ErrorCode::InvalidParams,
        fmt::format("the {0} side is not named; name ETDumps, or a folder that holds them, "
                    "with --{0}",
                    name)};
  }
  if (side->dumps.empty()) {
    return Error{ErrorCode::NotFound,
                 fmt::format("the {0} side has no ETDump; name one or more, or a folder that holds "
                             "them, with --{0}",
                             name)};
  }
  return side;
}

// The sources as they were at a revision of the repository that holds one of the roots.
Result<void> use_revision(const std::string& name, LoadRequest& load) {
  std::optional<Error> problem;
  std::vector<std::string> roots = load.roots;
  roots.push_back(current_folder());
  for (const std::string& root : roots) {
    const Result<GitRevision> revision = find_git_revision(real_file_system(), root, name);
    if (!revision) {
      if (!problem || revision.error().message.starts_with("git knows no"))
        problem = revision.error();
      continue;
    }
    Result<std::unique_ptr<const FileSystem>> opened =
        open_git_revision(real_file_system(), *revision);
    if (!opened) return std::move(opened).error();
    load.source_files = std::move(*opened);
    // Wherever the artifacts are, the sources are in this working tree.
    const bool has_root =
        std::any_of(load.roots.begin(), load.roots.end(),
                    [&](const std::string& own) { return is_below(revision->root, own); });
    if (!has_root) load.roots.push_back(revision->root);
    return {};
  }
  return *problem;
}

Result<std::shared_ptr<const Side>> load_resolved_side(const ResolvedSide& side,
                                                       const ResolvedSide& other,
                                                       std::string_view name, bool recovers,
                                                       std::optional<ChosenGroup> like) {
  SideRequest request = side.request;
  request.like = std::move(like);
  request.load.recovers = request.load.recovers && recovers;
  const LoadRequest& artifacts = other.request.load;
  // Artifacts of a revision are for a side of that revision.
  if (!other.place.files)
    request.other = OtherArtifacts{artifacts.etrecord, artifacts.pte, artifacts.roots};
  const bool shows = is_terminal(stderr) && request.dumps.size() > 1;
  const auto progress = [&](size_t done) {
    if (shows)
      write_message(
          fmt::format("\r{}: reading dump {} of {} ", name, done + 1, request.dumps.size()));
  };
  Result<Side> loaded = load_side(side.files(), request, progress);
  if (shows) write_message("\r\x1b[K");
  if (!loaded) return std::move(loaded).error();
  if (!loaded->record_problem.empty()) say(loaded->record_problem + "; the record is left out");
  return std::shared_ptr<const Side>(std::make_shared<Side>(std::move(*loaded)));
}

}  // namespace

Result<ResolvedSide> resolve_side(const CommonOptions& common, const SideOptions& options,
                                  std::string_view name) {
  ResolvedSide side;
  Result<SideFiles> paths = sort_paths(options, name, side.place);
  if (!paths) return std::move(paths).error();
  CommonOptions own = common;
  own.paths = paths->folders;
  own.etdump = paths->dumps.front();
  own.etrecord = paths->etrecord;
  own.pte = paths->pte;
  if (!options.method.empty()) own.selection.method = options.method;
  if (!options.source_scale.empty()) own.source_scale = options.source_scale;
  own.roots.insert(own.roots.begin(), options.roots.begin(), options.roots.end());
  Result<Inputs> inputs = resolve_inputs(own, RecordSearch::BesideDump, side.files());
  if (!inputs) return std::move(inputs).error();
  side.request.load = inputs->request;
  side.request.dumps = std::move(paths->dumps);
  side.request.leaves_out_others = paths->is_searched;
  side.inputs = std::move(*inputs);
  if (!options.revision.empty()) {
    if (Result<void> used = use_revision(options.revision, side.request.load); !used)
      return std::move(used).error();
  }
  return side;
}

namespace {

std::string_view recovered_side(const Side& base, const Side& fresh) {
  if (!has_recovered_lines(fresh)) return "base side alone";
  if (!has_recovered_lines(base)) return "new side alone";
  return "sides in different modules";
}

}  // namespace

Result<BothSides> load_both_sides(const ResolvedSide& base, const ResolvedSide& fresh) {
  BothSides sides;
  const auto load = [&](bool recovers) -> Result<void> {
    // The new side says which of several groups of executions is compared.
    auto after = load_resolved_side(fresh, base, "new", recovers, std::nullopt);
    if (!after) return std::move(after).error();
    auto before = load_resolved_side(base, fresh, "base", recovers, (*after)->group);
    if (!before) return std::move(before).error();
    sides = {std::move(*before), std::move(*after)};
    return {};
  };
  if (Result<void> loaded = load(true); !loaded) return std::move(loaded).error();
  if (!differ_in_recovery(*sides.base, *sides.fresh)) return sides;
  say(fmt::format(
      "lines inside helpers were found again of the {}: both are compared on lines of forward",
      recovered_side(*sides.base, *sides.fresh)));
  if (Result<void> loaded = load(false); !loaded) return std::move(loaded).error();
  return sides;
}

}  // namespace etlens::cli
