// SPDX-License-Identifier: Apache-2.0
#include "mcp/rooted_files.h"

#include <algorithm>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/compare/side_files.h"

namespace etlens::mcp {

RootedFiles::RootedFiles(const FileSystem& files, const std::vector<std::string>& roots,
                         RealPath real_path)
    : files_(files), real_path_(real_path) {
  for (const std::string& root : roots) {
    std::string real = real_path_(root);
    roots_.push_back(real.empty() ? normal_path(root) : std::move(real));  // it may come
  }
}

Error RootedFiles::refusal(std::string_view path) const {
  std::string message(path);
  message += " is not in the workspace; give a path below " + join(roots_, " or ");
  return {ErrorCode::NotFound, std::move(message)};
}

// What is not there at all may be asked for: the file system says so in its own words.
Result<void> RootedFiles::check(std::string_view path) const {
  const auto is_inside = [&](const std::string& real) {
    return std::any_of(roots_.begin(), roots_.end(),
                       [&](const std::string& root) { return is_below(root, real); });
  };
  if (path.find('\0') != std::string_view::npos) return refusal(path);
  if (is_on_host(path) && !is_inside(normal_path(path))) return refusal(path);
  const std::string real = real_path_(path);
  if (is_inside(real.empty() ? normal_path(path) : real)) return {};
  return refusal(path);
}

Result<std::string> RootedFiles::resolve(std::string_view name) const {
  const bool is_pattern = is_glob(name);
  std::string first;
  for (const std::string& root : roots_) {
    std::string path = absolute_path(root, name);
    const std::string there = is_pattern ? glob_folder(path) : path;
    if (first.empty()) first = path;
    if (check(there) && files_.stat(there)) return path;
  }
  if (first.empty()) return refusal(name);
  if (Result<void> inside = check(first); !inside) return refusal(name);
  const Result<FileStamp> stamp = files_.stat(is_pattern ? glob_folder(first) : first);
  return stamp ? refusal(name) : stamp.error();
}

Result<FileStamp> RootedFiles::stat(std::string_view path) const {
  if (Result<void> inside = check(path); !inside) return std::move(inside).error();
  return files_.stat(path);
}

Result<Bytes> RootedFiles::read(std::string_view path) const {
  if (Result<void> inside = check(path); !inside) return std::move(inside).error();
  return files_.read(path);
}

Result<Bytes> RootedFiles::read_range(std::string_view path, uint64_t offset, uint64_t size) const {
  if (Result<void> inside = check(path); !inside) return std::move(inside).error();
  return files_.read_range(path, offset, size);
}

Result<std::vector<DirectoryEntry>> RootedFiles::list(std::string_view folder) const {
  if (Result<void> inside = check(folder); !inside) return std::move(inside).error();
  return files_.list(folder);
}

}  // namespace etlens::mcp
