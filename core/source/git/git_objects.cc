// SPDX-License-Identifier: Apache-2.0
#include "core/source/git/git_objects.h"

#include <algorithm>
#include <tuple>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/source/git/git_hash.h"

namespace etlens {
namespace {

constexpr size_t kMaxCommitBytes = 1 << 20;
constexpr size_t kMaxLooseHeader = 32;
constexpr size_t kHexDigits = 2 * std::tuple_size_v<GitId>;
constexpr size_t kLeastDigits = 4;
constexpr int kMaxTags = 5;  // tags of tags

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

GitId git_blob_id(std::span<const uint8_t> content) {
  return git_hash(GitKind::Blob, {reinterpret_cast<const char*>(content.data()), content.size()});
}

GitObjects::GitObjects(const FileSystem& files, const std::string& folder)
    : files_(files), folder_(folder), pieces_(files), packs_(files, pieces_, folder) {}

std::string GitObjects::loose_path(const GitId& id) const {
  const std::string name = hex_of(id);
  return join_path(join_path(folder_, name.substr(0, 2)), name.substr(2));
}

// "blob 123" and a zero byte; the content begins behind it.
std::optional<GitHeader> GitObjects::loose_header(const std::string& path, size_t& begin) const {
  const std::optional<std::string> front = pieces_.unpack(path, 0, kMaxLooseHeader);
  if (!front) return std::nullopt;
  const std::string_view text = std::string_view(*front).substr(0, front->find('\0'));
  const size_t blank = text.find(' ');
  if (text.size() == front->size() || blank == std::string_view::npos) return std::nullopt;
  const std::optional<int64_t> size = parse_int(text.substr(blank + 1));
  if (!size || *size < 0) return std::nullopt;
  begin = text.size() + 1;
  for (const GitKind kind : {GitKind::Commit, GitKind::Tree, GitKind::Blob, GitKind::Tag}) {
    if (text.substr(0, blank) == git_name_of(kind))
      return GitHeader{kind, static_cast<uint64_t>(*size)};
  }
  return std::nullopt;
}

std::optional<GitObjects::Found> GitObjects::find(const GitId& id) const {
  go_on();
  Found found;
  found.place = packs_.find(id);
  std::optional<GitHeader> header =
      found.place ? packs_.header(*found.place) : loose_header(loose_path(id), found.begin);
  // Packs may have been written again meanwhile; then loose objects are gone.
  if (!header && packs_.look_again()) {
    found.place = packs_.find(id);
    if (found.place) header = packs_.header(*found.place);
  }
  if (!header) return std::nullopt;
  found.header = *header;
  return found;
}

std::optional<std::string> GitObjects::read(const GitId& id, GitKind kind, size_t limit) const {
  const std::optional<Found> found = find(id);
  const size_t most = std::min(limit, kMaxGitObjectBytes);
  if (!found || found->header.kind != kind || found->header.size > most) return std::nullopt;
  std::optional<std::string> data;
  if (found->place) {
    data = packs_.read(*found->place, most);
  } else {
    data = pieces_.unpack_all(loose_path(id), 0, found->begin + found->header.size);
    if (data) data->erase(0, found->begin);
  }
  if (!data || git_hash(kind, *data) != id) return std::nullopt;
  return data;
}

std::optional<uint64_t> GitObjects::size_of(const GitId& id, GitKind kind) const {
  const std::optional<Found> found = find(id);
  return found && found->header.kind == kind ? std::optional(found->header.size) : std::nullopt;
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
        git_id_of(std::string_view(*tag).substr(kPrefix.size(), kHexDigits));
    if (!object) return std::nullopt;
    id = *object;
  }
  return std::nullopt;
}

std::optional<GitId> GitObjects::abbreviated(std::string_view hex) const {
  const auto is_digit = [](char c) { return git_hex_digit(c).has_value(); };
  if (hex.size() < kLeastDigits || hex.size() > kHexDigits ||
      !std::all_of(hex.begin(), hex.end(), is_digit))
    return std::nullopt;
  std::string text(hex);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'F' ? c + 32 : c); });
  std::vector<GitId> found;
  packs_.add_matching(text, found);
  const Result<std::vector<DirectoryEntry>> loose =
      files_.list(join_path(folder_, text.substr(0, 2)));
  if (loose) {
    for (const DirectoryEntry& entry : *loose) {
      go_on();
      if (!entry.name.starts_with(text.substr(2))) continue;
      if (const std::optional<GitId> id = git_id_of(text.substr(0, 2) + entry.name))
        found.push_back(*id);
    }
  }
  const bool is_one = !found.empty() && std::ranges::all_of(found, [&](const GitId& id) {
    return id == found.front();
  });
  return is_one ? std::optional(found.front()) : std::nullopt;
}

namespace {

// Takes the first entry off a tree: "mode name\0" and the twenty bytes of the id.
std::optional<GitEntry> next_entry(std::string_view& tree) {
  go_on();
  const size_t end = tree.find('\0');
  const size_t blank = tree.substr(0, end).find(' ');
  const bool is_whole = blank != std::string_view::npos && end != std::string_view::npos &&
                        tree.size() - end - 1 >= std::tuple_size_v<GitId>;
  if (!is_whole) return std::nullopt;
  GitEntry entry;
  const std::string_view mode = tree.substr(0, blank);
  entry.name = tree.substr(blank + 1, end - blank - 1);
  entry.is_folder = mode == "40000" || mode == "040000";
  entry.is_file = mode.starts_with("100");
  std::copy_n(reinterpret_cast<const unsigned char*>(tree.data()) + end + 1, entry.id.size(),
              entry.id.begin());
  tree.remove_prefix(end + 1 + std::tuple_size_v<GitId>);
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
