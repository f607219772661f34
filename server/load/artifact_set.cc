// SPDX-License-Identifier: Apache-2.0
#include "server/load/artifact_set.h"

#include <algorithm>
#include <set>

#include "core/base/path.h"
#include "core/base/shown_text.h"
#include "core/formats/debug_buffer/debug_buffer.h"
#include "core/formats/run/run_file.h"
#include "core/runs/run_store.h"
#include "core/workspace/choose_export.h"

namespace etlens {
namespace {

bool by_path(const FoundArtifact& a, const std::string& path) { return a.path < path; }

bool same_artifact(const FoundArtifact& a, const FoundArtifact& b) {
  return a.path == b.path && a.kind == b.kind && a.stamp == b.stamp;
}

}  // namespace

bool ArtifactSet::replace(std::vector<FoundArtifact> found) {
  const bool same =
      std::equal(found_.begin(), found_.end(), found.begin(), found.end(), same_artifact);
  found_ = std::move(found);
  return !same;
}

bool ArtifactSet::update(const std::string& path) {
  // A run that was just stored is a copy of what is shown. No walk finds it, but clients watch all folders.
  if (is_stored_file(path)) return false;
  const auto at = std::lower_bound(found_.begin(), found_.end(), path, by_path);
  const bool is_known = at != found_.end() && at->path == path;
  const Result<FileStamp> stamp = files_.stat(path);
  if (stamp && is_known && *stamp == at->stamp) return false;
  FileKind kind = FileKind::Other;
  if (stamp && !stamp->is_directory) {
    if (const Result<Bytes> front = files_.read_range(path, 0, kKindBytes))
      kind = file_kind(front->span());
  }
  if (is_artifact(kind)) {
    FoundArtifact artifact{path, kind, *stamp};
    if (is_known) *at = std::move(artifact);
    else found_.insert(at, std::move(artifact));
    return true;
  }
  if (!is_known) return is_beside_dump(path);
  // A file that is being rewritten is empty for a moment: it stays, with its stamp of now.
  if (kind == FileKind::Empty) at->stamp = *stamp;
  else found_.erase(at);
  return true;
}

LoadKey ArtifactSet::key(const std::vector<std::string>& roots, const LoadSettings& settings,
                         const std::vector<std::string>& baseline) const {
  LoadKey key;
  key.settings = settings;
  StudyWish& wish = key.settings;
  wish = absolute_wish(files_, roots, settings);
  key.is_chosen = !wish.etdump.empty();
  if (const auto dumps = dumps_by_age(found_); wish.etdump.empty() && !dumps.empty()) {
    const auto is_other = [&](const FoundArtifact* dump) {
      return std::none_of(baseline.begin(), baseline.end(),
                          [&](const std::string& path) { return names_dump(path, dump->path); });
    };
    const auto newest = std::find_if(dumps.begin(), dumps.end(), is_other);
    wish.etdump = (newest == dumps.end() ? dumps.front() : *newest)->path;
  }
  if (wish.etdump.empty()) name_newest_export(found_, wish);
  const FoundArtifact* profile = newest_of(found_, FileKind::PythonProfile);
  if (wish.profile.empty() && profile != nullptr) wish.profile = profile->path;
  key.stamps = looked_at(files_, found_, wish);
  return key;
}

std::optional<FileStamp> LoadKey::stamp() const {
  const auto at = stamps.find(name());
  return at == stamps.end() ? std::nullopt : at->second;
}

// Debug buffers and files about runs: their bytes say nothing about what they are, so no walk finds
// them.
bool ArtifactSet::is_beside_dump(const std::string& path) const {
  return std::any_of(found_.begin(), found_.end(), [&](const FoundArtifact& artifact) {
    if (artifact.kind != FileKind::EtDump || parent_path(artifact.path) != parent_path(path))
      return false;
    std::vector<std::string> beside = debug_buffer_paths(artifact.path);
    beside.push_back(run_file_path(artifact.path));
    return std::find(beside.begin(), beside.end(), path) != beside.end();
  });
}

std::vector<std::string> ArtifactSet::folders(const std::vector<std::string>& roots,
                                              size_t limit) const {
  std::set<std::string> unique(roots.begin(), roots.end());
  for (const FoundArtifact& artifact : found_) {
    // Also the folder above: the next run often writes beside the last one's folder.
    const std::string_view folder = parent_path(artifact.path);
    unique.emplace(folder);
    const std::string_view above = parent_path(folder);
    const bool is_inside = std::any_of(
        roots.begin(), roots.end(), [&](const std::string& root) { return is_below(root, above); });
    if (is_inside) unique.emplace(above);
  }
  std::vector<std::string> folders(unique.begin(), unique.end());
  if (folders.size() > limit) folders.resize(limit);
  return folders;
}

std::string path_as_shown(const std::vector<FoundArtifact>& found, const std::string& path) {
  const auto is_there = [&](auto&& is_it) {
    const auto at = std::find_if(found.begin(), found.end(), is_it);
    return at == found.end() ? std::string() : at->path;
  };
  const std::string exact = is_there([&](const FoundArtifact& a) { return a.path == path; });
  if (!exact.empty()) return path;
  const std::string shown =
      is_there([&](const FoundArtifact& a) { return shown_text(a.path) == path; });
  return shown.empty() ? path : shown;
}

StudyWish absolute_wish(const FileSystem& files, const std::vector<std::string>& roots,
                        StudyWish wish) {
  (void)make_absolute(wish, [&](const std::string& path) -> Result<std::string> {
    return resolve_path(files, roots, path);
  });
  wish.roots = roots;
  return wish;
}

std::string resolve_path(const FileSystem& files, const std::vector<std::string>& roots,
                         const std::string& path) {
  if (is_absolute(path) || roots.empty()) return normal_path(path);
  for (const std::string& root : roots) {
    std::string candidate = absolute_path(root, path);
    if (files.stat(candidate)) return candidate;
  }
  return absolute_path(roots.front(), path);
}

}  // namespace etlens
