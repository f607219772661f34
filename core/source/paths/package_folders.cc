// SPDX-License-Identifier: Apache-2.0
#include "core/source/paths/package_folders.h"

#include <algorithm>
#include <array>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/base/text.h"

namespace etlens {
namespace {

constexpr auto kPackages = std::to_array<std::string_view>({"site-packages", "dist-packages"});
constexpr uint64_t kMaxPthBytes = 64 << 10;

bool is_folder(const FileSystem& files, const std::string& path) {
  const Result<FileStamp> stamp = files.stat(path);
  return stamp && stamp->is_directory;
}

class PackageFinder {
 public:
  explicit PackageFinder(const FileSystem& files) : files_(files) {}

  std::vector<std::string> run(const std::string& environment) {
    // Linux and macOS; lib64 is a link to lib or holds what is compiled; Windows.
    for (const char* name : {"lib", "lib64"}) add_versions(join_path(environment, name));
    add_packages(join_path(environment, "Lib"));
    const size_t installed = folders_.size();
    for (size_t f = 0; f < installed; ++f) add_named_by_pth(std::string(folders_[f]));
    return std::move(folders_);
  }

 private:
  // python3, python3.11, …
  void add_versions(const std::string& lib) {
    Result<std::vector<DirectoryEntry>> entries = files_.list(lib);
    if (!entries) return;
    std::ranges::sort(*entries, {}, &DirectoryEntry::name);
    for (const DirectoryEntry& entry : *entries) {
      go_on();
      if (entry.name.starts_with("python3")) add_packages(join_path(lib, entry.name));
    }
  }

  void add_packages(const std::string& folder) {
    for (const std::string_view name : kPackages) add(join_path(folder, name));
  }

  void add(std::string folder) {
    const bool is_new = std::ranges::find(folders_, folder) == folders_.end();
    if (is_new && folders_.size() < kMaxPackageFolders && is_folder(files_, folder))
      folders_.push_back(std::move(folder));
  }

  // A line of a .pth file is a folder, a comment, or code that an interpreter would run.
  void add_named_by_pth(const std::string& folder) {
    Result<std::vector<DirectoryEntry>> entries = files_.list(folder);
    if (!entries) return;
    std::ranges::sort(*entries, {}, &DirectoryEntry::name);
    for (const DirectoryEntry& entry : *entries) {
      go_on();
      if (entry.is_directory || !entry.name.ends_with(".pth")) continue;
      const Result<Bytes> text = files_.read_range(join_path(folder, entry.name), 0, kMaxPthBytes);
      if (!text) continue;
      for (const std::string_view row : split_lines(text->text())) {
        go_on();
        const std::string_view line = trim(row);
        if (line.empty() || line.starts_with('#') || line.starts_with("import")) continue;
        add(absolute_path(folder, line));
      }
    }
  }

  const FileSystem& files_;
  std::vector<std::string> folders_;
};

}  // namespace

bool is_python_environment(const std::vector<DirectoryEntry>& entries) {
  return std::ranges::any_of(entries, [](const DirectoryEntry& entry) {
    return entry.name == "pyvenv.cfg" || entry.name == "conda-meta";
  });
}

std::string_view package_path(std::string_view recorded) {
  std::string_view path;
  for (const std::string_view name : kPackages) {
    const size_t at = recorded.rfind(name);
    const bool is_component = at != std::string_view::npos && at > 0 && recorded[at - 1] == '/' &&
                              at + name.size() + 1 < recorded.size() &&
                              recorded[at + name.size()] == '/';
    if (!is_component) continue;
    const std::string_view rest = recorded.substr(at + name.size() + 1);
    if (path.empty() || rest.size() < path.size()) path = rest;
  }
  return path;
}

std::vector<std::string> package_folders(const FileSystem& files, std::string_view environment) {
  std::string folder = normal_path(environment);
  const Result<FileStamp> stamp = files.stat(folder);
  if (!stamp) return {};
  // ENV/bin/python, ENV\Scripts\python.exe, ENV\python.exe
  if (!stamp->is_directory) {
    folder = parent_path(folder);
    const std::string_view name = base_name(folder);
    if (name == "bin" || name == "Scripts") folder = std::string(parent_path(folder));
  }
  return PackageFinder(files).run(folder);
}

}  // namespace etlens
