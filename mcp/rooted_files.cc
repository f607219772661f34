// SPDX-License-Identifier: Apache-2.0
#include "mcp/rooted_files.h"

#include "core/base/files_below.h"
#include "core/base/path.h"
#include "core/compare/side_files.h"

namespace etlens::mcp {

std::unique_ptr<const FileSystem> open_roots(const RootNames& roots) { return files_below(roots); }

RootedFiles::RootedFiles(const FileSystem& files, const std::vector<std::string>& roots,
                         const RootAccess& access)
    : files_(files),
      names_(roots, access.real_path),
      real_path_(access.real_path),
      below_(access.open == nullptr ? nullptr : access.open(names_)) {
  for (const RootFolder& root : names_.all()) roots_.push_back(root.real);
}

// By a name that is below a root, if it is there and has one: a person may go through links that
// lie elsewhere. What is opened is below the root in any case.
std::string RootedFiles::inside_name(std::string path) const {
  if (names_.hold(path) || is_on_host(path)) return path;
  const std::string folder = is_glob(path) ? glob_folder(path) : path;
  const std::string real = real_path_(folder);
  if (real.empty() || !names_.hold(real)) return path;
  return folder == path ? real : join_path(real, relative_path(folder, path));
}

Result<std::string> RootedFiles::resolve(std::string_view name) const {
  if (name.find('\0') != std::string_view::npos) return names_.refusal(name);
  const bool is_pattern = is_glob(name);
  Error why = names_.refusal(name);
  for (const std::string& root : roots_) {
    std::string path = inside_name(absolute_path(root, name));
    if (!names_.hold(path)) continue;
    const Result<FileStamp> stamp = stat(is_pattern ? glob_folder(path) : path);
    if (stamp) return path;
    if (root == roots_.front()) why = stamp.error();
  }
  return why;
}

Result<FileStamp> RootedFiles::stat(std::string_view path) const {
  if (below_ != nullptr) return below_->stat(path);
  return names_.hold(normal_path(path)) ? files_.stat(path) : names_.refusal(path);
}

Result<Bytes> RootedFiles::read(std::string_view path) const {
  if (below_ != nullptr) return below_->read(path);
  return names_.hold(normal_path(path)) ? files_.read(path) : names_.refusal(path);
}

Result<Bytes> RootedFiles::read_range(std::string_view path, uint64_t offset, uint64_t size) const {
  if (below_ != nullptr) return below_->read_range(path, offset, size);
  return names_.hold(normal_path(path)) ? files_.read_range(path, offset, size)
                                        : names_.refusal(path);
}

Result<std::vector<DirectoryEntry>> RootedFiles::list(std::string_view folder) const {
  if (below_ != nullptr) return below_->list(folder);
  return names_.hold(normal_path(folder)) ? files_.list(folder) : names_.refusal(folder);
}

}  // namespace etlens::mcp
