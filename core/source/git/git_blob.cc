// SPDX-License-Identifier: Apache-2.0
#include "core/source/git/git_blob.h"

#include <git2.h>
#include <git2/sys/alloc.h>
#include <git2/sys/odb_backend.h>
#include <cstdlib>
#include <cstring>

#include <algorithm>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <string>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/source/anchor/recorded_file.h"
#include "core/source/git/git_repository.h"

namespace etlens {
namespace {

constexpr size_t kMaxCommits = 3000;
constexpr size_t kMaxVersions = 200;  // of the file
constexpr size_t kMaxCommitBytes = 1 << 20;
constexpr size_t kMaxTreeBytes = 32 << 20;
constexpr size_t kMaxFileBytes = 16 << 20;
constexpr size_t kMaxAllocation = 64 << 20;
constexpr uint64_t kMaxLooseBytes = 64 << 20;  // packed, of the largest of these
constexpr size_t kMaxPackFiles = 20'000;

struct OidLess {
  bool operator()(const git_oid& a, const git_oid& b) const { return git_oid_cmp(&a, &b) < 0; }
};

// A packed object may be made from others, of any size, which libgit2 unpacks whole: none larger
// than what we would look at gets its memory.
void* limited_malloc(size_t size, const char*, int) {
  return size <= kMaxAllocation ? std::malloc(size) : nullptr;
}
void* limited_realloc(void* block, size_t size, const char*, int) {
  return size <= kMaxAllocation ? std::realloc(block, size) : nullptr;
}
void* limited_calloc(size_t count, size_t size, const char*, int) {
  return size == 0 || count <= kMaxAllocation / size ? std::calloc(count, size) : nullptr;
}
void* limited_malloc_array(size_t count, size_t size, const char* file, int line) {
  return size == 0 || count <= kMaxAllocation / size ? limited_malloc(count * size, file, line)
                                                     : nullptr;
}
void* limited_realloc_array(void* block, size_t count, size_t size, const char* file, int line) {
  return size == 0 || count <= kMaxAllocation / size
             ? limited_realloc(block, count * size, file, line)
             : nullptr;
}
char* limited_copy(const char* text, size_t size, const char*, int) {
  if (size > kMaxAllocation) return nullptr;
  auto* copy = static_cast<char*>(std::malloc(size + 1));
  if (copy == nullptr) return nullptr;
  if (size > 0) std::memcpy(copy, text, size);
  copy[size] = '\0';
  return copy;
}
char* limited_strdup(const char* text, const char* file, int line) {
  return limited_copy(text, std::strlen(text), file, line);
}
char* limited_strndup(const char* text, size_t size, const char* file, int line) {
  return limited_copy(text, ::strnlen(text, size), file, line);
}

// Before libgit2 is used for the first time.
void limit_allocations() {
  static const bool kIsSet = [] {
    git_allocator allocator{};
    allocator.gmalloc = limited_malloc;
    allocator.gcalloc = limited_calloc;
    allocator.gstrdup = limited_strdup;
    allocator.gstrndup = limited_strndup;
    allocator.gsubstrdup = limited_copy;
    allocator.grealloc = limited_realloc;
    allocator.greallocarray = limited_realloc_array;
    allocator.gmallocarray = limited_malloc_array;
    allocator.gfree = std::free;
    return git_libgit2_opts(GIT_OPT_SET_ALLOCATOR, &allocator) == 0;
  }();
  (void)kIsSet;
}

// An object database without a repository around it.
class Objects {
 public:
  Objects(const FileSystem& files, const std::string& folder) : files_(files), folder_(folder) {
    const bool has_packs = has_sound_packs();
    limit_allocations();
    git_libgit2_init();
    git_odb_backend* loose = nullptr;
    git_odb_backend* packs = nullptr;
    if (git_odb_new(&odb_) != 0) return;
    if (git_odb_backend_loose(&loose, folder.c_str(), -1, 0, 0, 0) == 0) add(loose, 1);
    if (has_packs && git_odb_backend_pack(&packs, folder.c_str()) == 0) add(packs, 2);
  }
  ~Objects() {
    git_odb_free(odb_);
    git_libgit2_shutdown();
  }
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;

  // Nothing for objects of another type, or longer ones.
  std::optional<std::string> read(const git_oid& id, git_object_t type, size_t limit) const {
    size_t size = 0;
    git_object_t found = GIT_OBJECT_INVALID;
    go_on();
    if (odb_ == nullptr || !has_sound_loose(id) ||
        git_odb_read_header(&size, &found, odb_, &id) != 0)
      return std::nullopt;
    if (found != type || size > limit) return std::nullopt;
    git_odb_object* object = nullptr;
    if (git_odb_read(&object, odb_, &id) != 0) return std::nullopt;
    const std::unique_ptr<git_odb_object, decltype(&git_odb_object_free)> held(
        object, &git_odb_object_free);
    return std::string(static_cast<const char*>(git_odb_object_data(object)),
                       git_odb_object_size(object));
  }

 private:
  // libgit2 opens whatever has the right name, and a pipe would keep it for ever. So it gets to see
  // only what is a regular file and no larger than what it is asked for could be.
  bool is_sound(const std::string& path, uint64_t limit) const {
    const Result<FileStamp> stamp = files_.stat(path);
    return stamp && stamp->size <= limit && files_.read_range(path, 0, 0);
  }

  // An object that is not there is none to be afraid of.
  bool has_sound_loose(const git_oid& id) const {
    char hex[GIT_OID_HEXSZ + 1];
    git_oid_tostr(hex, sizeof hex, &id);
    const std::string name(hex);
    const std::string path = join_path(join_path(folder_, name.substr(0, 2)), name.substr(2));
    return !files_.stat(path) || is_sound(path, kMaxLooseBytes);
  }

