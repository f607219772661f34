// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/discovery.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_set>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/source/paths/path_mapper.h"

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

}  // namespace etlens
