// SPDX-License-Identifier: Apache-2.0
#include "cli/stored_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/facts/headline.h"
#include "core/render/runs_table.h"
#include "core/runs/choose_run.h"
#include "core/runs/run_of_study.h"

namespace etlens::cli {
namespace {

bool names_runs(const SideOptions& side) {
  return !side.paths.empty() && std::ranges::all_of(side.paths, [](const std::string& path) {
    return is_run_reference(path) &&
           !real_file_system().stat(absolute_path(current_folder(), path));
  });
}

Error no_dump_here(const std::string& folder) {
  return {ErrorCode::NotFound, "the new side is not named, and no ETDump is below " + folder +
                                   "; name ETDumps, or a folder that holds them, with --new"};
}

// The newest dump that a side names; "" if it has none.
Result<std::string> newest_dump(const SideOptions& side) {
  std::vector<std::string> named = side.etdumps;
  named.insert(named.end(), side.paths.begin(), side.paths.end());
  Result<SidePlace> place = find_side_place(real_file_system(), current_folder(), named);
  if (!place) return std::move(place).error();
  if (place->revision) return std::string();  // a dump of a revision is of no stored run
  const Result<SideFiles> files = find_side_files(real_file_system(), place->paths);
  if (!files) return files.error();
  return files->dumps.empty() ? std::string() : files->dumps.front();
}

// What a run is compared with, as far as it is known: a stored run, or a dump that is not stored.
StoredRun current_run(const StoredRuns& stored, const std::string& etdump) {
  if (std::optional<StoredRun> run = run_of_dump(real_file_system(), stored, etdump))
    return std::move(*run);
  StoredRun run;
  run.dump_path = relative_path(stored.folder, etdump);
  return run;
}

Result<StoredRun> use_runs(const StoredRuns& stored, const std::optional<StoredRun>& current,
                           SideOptions& side) {
  std::optional<StoredRun> first;
  for (const std::string& reference : side.paths) {
    Result<StoredRun> run = choose_run(stored, reference, current);
    if (!run) return run;
    if (first && first->record != run->record) {
      return Error{ErrorCode::InvalidParams,
                   fmt::format("{} has another record than {}; a side is of one export", reference,
                               side.paths.front())};
    }
    const RunFiles files = files_of(stored, *run);
    side.etdumps.push_back(files.etdump);
    if (side.etrecord.empty()) side.etrecord = files.etrecord;
    if (side.pte.empty()) side.pte = files.pte;
    if (!first) first = std::move(*run);
  }
  side.paths.clear();
  side.roots.push_back(stored.folder);  // sources lie around the artifacts
  return std::move(*first);
}

}  // namespace

Result<StoredRuns> find_runs(const std::string& folder) {
  const FileSystem& files = real_file_system();
  Result<StoredRuns> stored = list_runs(files, folder_of_runs(files, folder));
  if (!stored || !stored->runs.empty()) return stored;
  const std::vector<FoundArtifact> found = find_artifacts(files, {{folder}, {}});
  const FoundArtifact* dump = newest_of(found, FileKind::EtDump);
  if (dump == nullptr) return stored;
  return list_runs(files, folder_of_runs(files, std::string(parent_path(dump->path))));
}

Result<void> use_stored_runs(SideOptions& base, SideOptions& fresh) {
  const bool is_base = names_runs(base), is_fresh = names_runs(fresh);
  if (!is_base && !is_fresh) return {};
  const std::string here = current_folder();
  if (is_base && fresh.paths.empty() && fresh.etdumps.empty()) {
    const std::vector<FoundArtifact> found = find_artifacts(real_file_system(), {{here}, {}});
    const FoundArtifact* dump = newest_of(found, FileKind::EtDump);
    if (dump == nullptr) return no_dump_here(here);
    fresh.etdumps.push_back(dump->path);
  }
  std::string other;  // the dump of the side that is no run
  if (!is_base || !is_fresh) {
    Result<std::string> dump = newest_dump(is_base ? fresh : base);
    if (!dump) return std::move(dump).error();
    other = std::move(*dump);
  }
  const std::string folder = other.empty() ? here : std::string(parent_path(other));
  const Result<StoredRuns> stored = find_runs(folder);
  if (!stored) return stored.error();
  std::optional<StoredRun> current;
  if (!other.empty()) current = current_run(*stored, other);
  if (is_fresh) {
    Result<StoredRun> run = use_runs(*stored, current, fresh);
    if (!run) return std::move(run).error();
    current = std::move(*run);
  }
  if (!is_base) return {};
  const Result<StoredRun> run = use_runs(*stored, current, base);
  return run ? Result<void>() : Result<void>(run.error());
}

Result<std::string> store_study(const std::shared_ptr<const Study>& study,
                                const RunLimits& limits) {
  const FileSystem& files = real_file_system();
  const Result<FileStamp> stamp = files.stat(study->etdump_path);
  if (!stamp) return stamp.error();
  const std::string folder = folder_of_runs(files, std::string(parent_path(study->etdump_path)));
  const Headline time = headline(Facts(study, 0, FactsFor::Reports));
  const Result<StoreOutcome> stored =
      store_run(folder, run_of_study(files, *study, time, *stamp, folder), limits);
  if (!stored) return stored.error();
  const StoredRun& run = stored->run;
  if (!stored->is_new) return fmt::format("run {} is this dump already", run.number);
  std::string text = fmt::format("run {}: {}", run.number, run_total_text(run, std::nullopt));
  const Result<StoredRuns> all = list_runs(files, folder);
  if (const std::string since = all ? since_text(*all, run) : ""; !since.empty())
    text += ", " + since;
  if (!run.left_out.empty()) text += "; " + run.left_out;
  if (stored->removed > 0)
    text += fmt::format("; {} removed to make room", counted(stored->removed, "older run"));
  return text;
}

}  // namespace etlens::cli
