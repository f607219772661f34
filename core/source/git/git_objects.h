// SPDX-License-Identifier: Apache-2.0
// The objects of a repository: its loose ones and its packs, nothing else. No configuration, hook,
// attribute, filter, alternate or replacement of the repository, the user or the machine is looked
// at, and no process is started: a repository is input like any other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file_system.h"

struct git_odb;

namespace etlens {

using GitId = std::array<unsigned char, 20>;
// Of forty hexadecimal digits.
std::optional<GitId> git_id_of(std::string_view hex);
std::string hex_of(const GitId& id);
// What git calls a file with this content (`git hash-object`).
GitId git_blob_id(std::span<const uint8_t> content);

enum class GitKind : uint8_t { Commit, Tree, Blob, Tag };

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

class GitObjects {
 public:
  // `folder`: "objects" of a repository. What cannot be opened has no objects.
  // libgit2 gets to see regular files only, none larger than what could be in it; `files` must
  // outlive this.
  GitObjects(const FileSystem& files, const std::string& folder);
  ~GitObjects();
  GitObjects(const GitObjects&) = delete;
  GitObjects& operator=(const GitObjects&) = delete;

  // Nothing for objects of another kind, longer ones than `limit` bytes, or damaged ones.
  std::optional<std::string> read(const GitId& id, GitKind kind, size_t limit) const;
  std::optional<uint64_t> size_of(const GitId& id, GitKind kind) const;
  std::optional<GitCommit> commit(const GitId& id) const;
  // The commit that an annotated tag names; `id` itself if it is a commit.
  std::optional<GitId> peeled(GitId id) const;
  // Of at least four digits, if exactly one object begins like that.
  std::optional<GitId> abbreviated(std::string_view hex) const;

 private:
  bool is_sound(const std::string& path, uint64_t limit) const;
  bool has_sound_packs() const;
  bool has_sound_loose(const GitId& id) const;

  const FileSystem& files_;
  std::string folder_;
  git_odb* odb_ = nullptr;
};

// The entries of a tree object; those before the first that is broken.
std::vector<GitEntry> entries_of(std::string_view tree);
std::optional<GitEntry> entry_of(std::string_view tree, std::string_view name);

inline constexpr size_t kMaxGitTreeBytes = 32 << 20;

}  // namespace etlens
