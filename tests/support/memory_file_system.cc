// SPDX-License-Identifier: Apache-2.0
#include "tests/support/memory_file_system.h"

#include <algorithm>
#include <set>

namespace etlens::test {
namespace {

Error missing(std::string_view path) {
  return {ErrorCode::NotFound,
          "cannot read " + std::string(path) + ": No such file or directory; check the path"};
}

}  // namespace

void MemoryFileSystem::put(const std::string& path, std::string_view content) {
  clock_ns_ += 1'000'000'000;
  entries_[path] = {std::string(content), clock_ns_};
}

// One link; tests need no more.
std::string MemoryFileSystem::resolved(std::string_view path) const {
  for (const auto& [from, to] : links_) {
    if (path == from || path.starts_with(from + "/"))
      return to + std::string(path.substr(from.size()));
  }
  return std::string(path);
}

std::string MemoryFileSystem::without_links(std::string_view path) const {
  return stat(path) ? resolved(path) : "";
}

Result<FileStamp> MemoryFileSystem::stat(std::string_view named) const {
  const std::string path = resolved(named);
  const auto at = entries_.find(path);
  if (at != entries_.end()) {
    return FileStamp{at->second.content.size(), at->second.modified_ns, 1, false};
  }
  const std::string folder = path + "/";
  const auto below = entries_.lower_bound(folder);
  if (below != entries_.end() && below->first.starts_with(folder)) return FileStamp{0, 0, 2, true};
  return missing(path);
}

Result<Bytes> MemoryFileSystem::read(std::string_view path) const {
  return read_range(path, 0, UINT64_MAX);
}

Result<Bytes> MemoryFileSystem::read_range(std::string_view path, uint64_t offset,
                                           uint64_t size) const {
  const auto at = entries_.find(resolved(path));
  if (at == entries_.end()) return missing(path);
  const std::string_view content = at->second.content;
  offset = std::min<uint64_t>(offset, content.size());
  return Bytes::copy_of(content.substr(offset, std::min<uint64_t>(size, content.size() - offset)));
}

Result<std::vector<DirectoryEntry>> MemoryFileSystem::list(std::string_view folder) const {
  const std::string prefix = resolved(folder) + "/";
  std::set<std::string> folders;
  std::vector<DirectoryEntry> entries;
  for (auto at = entries_.lower_bound(prefix);
       at != entries_.end() && at->first.starts_with(prefix); ++at) {
    const std::string rest = at->first.substr(prefix.size());
    const size_t slash = rest.find('/');
    if (slash == std::string::npos) entries.push_back({rest, false});
    else if (folders.insert(rest.substr(0, slash)).second)
      entries.push_back({rest.substr(0, slash), true});
  }
  if (entries.empty()) return missing(folder);
  return entries;
}

}  // namespace etlens::test
