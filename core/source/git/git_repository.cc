// SPDX-License-Identifier: Apache-2.0
#include "core/source/git/git_repository.h"

#include <algorithm>

#include "core/base/path.h"
#include "core/base/text.h"

namespace etlens {
namespace {

constexpr uint64_t kMaxSmallFile = 64 << 10;
constexpr uint64_t kMaxPackedRefs = 64 << 20;
constexpr int kMaxSymbolic = 5;  // HEAD that names a reference that names a reference …
constexpr int kMaxFolders = 64;  // up from the file

std::optional<std::string> read_text(const FileSystem& files, const std::string& path,
                                     uint64_t limit = kMaxSmallFile) {
  const Result<Bytes> bytes = files.read_range(path, 0, limit + 1);
  if (!bytes || bytes->size() > limit) return std::nullopt;
  return std::string(trim(bytes->text()));
}

bool is_commit_id(std::string_view text) {
  return text.size() == 40 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// What a file in `folder` calls `path`; "" if that is on a machine that `folder` is not on.
std::string near_path(const std::string& folder, std::string_view path) {
  const std::string absolute = absolute_path(folder, path);
  return is_on_host(absolute) && root_of(absolute) != root_of(folder) ? "" : absolute;
}

// `folder/.git`, or where the file of that name says that it is.
std::string git_folder(const FileSystem& files, const std::string& folder) {
  const std::string path = join_path(folder, ".git");
  const Result<FileStamp> stamp = files.stat(path);
  if (!stamp) return "";
  if (stamp->is_directory) return path;
  const std::optional<std::string> text = read_text(files, path);
  constexpr std::string_view kPrefix = "gitdir: ";
  if (!text || !text->starts_with(kPrefix)) return "";
  return near_path(folder, std::string_view(*text).substr(kPrefix.size()));
}

std::string packed_ref(const FileSystem& files, const std::string& common, std::string_view name) {
  const std::optional<std::string> text =
      read_text(files, join_path(common, "packed-refs"), kMaxPackedRefs);
  if (!text) return "";
  for (const std::string_view line : split_lines(*text)) {
    if (line.size() > 41 && line.substr(41) == name && is_commit_id(line.substr(0, 40)))
      return std::string(line.substr(0, 40));
  }
  return "";
}

bool is_plain_reference(std::string_view name) {
  const std::vector<std::string_view> parts = path_components(name);
  return name.starts_with("refs/") && std::find(parts.begin(), parts.end(), "..") == parts.end();
}

// The branch that HEAD is on; "" for a commit.
std::string branch_of(const FileSystem& files, const std::string& git) {
  constexpr std::string_view kPrefix = "ref: refs/heads/";
  const std::optional<std::string> text = read_text(files, join_path(git, "HEAD"));
  return text && text->starts_with(kPrefix) ? text->substr(kPrefix.size()) : "";
}

// What the reference of that full name leads to; "" if it names nothing.
std::string follow(const FileSystem& files, const std::string& git, const std::string& common,
                   std::string name) {
  for (int depth = 0; depth < kMaxSymbolic; ++depth) {
    std::optional<std::string> text = read_text(files, join_path(git, name));
    if (!text && common != git) text = read_text(files, join_path(common, name));
    if (!text) return packed_ref(files, common, name);
    if (is_commit_id(*text)) return *text;
    constexpr std::string_view kPrefix = "ref: ";
    if (!text->starts_with(kPrefix)) return "";
    name = trim(std::string_view(*text).substr(kPrefix.size()));
    if (!is_plain_reference(name)) return "";
  }
  return "";
}

}  // namespace

std::optional<GitRepository> find_git_repository(const FileSystem& files, std::string_view path) {
  std::string folder(parent_path(path));
  for (int up = 0; up < kMaxFolders && !folder.empty(); ++up) {
    if (const std::string git = git_folder(files, folder); !git.empty()) {
      const std::optional<std::string> shared = read_text(files, join_path(git, "commondir"));
      const std::string common = shared ? near_path(git, *shared) : git;
      if (common.empty()) return std::nullopt;
      GitRepository found;
      found.root = folder;
      found.git = git;
      found.common = common;
      found.objects = join_path(common, "objects");
      found.head = follow(files, git, common, "HEAD");
      found.branch = branch_of(files, git);
      found.path = relative_path(folder, path);
      if (found.head.empty()) return std::nullopt;
      return found;
    }
    const std::string above(parent_path(folder));
    if (above == folder) break;
    folder = above;
  }
  return std::nullopt;
}

std::string find_git_reference(const FileSystem& files, const GitRepository& repository,
                               std::string_view name) {
  if (name == "HEAD" || name == "@") return repository.head;
  for (const std::string_view prefix : {"", "refs/tags/", "refs/heads/", "refs/remotes/"}) {
    const std::string full = std::string(prefix).append(name);
    if (!is_plain_reference(full)) continue;
    if (std::string id = follow(files, repository.git, repository.common, full); !id.empty())
      return id;
  }
  return "";
}

}  // namespace etlens
