// SPDX-License-Identifier: Apache-2.0
#include "core/source/git/git_revision.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/source/git/git_objects.h"
#include "core/source/git/git_repository.h"

namespace etlens {
namespace {

constexpr uint64_t kMaxRevisionFileBytes = 1 << 30;
constexpr int64_t kMaxSteps = 10000;  // of ~N
constexpr int64_t kNanoseconds = 1'000'000'000;

// Behind a name: "^" and "~3" are steps to the first parent.
struct NameAndSteps {
  std::string_view name;
  int64_t steps = 0;
};

std::optional<NameAndSteps> split_steps(std::string_view text) {
  const size_t end = std::min(text.find('^'), text.find('~'));
  NameAndSteps result{text.substr(0, end)};
  text.remove_prefix(std::min(end, text.size()));
  while (!text.empty()) {
    const char kind = text.front();
    text.remove_prefix(1);
    const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    int64_t count = 1;
    if (digits > 0) count = parse_int(text.substr(0, digits)).value_or(kMaxSteps + 1);
    if ((kind != '^' && kind != '~') || (kind == '^' && digits > 0)) return std::nullopt;
    result.steps += count;
    if (count > kMaxSteps || result.steps > kMaxSteps) return std::nullopt;
    text.remove_prefix(digits);
  }
  return result;
}

std::optional<GitId> commit_of(const FileSystem& files, const GitRepository& repository,
                               const GitObjects& objects, std::string_view revision) {
  const std::optional<NameAndSteps> asked = split_steps(revision);
  if (!asked || asked->name.empty()) return std::nullopt;
  std::optional<GitId> id = git_id_of(find_git_reference(files, repository, asked->name));
  if (!id) id = objects.abbreviated(asked->name);
  if (id) id = objects.peeled(*id);
  for (int64_t step = 0; id && step < asked->steps; ++step) {
    const std::optional<GitCommit> commit = objects.commit(*id);
    id = commit && !commit->parents.empty() ? std::optional(commit->parents.front()) : std::nullopt;
  }
  return id;
}

class RevisionFileSystem final : public FileSystem {
 public:
  RevisionFileSystem(const FileSystem& files, const std::string& objects, GitRevision revision,
                     GitCommit commit)
      : files_(files),
        objects_(files, objects),
        revision_(std::move(revision)),
        commit_(std::move(commit)) {}

  Result<FileStamp> stat(std::string_view path) const override {
    if (!is_ours(path)) return files_.stat(path);
    const std::optional<Found> found = find(path);
    if (!found) return missing(path);
    FileStamp stamp;
    stamp.modified_ns = commit_.time * kNanoseconds;
    stamp.is_directory = found->is_folder;
    std::memcpy(&stamp.inode, found->id.data(), sizeof stamp.inode);
    if (!found->is_folder) stamp.size = objects_.size_of(found->id, GitKind::Blob).value_or(0);
    return stamp;
  }

  Result<Bytes> read(std::string_view path) const override {
    return read_range(path, 0, UINT64_MAX);
  }

  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override {
    if (!is_ours(path)) return files_.read_range(path, offset, size);
    const std::optional<Found> found = find(path);
    if (!found || found->is_folder) return missing(path);
    const std::optional<std::string> data =
        objects_.read(found->id, GitKind::Blob, kMaxRevisionFileBytes);
    if (!data) {
      return Error{ErrorCode::Io, name_of(path) +
                                      " cannot be read: git has no such object, or one that is too "
                                      "large; fetch it, or check it out"};
    }
    const std::string_view text = *data;
    return Bytes::copy_of(text.substr(std::min<uint64_t>(offset, text.size()), size));
  }

  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override {
    if (!is_ours(folder)) return files_.list(folder);
    const std::optional<Found> found = find(folder);
    const std::optional<std::string> tree =
        found && found->is_folder ? objects_.read(found->id, GitKind::Tree, kMaxGitTreeBytes)
                                  : std::nullopt;
    if (!tree) return missing(folder);
    std::vector<DirectoryEntry> entries;
    for (const GitEntry& entry : entries_of(*tree)) {
      if (entry.is_folder || entry.is_file)
        entries.push_back({std::string(entry.name), entry.is_folder});
    }
    return entries;
  }

 private:
  struct Found {
    GitId id = {};
    bool is_folder = true;
  };

  bool is_ours(std::string_view path) const {
    return is_below(revision_.root, path) && !is_below(join_path(revision_.root, ".git"), path);
  }

  std::optional<Found> find(std::string_view path) const {
    Found found{commit_.tree, true};
    if (path.size() <= revision_.root.size()) return found;
    for (const std::string_view part : path_components(relative_path(revision_.root, path))) {
      if (!found.is_folder) return std::nullopt;
      const std::optional<std::string> tree =
          objects_.read(found.id, GitKind::Tree, kMaxGitTreeBytes);
      const std::optional<GitEntry> entry = tree ? entry_of(*tree, part) : std::nullopt;
      if (!entry || !(entry->is_folder || entry->is_file)) return std::nullopt;
      found = {entry->id, entry->is_folder};
    }
    return found;
  }

  std::string name_of(std::string_view path) const {
    constexpr size_t kShort = 10;
    return revision_.commit.substr(0, kShort) + ":" +
           std::string(relative_path(revision_.root, path));
  }

  Error missing(std::string_view path) const {
    return {ErrorCode::NotFound, name_of(path) + " does not exist in git; check the path"};
  }

  const FileSystem& files_;
  const GitObjects objects_;
  const GitRevision revision_;
  const GitCommit commit_;
};

Error no_repository(std::string_view inside) {
  return {ErrorCode::NotFound,
          std::string(inside) + " is in no git repository; give a folder of a working tree"};
}

// A file there, so that the search begins in the folder itself.
std::optional<GitRepository> repository_around(const FileSystem& files, std::string_view inside) {
  const Result<FileStamp> stamp = files.stat(inside);
  const bool is_folder = stamp && stamp->is_directory;
  return find_git_repository(files, is_folder ? join_path(inside, ".") : std::string(inside));
}

}  // namespace

Result<GitRevision> find_git_revision(const FileSystem& files, std::string_view inside,
                                      std::string_view revision) {
  const std::optional<GitRepository> repository = repository_around(files, inside);
  if (!repository) return no_repository(inside);
  const GitObjects objects(files, repository->objects);
  const std::optional<GitId> id = commit_of(files, *repository, objects, revision);
  if (!id) {
    return Error{ErrorCode::NotFound, "git knows no revision " + std::string(revision) + " in " +
                                          repository->root +
                                          "; give a branch, a tag or a commit that was fetched"};
  }
  return GitRevision{repository->root, hex_of(*id)};
}

Result<std::unique_ptr<const FileSystem>> open_git_revision(const FileSystem& files,
                                                            const GitRevision& revision) {
  const std::optional<GitRepository> repository = repository_around(files, revision.root);
  if (!repository) return no_repository(revision.root);
  const std::optional<GitId> id = git_id_of(revision.commit);
  std::optional<GitCommit> commit =
      id ? GitObjects(files, repository->objects).commit(*id) : std::nullopt;
  if (!commit) {
    return Error{ErrorCode::NotFound,
                 "git has no commit " + revision.commit + " in " + revision.root + "; fetch it"};
  }
  return std::unique_ptr<const FileSystem>(std::make_unique<RevisionFileSystem>(
      files, repository->objects, revision, *std::move(commit)));
}

}  // namespace etlens
