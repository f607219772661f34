// SPDX-License-Identifier: Apache-2.0
#include "core/source/git/git_blob.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <utility>

#include "core/base/path.h"
#include "core/source/anchor/recorded_file.h"
#include "core/source/git/git_objects.h"
#include "core/source/git/git_repository.h"

namespace etlens {
namespace {

constexpr size_t kMaxCommits = 3000;
constexpr size_t kMaxVersions = 200;  // of the file
constexpr size_t kMaxSourceBytes = 16 << 20;
constexpr size_t kMaxTreeBytes = 256 << 20;  // of all trees of a search

class VersionSearch {
 public:
  VersionSearch(const FileSystem& files, const GitRepository& repository,
                const std::vector<RecordedLine>& lines, const CancelToken& cancel)
      : objects_(files, repository.objects),
        parts_(path_components(repository.path)),
        lines_(lines),
        cancel_(cancel) {
    if (const std::optional<GitId> head = git_id_of(repository.head)) visit(*head);
  }

  std::shared_ptr<const Document> run() {
    for (size_t n = 0; n < kMaxCommits && !queue_.empty() && !cancel_.cancelled(); ++n) {
      const GitCommit commit = queue_.top().second;
      queue_.pop();
      for (const GitId& parent : commit.parents) visit(parent);
      const std::optional<GitId> blob = blob_in(commit.tree);
      if (!blob || !tried_.insert(*blob).second) continue;
      if (tried_.size() > kMaxVersions) return nullptr;
      std::optional<std::string> text = objects_.read(*blob, GitKind::Blob, kMaxSourceBytes);
      if (!text) continue;
      auto document = std::make_shared<const Document>(*std::move(text));
      if (fits_all_lines(*document, lines_)) return document;
    }
    return nullptr;
  }

 private:
  using Entry = std::pair<int64_t, GitCommit>;
  struct Older {
    bool operator()(const Entry& a, const Entry& b) const { return a.first < b.first; }
  };

  void visit(const GitId& id) {
    if (seen_.size() > 2 * kMaxCommits || !seen_.insert(id).second) return;
    std::optional<GitCommit> commit = objects_.commit(id);
    if (!commit) return;  // the end of a shallow clone
    const int64_t time = commit->time;
    queue_.emplace(time, *std::move(commit));
  }

  std::optional<GitId> blob_in(const GitId& root) {
    std::optional<GitId> id = root;
    for (size_t part = 0; id && part < parts_.size(); ++part) id = entry_in(*id, part);
    return id;
  }

  // Most commits leave most folders as they are.
  std::optional<GitId> entry_in(const GitId& tree, size_t part) {
    const auto [at, is_new] = entries_.try_emplace({tree, part});
    if (!is_new || tree_bytes_ > kMaxTreeBytes) return at->second;
    const std::optional<std::string> data = objects_.read(tree, GitKind::Tree, kMaxGitTreeBytes);
    if (!data) return std::nullopt;
    tree_bytes_ += data->size();
    if (const std::optional<GitEntry> entry = entry_of(*data, parts_[part])) at->second = entry->id;
    return at->second;
  }

  const GitObjects objects_;
  const std::vector<std::string_view> parts_;
  const std::vector<RecordedLine>& lines_;
  const CancelToken& cancel_;
  std::priority_queue<Entry, std::vector<Entry>, Older> queue_;  // the newest first
  std::set<GitId> seen_, tried_;
  std::map<std::pair<GitId, size_t>, std::optional<GitId>> entries_;  // of a tree: of a part
  size_t tree_bytes_ = 0;                                             // that were read
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
