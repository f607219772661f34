// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/discovery.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_set>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/join/program_fit.h"
#include "core/source/paths/path_mapper.h"
#include "core/workspace/load.h"
#include "core/workspace/run_check.h"

namespace etlens {
namespace {

// Files that are plainly something else are not opened.
constexpr auto kTextExtensions = std::to_array<std::string_view>(
    {".py",   ".pyc", ".pyi", ".md",    ".txt",         ".json",  ".jsonl", ".yaml", ".yml",
     ".toml", ".cfg", ".ini", ".c",     ".cc",          ".cpp",   ".h",     ".hpp",  ".ts",
     ".js",   ".mjs", ".css", ".html",  ".sh",          ".cmake", ".rst",   ".png",  ".jpg",
     ".jpeg", ".svg", ".gif", ".ipynb", ".o",           ".so",    ".a",     ".lock", ".log",
     ".csv",  ".tsv", ".pt",  ".pth",   ".safetensors", ".gz",    ".xz",    ".whl"});

bool is_plainly_other(std::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  return std::find(kTextExtensions.begin(), kTextExtensions.end(), name.substr(dot)) !=
         kTextExtensions.end();
}

bool is_wanted(const DiscoveryOptions& options, std::string_view root, std::string_view path) {
  if (options.globs.empty()) return true;
  const std::string_view below = relative_path(root, path);
  return std::any_of(options.globs.begin(), options.globs.end(),
                     [&](const std::string& glob) { return glob_match(glob, below); });
}

bool has_ending(std::string_view name, const std::vector<std::string>& endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](const std::string& ending) { return name.ends_with(ending); });
}

// Steps from one folder to another through their common ancestor.
size_t distance(std::string_view a, std::string_view b) {
  const std::vector<std::string_view> x = path_components(a);
  const std::vector<std::string_view> y = path_components(b);
  const auto ends = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
  return static_cast<size_t>(x.end() - ends.first) + static_cast<size_t>(y.end() - ends.second);
}

}  // namespace

const FoundArtifact* newest_of(const std::vector<FoundArtifact>& found, FileKind kind) {
  const FoundArtifact* newest = nullptr;
  for (const FoundArtifact& artifact : found) {
    if (artifact.kind != kind) continue;
    if (newest == nullptr || artifact.stamp.modified_ns > newest->stamp.modified_ns)
      newest = &artifact;
  }
  return newest;
}

std::vector<const FoundArtifact*> programs_by_age(const std::vector<FoundArtifact>& found) {
  std::vector<const FoundArtifact*> programs;
  for (const FileKind kind : {FileKind::Program, FileKind::BundledProgram}) {
    for (const FoundArtifact& artifact : found) {
      if (artifact.kind == kind) programs.push_back(&artifact);
    }
    if (!programs.empty()) break;
  }
  std::stable_sort(programs.begin(), programs.end(),
                   [](const FoundArtifact* a, const FoundArtifact* b) {
                     return a->stamp.modified_ns > b->stamp.modified_ns;
                   });
  return programs;
}

std::vector<FoundArtifact> find_artifacts(const FileSystem& files, const DiscoveryOptions& options,
                                          const CancelToken& cancel) {
  std::vector<FoundArtifact> found;
  std::unordered_set<std::string> seen;
  size_t entries = 0;
  for (const std::string& root : options.roots) {
    std::vector<std::string> folders{root};
    while (!folders.empty() && entries < options.max_entries && !cancel.cancelled()) {
      const std::string folder = std::move(folders.back());
      folders.pop_back();
      if (!seen.insert(folder).second) continue;
      const Result<std::vector<DirectoryEntry>> list = files.list(folder);
      if (!list) continue;
      const bool is_environment = std::any_of(
          list->begin(), list->end(),
          [](const DirectoryEntry& e) { return e.name == "pyvenv.cfg" || e.name == "conda-meta"; });
      if (is_environment) continue;
      for (const DirectoryEntry& entry : *list) {
        if (++entries > options.max_entries || cancel.cancelled()) break;
        std::string path = join_path(folder, entry.name);
        if (entry.is_directory) {
          if (!is_skipped_folder(entry.name)) folders.push_back(std::move(path));
          continue;
        }
        if (is_plainly_other(entry.name) || !is_wanted(options, root, path)) continue;
        const Result<Bytes> front = files.read_range(path, 0, kKindBytes);
        if (!front) continue;
        const FileKind kind = file_kind(front->span());
        if (!is_artifact(kind) && !has_ending(entry.name, options.any_content)) continue;
        if (const Result<FileStamp> stamp = files.stat(path)) {
          found.push_back({std::move(path), kind, *stamp});
        }
      }
    }
  }
  std::sort(found.begin(), found.end(),
            [](const FoundArtifact& a, const FoundArtifact& b) { return a.path < b.path; });
  return found;
}

