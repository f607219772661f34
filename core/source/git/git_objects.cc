// SPDX-License-Identifier: Apache-2.0
#include "core/source/git/git_objects.h"

#include <git2.h>
#include <git2/sys/odb_backend.h>

#include <algorithm>
#include <memory>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/source/git/git_memory.h"

namespace etlens {
namespace {

constexpr size_t kMaxCommitBytes = 1 << 20;
constexpr uint64_t kMaxLooseBytes = 64 << 20;  // packed, of the largest that is read
constexpr size_t kMaxPackFiles = 20'000;
constexpr size_t kLeastDigits = 4;
constexpr int kMaxTags = 5;  // tags of tags

git_oid oid_of(const GitId& id) {
  git_oid oid;
  git_oid_fromraw(&oid, id.data());
  return oid;
}

GitId id_of(const git_oid& oid) {
  GitId id;
  std::copy_n(oid.id, id.size(), id.begin());
  return id;
}

git_object_t type_of(GitKind kind) {
  switch (kind) {
    case GitKind::Commit:
      return GIT_OBJECT_COMMIT;
    case GitKind::Tree:
      return GIT_OBJECT_TREE;
    case GitKind::Blob:
      return GIT_OBJECT_BLOB;
    case GitKind::Tag:
      return GIT_OBJECT_TAG;
  }
  return GIT_OBJECT_INVALID;
}

std::optional<GitCommit> parse_commit(std::string_view data) {
  GitCommit commit;
  bool has_tree = false;
  for (const std::string_view line : split(data.substr(0, data.find("\n\n")), '\n')) {
    const size_t blank = line.find(' ');
    if (blank == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, blank);
    const std::string_view value = line.substr(blank + 1);
    const std::optional<GitId> id =
        key == "tree" || key == "parent" ? git_id_of(value) : std::nullopt;
    if (id && key == "tree") {
      commit.tree = *id;
      has_tree = true;
    } else if (id) {
      commit.parents.push_back(*id);
    } else if (key == "committer") {
      const size_t zone = value.rfind(' ');
      const std::string_view before = value.substr(0, zone == std::string_view::npos ? 0 : zone);
      commit.time = parse_int(before.substr(before.rfind(' ') + 1)).value_or(0);
    }
  }
  return has_tree ? std::optional(commit) : std::nullopt;
}

}  // namespace

std::optional<GitId> git_id_of(std::string_view hex) {
  git_oid oid;
  if (hex.size() != GIT_OID_HEXSZ || git_oid_fromstrn(&oid, hex.data(), hex.size()) != 0)
    return std::nullopt;
  return id_of(oid);
}

std::string hex_of(const GitId& id) {
  const git_oid oid = oid_of(id);
  std::string text(GIT_OID_HEXSZ, '0');
  git_oid_fmt(text.data(), &oid);
  return text;
}

GitId git_blob_id(std::span<const uint8_t> content) {
  static const int is_ready = git_libgit2_init();  // for good: it takes longer than to hash
  git_oid oid = {};
  if (is_ready > 0) git_odb_hash(&oid, content.data(), content.size(), GIT_OBJECT_BLOB);
  return id_of(oid);
}

GitObjects::GitObjects(const FileSystem& files, const std::string& folder)
    : files_(files), folder_(folder) {
  const bool has_packs = has_sound_packs();
  limit_git_allocations();
  git_libgit2_init();
  if (git_odb_new(&odb_) != 0) return;
  const auto add = [this](git_odb_backend* backend, int priority) {
    if (git_odb_add_backend(odb_, backend, priority) != 0) backend->free(backend);
  };
  git_odb_backend* loose = nullptr;
  git_odb_backend* packs = nullptr;
  if (git_odb_backend_loose(&loose, folder.c_str(), -1, 0, 0, 0) == 0) add(loose, 1);
  if (has_packs && git_odb_backend_pack(&packs, folder.c_str()) == 0) add(packs, 2);
}

GitObjects::~GitObjects() {
  git_odb_free(odb_);
  git_libgit2_shutdown();
}

// libgit2 opens whatever has the right name, and a pipe would keep it for ever. So it gets to see
// only what is a regular file and no larger than what it is asked for could be.
bool GitObjects::is_sound(const std::string& path, uint64_t limit) const {
  const Result<FileStamp> stamp = files_.stat(path);
  return stamp && stamp->size <= limit && files_.read_range(path, 0, 0);
}

// An object that is not there is none to be afraid of.
bool GitObjects::has_sound_loose(const GitId& id) const {
  const std::string name = hex_of(id);
  const std::string path = join_path(join_path(folder_, name.substr(0, 2)), name.substr(2));
  return !files_.stat(path) || is_sound(path, kMaxLooseBytes);
}

// One odd file, and none of the packs is looked at.
bool GitObjects::has_sound_packs() const {
  const std::string packs = join_path(folder_, "pack");
  const Result<std::vector<DirectoryEntry>> entries = files_.list(packs);
  if (!entries || entries->size() > kMaxPackFiles) return false;
  return std::all_of(entries->begin(), entries->end(), [&](const DirectoryEntry& entry) {
    return entry.is_directory || is_sound(join_path(packs, entry.name), UINT64_MAX);
  });
}

std::optional<std::string> GitObjects::read(const GitId& id, GitKind kind, size_t limit) const {
  const std::optional<uint64_t> size = size_of(id, kind);
  if (!size || *size > limit) return std::nullopt;
  const git_oid oid = oid_of(id);
  git_odb_object* object = nullptr;
  if (git_odb_read(&object, odb_, &oid) != 0) return std::nullopt;
  const std::unique_ptr<git_odb_object, decltype(&git_odb_object_free)> held(object,
                                                                             &git_odb_object_free);
  return std::string(static_cast<const char*>(git_odb_object_data(object)),
                     git_odb_object_size(object));
}

std::optional<uint64_t> GitObjects::size_of(const GitId& id, GitKind kind) const {
  const git_oid oid = oid_of(id);
  size_t size = 0;
  git_object_t found = GIT_OBJECT_INVALID;
  go_on();
  if (odb_ == nullptr || !has_sound_loose(id) ||
      git_odb_read_header(&size, &found, odb_, &oid) != 0)
    return std::nullopt;
  return found == type_of(kind) ? std::optional<uint64_t>(size) : std::nullopt;
}

std::optional<GitCommit> GitObjects::commit(const GitId& id) const {
  const std::optional<std::string> data = read(id, GitKind::Commit, kMaxCommitBytes);
  return data ? parse_commit(*data) : std::nullopt;
}

std::optional<GitId> GitObjects::peeled(GitId id) const {
  for (int depth = 0; depth < kMaxTags; ++depth) {
    if (size_of(id, GitKind::Commit)) return id;
    const std::optional<std::string> tag = read(id, GitKind::Tag, kMaxCommitBytes);
    constexpr std::string_view kPrefix = "object ";
    if (!tag || !tag->starts_with(kPrefix)) return std::nullopt;
    const std::optional<GitId> object =
        git_id_of(std::string_view(*tag).substr(kPrefix.size(), GIT_OID_HEXSZ));
    if (!object) return std::nullopt;
    id = *object;
  }
  return std::nullopt;
}

std::optional<GitId> GitObjects::abbreviated(std::string_view hex) const {
  git_oid part = {};
  git_oid found;
  if (odb_ == nullptr || hex.size() < kLeastDigits || hex.size() > GIT_OID_HEXSZ ||
      git_oid_fromstrn(&part, hex.data(), hex.size()) != 0 ||
      git_odb_exists_prefix(&found, odb_, &part, hex.size()) != 0) {
    return std::nullopt;
  }
  return id_of(found);
}

namespace {

// Takes the first entry off a tree: "mode name\0" and the twenty bytes of the id.
std::optional<GitEntry> next_entry(std::string_view& tree) {
  go_on();
  const size_t end = tree.find('\0');
  const size_t blank = tree.substr(0, end).find(' ');
  const bool is_whole = blank != std::string_view::npos && end != std::string_view::npos &&
                        tree.size() - end - 1 >= GIT_OID_RAWSZ;
  if (!is_whole) return std::nullopt;
  GitEntry entry;
  const std::string_view mode = tree.substr(0, blank);
  entry.name = tree.substr(blank + 1, end - blank - 1);
  entry.is_folder = mode == "40000" || mode == "040000";
  entry.is_file = mode.starts_with("100");
  std::copy_n(reinterpret_cast<const unsigned char*>(tree.data()) + end + 1, entry.id.size(),
              entry.id.begin());
  tree.remove_prefix(end + 1 + GIT_OID_RAWSZ);
  return entry;
}

}  // namespace

std::vector<GitEntry> entries_of(std::string_view tree) {
  std::vector<GitEntry> entries;
  while (const std::optional<GitEntry> entry = next_entry(tree)) entries.push_back(*entry);
  return entries;
}

std::optional<GitEntry> entry_of(std::string_view tree, std::string_view name) {
  while (std::optional<GitEntry> entry = next_entry(tree)) {
    if (entry->name == name) return entry;
  }
  return std::nullopt;
}

}  // namespace etlens
