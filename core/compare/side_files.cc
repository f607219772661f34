// SPDX-License-Identifier: Apache-2.0
#include "core/compare/side_files.h"

#include <algorithm>

#include "core/base/path.h"
#include "core/base/text.h"

namespace etlens {
namespace {

struct RevisionPath {
  std::string_view revision;
  std::string_view path;
};

std::optional<RevisionPath> split_revision(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == text.npos || colon == 0 || is_absolute(text) || text.front() == '.')
    return std::nullopt;
  return RevisionPath{text.substr(0, colon), text.substr(colon + 1)};
}

class SideSearch {
 public:
  explicit SideSearch(const FileSystem& files) : files_(files) {}

  Result<void> add(const std::string& path) {
    if (is_glob(path) && !files_.stat(path)) {
      const std::string folder = glob_folder(path);
      add_found({{folder}, {std::string(relative_path(folder, path))}});
      return {};
    }
    const Result<FileStamp> stamp = files_.stat(path);
    if (!stamp) return stamp.error();
    if (stamp->is_directory) {
      side_.folders.push_back(path);
      side_.is_searched = true;
      add_found({{path}, {}});
      return {};
    }
    const Result<Bytes> front = files_.read_range(path, 0, kKindBytes);
    if (!front) return front.error();
    const FileKind kind = file_kind(front->span());
    if (kind == FileKind::EtRecord) side_.etrecord = path;
    else if (kind == FileKind::Program || kind == FileKind::BundledProgram) side_.pte = path;
    else add_dump(path);
    return {};
  }

  SideFiles take() && { return std::move(side_); }

 private:
  void add_dump(const std::string& path) {
    if (std::find(side_.dumps.begin(), side_.dumps.end(), path) == side_.dumps.end())
      side_.dumps.push_back(path);
  }

  void add_found(const DiscoveryOptions& search) {
    const std::vector<FoundArtifact> found = find_artifacts(files_, search);
    for (const FoundArtifact* dump : dumps_by_age(found)) add_dump(dump->path);
  }

  const FileSystem& files_;
  SideFiles side_;
};

}  // namespace

Result<SidePlace> find_side_place(const FileSystem& files, const std::string& here,
                                  const std::vector<std::string>& named) {
  SidePlace place;
  for (const std::string& text : named) {
    std::string path = absolute_path(here, text);
    const std::optional<RevisionPath> parts =
        files.stat(path) ? std::nullopt : split_revision(text);
    if (!parts) {
      place.paths.push_back(std::move(path));
      continue;
    }
    Result<GitRevision> revision = find_git_revision(files, here, parts->revision);
    if (!revision) return std::move(revision).error();
    const bool is_below_here = parts->path.starts_with("./") || parts->path.starts_with("../");
    place.paths.push_back(absolute_path(is_below_here ? here : revision->root, parts->path));
    if (place.revision && place.revision->commit != revision->commit) {
      return Error{ErrorCode::InvalidParams,
                   text +
                       " is of another git revision than what was named before it; a side is of "
                       "one revision"};
    }
    place.revision = std::move(*revision);
  }
  return place;
}

Result<void> open_side_place(const FileSystem& files, SidePlace& place) {
  if (!place.revision) return {};
  Result<std::unique_ptr<const FileSystem>> opened = open_git_revision(files, *place.revision);
  if (!opened) return std::move(opened).error();
  place.files = std::move(*opened);
  return {};
}

bool is_glob(std::string_view path) { return path.find_first_of("*?") != path.npos; }

std::string glob_folder(std::string_view path) {
  return std::string(parent_path(path.substr(0, path.find_first_of("*?"))));
}

bool names_dump(std::string_view path, std::string_view dump) {
  if (!is_glob(path)) return is_below(path, dump);
  const std::string folder = glob_folder(path);
  return is_below(folder, dump) &&
         glob_match(relative_path(folder, path), relative_path(folder, dump));
}

Result<SideFiles> find_side_files(const FileSystem& files, const std::vector<std::string>& paths) {
  SideSearch search(files);
  for (const std::string& path : paths) {
    if (Result<void> added = search.add(path); !added) return std::move(added).error();
  }
  return std::move(search).take();
}

}  // namespace etlens