std::vector<const FoundArtifact*> dumps_by_age(const std::vector<FoundArtifact>& found) {
  std::vector<const FoundArtifact*> dumps;
  for (const FoundArtifact& artifact : found) {
    if (artifact.kind == FileKind::EtDump) dumps.push_back(&artifact);
  }
  std::stable_sort(dumps.begin(), dumps.end(), [](const FoundArtifact* a, const FoundArtifact* b) {
    return a->stamp.modified_ns > b->stamp.modified_ns;
  });
  return dumps;
}

std::vector<const FoundArtifact*> partners(const std::vector<FoundArtifact>& found,
                                           std::string_view path, FileKind kind) {
  std::vector<const FoundArtifact*> candidates;
  for (const FoundArtifact& artifact : found) {
    if (artifact.kind == kind) candidates.push_back(&artifact);
  }
  const std::string_view folder = parent_path(path);
  const auto order = [&](const FoundArtifact* artifact) {
    const size_t steps = distance(folder, parent_path(artifact->path));
    const bool other_stem = stem(artifact->path) != stem(path);
    return std::tuple(steps, other_stem, -artifact->stamp.modified_ns);
  };
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [&](const FoundArtifact* a, const FoundArtifact* b) { return order(a) < order(b); });
  return candidates;
}

std::vector<const FoundArtifact*> program_partners(const std::vector<FoundArtifact>& found,
                                                   std::string_view path) {
  std::vector<const FoundArtifact*> programs = partners(found, path, FileKind::Program);
  const std::vector<const FoundArtifact*> bundled = partners(found, path, FileKind::BundledProgram);
  programs.insert(programs.end(), bundled.begin(), bundled.end());
  return programs;
}

std::vector<std::string> reference_candidates(const std::vector<FoundArtifact>& found,
                                              const std::string& etdump,
                                              const std::string& etrecord) {
  std::vector<std::string> paths;
  // Values of every operator say more than what the method returned.
  for (const FileKind kind : {FileKind::Arrays, FileKind::BundledProgram}) {
    size_t taken = 0;
    for (const FoundArtifact* artifact : partners(found, etdump, kind)) {
      if (parent_path(artifact->path) != parent_path(etdump) || taken++ == kMaxReferences) break;
      paths.push_back(artifact->path);
    }
  }
  if (!etrecord.empty()) paths.push_back(etrecord);
  return paths;
}

