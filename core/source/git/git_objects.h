// SPDX-License-Identifier: Apache-2.0
// The objects of a repository: its loose ones and its packs, nothing else. No configuration, hook,
// attribute, filter, alternate or replacement of the repository, the user or the machine is looked
// at, and no process is started: a repository is input like any other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file_system.h"
#include "core/source/git/git_file.h"
#include "core/source/git/git_id.h"
#include "core/source/git/git_packs.h"

namespace etlens {

// What git calls a file with this content (`git hash-object`).
GitId git_blob_id(std::span<const uint8_t> content);

struct GitCommit {
  GitId tree = {};
  std::vector<GitId> parents;
  int64_t time = 0;  // of the committer: seconds since the epoch
};

struct GitEntry {
  std::string_view name;  // views into the tree
  GitId id = {};
  bool is_folder = false;
  bool is_file = false;  // neither link nor submodule
};

// All is read through the FileSystem, so that what is refused there (pipes, what lies outside) is
// not there. Objects that are not what their names say, are damaged. For one thread at a time.
class GitObjects {
 public:
  // `folder`: "objects" of a repository. What cannot be read has no objects. `files` must outlive
  // this.
  GitObjects(const FileSystem& files, const std::string& folder);
  GitObjects(const GitObjects&) = delete;
  GitObjects& operator=(const GitObjects&) = delete;

  // Nothing for objects of another kind, longer ones than `limit` bytes or kMaxGitObjectBytes, or
  // damaged ones.
  std::optional<std::string> read(const GitId& id, GitKind kind, size_t limit) const;
  std::optional<uint64_t> size_of(const GitId& id, GitKind kind) const;
  std::optional<GitCommit> commit(const GitId& id) const;
  // The commit that an annotated tag names; `id` itself if it is a commit.
  std::optional<GitId> peeled(GitId id) const;
  // Of at least four digits, if exactly one object begins like that.
  std::optional<GitId> abbreviated(std::string_view hex) const;

 private:
  struct Found {
    GitHeader header;
    std::optional<GitPacks::Place> place;  // in a pack; else loose, where its content begins
    size_t begin = 0;
  };
  std::optional<Found> find(const GitId& id) const;
  std::string loose_path(const GitId& id) const;
  std::optional<GitHeader> loose_header(const std::string& path, size_t& begin) const;

  const FileSystem& files_;
  const std::string folder_;
  mutable GitFiles pieces_;
  mutable GitPacks packs_;
};

// The entries of a tree object; those before the first that is broken.
std::vector<GitEntry> entries_of(std::string_view tree);
std::optional<GitEntry> entry_of(std::string_view tree, std::string_view name);

inline constexpr size_t kMaxGitTreeBytes = 32 << 20;

}  // namespace etlens
