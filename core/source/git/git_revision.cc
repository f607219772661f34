// SPDX-License-Identifier: Apache-2.0
#include "core/source/git/git_revision.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/source/git/git_objects.h"
#include "core/source/git/git_repository.h"

namespace etlens {
namespace {

constexpr size_t kMaxKeptTreeBytes = 16 << 20;  // of trees as git has them
constexpr int64_t kMaxSteps = 10000;            // of ~N
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

// The entries of a tree, to be found by their names.
class Tree {
 public:
  explicit Tree(std::string data) : data_(std::move(data)), entries_(entries_of(data_)) {
    std::ranges::stable_sort(entries_, {}, &GitEntry::name);
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  const std::vector<GitEntry>& entries() const { return entries_; }
  const GitEntry* find(std::string_view name) const {
    const auto at = std::ranges::lower_bound(entries_, name, {}, &GitEntry::name);
    return at != entries_.end() && at->name == name ? &*at : nullptr;
  }

 private:
  const std::string data_;
  std::vector<GitEntry> entries_;  // views into data_
};

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
    if (!last_ || last_->first != found->id) {
      std::optional<std::string> data = objects_.read(found->id, GitKind::Blob, kMaxGitObjectBytes);
      last_.reset();
      if (data) last_.emplace(found->id, *std::move(data));
    }
    if (!last_) {
      return Error{ErrorCode::Io, name_of(path) +
                                      " cannot be read: git has no such object, or one that is too "
                                      "large; fetch it, or check it out"};
    }
    const std::string_view text = last_->second;
    return Bytes::copy_of(text.substr(std::min<uint64_t>(offset, text.size()), size));
  }

  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override {
    if (!is_ours(folder)) return files_.list(folder);
    const std::optional<Found> found = find(folder);
    const Tree* tree = found && found->is_folder ? tree_of(found->id) : nullptr;
    if (tree == nullptr) return missing(folder);
    std::vector<DirectoryEntry> entries;
    for (const GitEntry& entry : tree->entries()) {
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
      const Tree* tree = tree_of(found.id);
      const GitEntry* entry = tree == nullptr ? nullptr : tree->find(part);
      if (entry == nullptr || !(entry->is_folder || entry->is_file)) return std::nullopt;
      found = {entry->id, entry->is_folder};
    }
    return found;
  }

  // Each tree is read once for all that is in it. Good until the next call.
  const Tree* tree_of(const GitId& id) const {
    const auto kept = trees_.find(id);
    if (kept != trees_.end()) return kept->second.get();
    std::optional<std::string> data = objects_.read(id, GitKind::Tree, kMaxGitTreeBytes);
    if (!data) return nullptr;
    if (tree_bytes_ + data->size() > kMaxKeptTreeBytes) {
      trees_.clear();
      tree_bytes_ = 0;
    }
    tree_bytes_ += data->size();
    return trees_.emplace(id, std::make_unique<const Tree>(*std::move(data))).first->second.get();
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
  mutable std::map<GitId, std::unique_ptr<const Tree>> trees_;  // that were read last
  mutable size_t tree_bytes_ = 0;
  mutable std::optional<std::pair<GitId, std::string>> last_;  // file: it is read piece by piece
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