namespace {

// Of the likely records the one whose pairing score is best.
Result<std::string> best_record(const FileSystem& files,
                                const std::vector<const FoundArtifact*>& candidates,
                                const std::string& etdump, const CancelToken& cancel) {
  std::string best = candidates.front()->path;
  LoadRequest request;
  request.etdump = etdump;
  request.recovers = false;
  const Result<Artifacts> dump = load_artifacts(files, request, cancel);
  if (!dump) {
    if (dump.error().code == ErrorCode::Cancelled) return dump.error();
    return best;  // loading them for good says what is wrong
  }
  double best_score = -1;
  for (size_t i = 0; i < std::min(candidates.size(), kMaxScored) && best_score < 1; ++i) {
    const std::string& path = candidates[i]->path;
    const Result<double> score = within_budget(
        cancel,
        [&]() -> Result<double> {
          const auto record = load_record(files, path, request.backends, cancel);
          if (!record) return record.error();
          double highest = 0;
          for (const Block& block : dump->blocks) {
            if (!block.is_execution) continue;
            for (const MethodFit& fit : fit_methods(*dump->log, dump->trees, block, **record))
              highest = std::max(highest, fit.score);
          }
          return highest;
        },
        BudgetShare::Half);
    if (!score && score.error().code == ErrorCode::Cancelled) return score.error();
    if (!score || *score <= best_score) continue;
    best_score = *score;
    best = path;
  }
  return best;
}

// Of the likely programs the first whose instructions are those that ran.
Result<std::string> fitting_program(const FileSystem& files,
                                    const std::vector<const FoundArtifact*>& candidates,
                                    const LoadRequest& request, const CancelToken& cancel) {
  const Result<Artifacts> artifacts = load_artifacts(files, request, cancel);
  if (!artifacts) {
    if (artifacts.error().code == ErrorCode::Cancelled) return artifacts.error();
    return std::string();  // loading them for good says what is wrong
  }
  for (size_t i = 0; i < std::min(candidates.size(), kMaxScored); ++i) {
    const Result<bool> fits = within_budget(
        cancel,
        [&]() -> Result<bool> {
          const Result<EtProgram> program = read_program(files, candidates[i]->path, cancel);
          if (!program) return program.error();
          for (const Block& block : artifacts->blocks) {
            if (block.is_execution && fits_any_method(*program, *artifacts->log, artifacts->trees,
                                                      block, artifacts->record.get()))
              return true;
          }
          return false;
        },
        BudgetShare::Half);
    if (!fits && fits.error().code == ErrorCode::Cancelled) return fits.error();
    if (fits && *fits) return candidates[i]->path;
  }
  return std::string();
}

}  // namespace

Result<std::string> choose_record(const FileSystem& files, const std::vector<FoundArtifact>& found,
                                  const std::string& etdump, const CancelToken& cancel) {
  const std::vector<const FoundArtifact*> candidates = partners(found, etdump, FileKind::EtRecord);
  if (candidates.empty()) return std::string();
  if (candidates.size() == 1) return candidates.front()->path;
  if (std::string of_run = partner_of_run(files, etdump, candidates, RunPart::Record);
      !of_run.empty())
    return of_run;
  return within_budget(cancel, [&] { return best_record(files, candidates, etdump, cancel); });
}

Result<std::string> choose_program(const FileSystem& files, const std::vector<FoundArtifact>& found,
                                   const std::string& etdump, const std::string& etrecord,
                                   const CancelToken& cancel) {
  const std::vector<const FoundArtifact*> candidates = program_partners(found, etdump);
  if (candidates.empty()) return std::string();
  if (candidates.size() == 1) return candidates.front()->path;  // loading says if it does not fit
  if (std::string of_run = partner_of_run(files, etdump, candidates, RunPart::Program);
      !of_run.empty())
    return of_run;
  LoadRequest request;
  request.etdump = etdump;
  request.recovers = false;
  request.etrecord = etrecord;
  return within_budget(cancel, [&] { return fitting_program(files, candidates, request, cancel); });
}

Result<void> choose_partners(const FileSystem& files, const std::vector<FoundArtifact>& found,
                             LoadRequest& request, const CancelToken& cancel) {
  if (const Result<FileStamp> dump = files.stat(request.etdump); !dump) return dump.error();
  if (request.etrecord.empty() && request.finds_record) {
    Result<std::string> record = choose_record(files, found, request.etdump, cancel);
    if (!record) return std::move(record).error();
    request.etrecord = std::move(*record);
    request.leaves_out_record = !request.etrecord.empty();
  }
  if (request.pte.empty()) {
    Result<std::string> program =
        choose_program(files, found, request.etdump, request.etrecord, cancel);
    if (!program) return std::move(program).error();
    request.pte = std::move(*program);
  }
  return {};
}

}  // namespace etlens