  // One odd file, and none of the packs is looked at.
  bool has_sound_packs() const {
    const std::string packs = join_path(folder_, "pack");
    const Result<std::vector<DirectoryEntry>> entries = files_.list(packs);
    if (!entries || entries->size() > kMaxPackFiles) return false;
    return std::all_of(entries->begin(), entries->end(), [&](const DirectoryEntry& entry) {
      return entry.is_directory || is_sound(join_path(packs, entry.name), UINT64_MAX);
    });
  }

  void add(git_odb_backend* backend, int priority) {
    if (git_odb_add_backend(odb_, backend, priority) != 0) backend->free(backend);
  }
  const FileSystem& files_;
  std::string folder_;
  git_odb* odb_ = nullptr;
};

struct Commit {
  git_oid tree = {};
  std::vector<git_oid> parents;
  int64_t time = 0;
};

std::optional<git_oid> oid_of(std::string_view hex) {
  git_oid id;
  if (hex.size() != GIT_OID_HEXSZ || git_oid_fromstrn(&id, hex.data(), hex.size()) != 0)
    return std::nullopt;
  return id;
}

std::optional<Commit> parse_commit(std::string_view data) {
  Commit commit;
  bool has_tree = false;
  for (const std::string_view line : split(data.substr(0, data.find("\n\n")), '\n')) {
    const size_t blank = line.find(' ');
    if (blank == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, blank);
    const std::string_view value = line.substr(blank + 1);
    const std::optional<git_oid> id =
        key == "tree" || key == "parent" ? oid_of(value) : std::nullopt;
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

// The entry of that name in a tree object: "mode name\0" and twenty bytes each.
std::optional<git_oid> entry_of(std::string_view tree, std::string_view name) {
  while (!tree.empty()) {
    const size_t blank = tree.find(' ');
    const size_t end = tree.find('\0');
    if (blank == std::string_view::npos || end == std::string_view::npos || blank > end)
      return std::nullopt;
    if (tree.size() - end - 1 < GIT_OID_RAWSZ) return std::nullopt;
    if (tree.substr(blank + 1, end - blank - 1) == name) {
      git_oid id;
      git_oid_fromraw(&id, reinterpret_cast<const unsigned char*>(tree.data()) + end + 1);
      return id;
    }
    tree.remove_prefix(end + 1 + GIT_OID_RAWSZ);
  }
  return std::nullopt;
}

class VersionSearch {
 public:
  VersionSearch(const FileSystem& files, const GitRepository& repository,
                const std::vector<RecordedLine>& lines, const CancelToken& cancel)
      : objects_(files, repository.objects),
        parts_(path_components(repository.path)),
        lines_(lines),
        cancel_(cancel) {
    if (const std::optional<git_oid> head = oid_of(repository.head)) visit(*head);
  }

  std::shared_ptr<const Document> run() {
    for (size_t n = 0; n < kMaxCommits && !queue_.empty() && !cancel_.cancelled(); ++n) {
      const Commit commit = queue_.top().second;
      queue_.pop();
      for (const git_oid& parent : commit.parents) visit(parent);
      const std::optional<git_oid> blob = blob_in(commit.tree);
      if (!blob || !tried_.insert(*blob).second) continue;
      if (tried_.size() > kMaxVersions) return nullptr;
      std::optional<std::string> text = objects_.read(*blob, GIT_OBJECT_BLOB, kMaxFileBytes);
      if (!text) continue;
      auto document = std::make_shared<const Document>(*std::move(text));
      if (fits_all_lines(*document, lines_)) return document;
    }
    return nullptr;
  }

 private:
  using Entry = std::pair<int64_t, Commit>;
  struct Older {
    bool operator()(const Entry& a, const Entry& b) const { return a.first < b.first; }
  };

  void visit(const git_oid& id) {
    if (seen_.size() > 2 * kMaxCommits || !seen_.insert(id).second) return;
    const std::optional<std::string> data = objects_.read(id, GIT_OBJECT_COMMIT, kMaxCommitBytes);
    if (!data) return;  // the end of a shallow clone
    std::optional<Commit> commit = parse_commit(*data);
    if (!commit) return;
    const int64_t time = commit->time;
    queue_.emplace(time, *std::move(commit));
  }

  std::optional<git_oid> blob_in(git_oid id) const {
    for (const std::string_view part : parts_) {
      const std::optional<std::string> tree = objects_.read(id, GIT_OBJECT_TREE, kMaxTreeBytes);
      if (!tree) return std::nullopt;
      const std::optional<git_oid> entry = entry_of(*tree, part);
      if (!entry) return std::nullopt;
      id = *entry;
    }
    return id;
  }

  const Objects objects_;
  const std::vector<std::string_view> parts_;
  const std::vector<RecordedLine>& lines_;
  const CancelToken& cancel_;
  std::priority_queue<Entry, std::vector<Entry>, Older> queue_;  // the newest first
  std::set<git_oid, OidLess> seen_, tried_;
};

}  // namespace

std::shared_ptr<const Document> find_recorded_version(const FileSystem& files,
                                                      std::string_view path,
                                                      const std::vector<RecordedLine>& lines,
                                                      const CancelToken& cancel) {
  if (lines.empty()) return nullptr;
  const std::optional<GitRepository> repository = find_git_repository(files, path);
  if (!repository || repository->path.empty()) return nullptr;
  return VersionSearch(files, *repository, lines, cancel).run();
}

}  // namespace etlens
