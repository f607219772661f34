// SPDX-License-Identifier: Apache-2.0
#include "core/source/paths/path_mapper.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/source/paths/package_folders.h"

namespace etlens {
namespace {

constexpr auto kSkippedFolders =
    std::to_array<std::string_view>({"__pycache__", "node_modules", "site-packages",
                                     "dist-packages", "venv", "env", "build-cache"});

bool is_file(const FileSystem& files, std::string_view path) {
  const Result<FileStamp> stamp = files.stat(path);
  return stamp && !stamp->is_directory;
}

// Hidden, or of a usual name: .venv, env.
bool is_environment(const FileSystem& files, const std::string& folder) {
  return is_file(files, join_path(folder, "pyvenv.cfg")) ||
         files.stat(join_path(folder, "conda-meta")).has_value();
}

void append(std::vector<std::string>& folders, std::vector<std::string> more) {
  for (std::string& folder : more) {
    const bool is_new = std::ranges::find(folders, folder) == folders.end();
    if (is_new && folders.size() < kMaxPackageFolders) folders.push_back(std::move(folder));
  }
}

// Of an installed package. Nothing where it is not installed here.
std::optional<MappedPath> map_package(const FileSystem& files, std::string_view package,
                                      const WorkspaceFiles& workspace) {
  const auto in = [&](const std::string& folder) {
    return normal_path(join_path(folder, package));
  };
  for (const std::string& folder : workspace.named_packages()) {
    if (std::string path = in(folder); is_file(files, path)) return MappedPath{std::move(path), {}};
  }
  MappedPath below;
  for (const std::string& folder : workspace.packages_below()) {
    if (std::string path = in(folder); is_file(files, path))
      below.candidates.push_back(std::move(path));
  }
  if (below.candidates.empty()) return std::nullopt;
  if (below.candidates.size() > 1) return below;
  return MappedPath{std::move(below.candidates.front()), {}};
}

// "C:\\work\\net.py" as "c:/work/net.py": one drive has both letters.
std::string comparable(std::string_view recorded) {
  const std::string_view root = kWindowsPaths.root_of(recorded);
  const bool has_drive = root.size() > 1 && root[1] == ':';
  if (!has_drive) return with_slashes(recorded);
  return kWindowsPaths.normal_root(root) + with_slashes(recorded.substr(root.size()));
}

}  // namespace

bool is_skipped_folder(std::string_view name) {
  return name.starts_with('.') ||
         std::find(kSkippedFolders.begin(), kSkippedFolders.end(), name) != kSkippedFolders.end();
}

WorkspaceFiles WorkspaceFiles::find(const FileSystem& files, const std::vector<std::string>& roots,
                                    const std::vector<std::string>& wanted,
                                    const CancelToken& cancel,
                                    const std::vector<std::string>& environments) {
  WorkspaceFiles found;
  for (const std::string& environment : environments)
    append(found.named_packages_, package_folders(files, environment));
  const std::unordered_set<std::string> names(wanted.begin(), wanted.end());
  std::vector<std::string> folders(roots.rbegin(), roots.rend());
  std::unordered_set<std::string> seen;
  size_t entries = 0;
  while (!folders.empty() && entries < kMaxEntries && !cancel.cancelled()) {
    const std::string folder = std::move(folders.back());
    folders.pop_back();
    if (!seen.insert(folder).second) continue;  // a root below another
    Result<std::vector<DirectoryEntry>> list = files.list(folder);
    if (!list) continue;
    if (is_python_environment(*list)) {
      append(found.packages_below_, package_folders(files, folder));
      continue;
    }
    std::sort(list->begin(), list->end(),
              [](const DirectoryEntry& a, const DirectoryEntry& b) { return a.name < b.name; });
    for (const DirectoryEntry& entry : *list) {
      ++entries;
      go_on();
      if (entry.is_directory) {
        std::string inner = join_path(folder, entry.name);
        if (!is_skipped_folder(entry.name)) folders.push_back(std::move(inner));
        else if (is_environment(files, inner))
          append(found.packages_below_, package_folders(files, inner));
      } else if (names.empty() ? entry.name.ends_with(".py") : names.contains(entry.name)) {
        found.by_name_[entry.name].push_back(join_path(folder, entry.name));
      }
    }
  }
  return found;
}

const std::vector<std::string>& WorkspaceFiles::with_name(std::string_view base_name) const {
  static const std::vector<std::string> kEmpty;
  const auto at = by_name_.find(std::string(base_name));
  return at == by_name_.end() ? kEmpty : at->second;
}

MappedPath map_path(const FileSystem& files, std::string_view recorded,
                    const std::vector<PathMapping>& mappings, const WorkspaceFiles& workspace) {
  const std::string plain = comparable(recorded);
  for (const PathMapping& mapping : mappings) {
    const std::string from = comparable(mapping.from);
    if (!is_below(from, plain)) continue;
    const std::string_view rest =
        plain.size() == from.size() ? std::string_view() : relative_path(from, plain);
    const std::string mapped = rest.empty() ? mapping.to : normal_path(join_path(mapping.to, rest));
    if (is_file(files, mapped)) return {mapped, {}};
  }
  const bool is_opened = is_absolute(plain) && !is_on_host(plain) && plain.ends_with(".py");
  if (is_opened && is_file(files, plain)) return {normal_path(plain), {}};
  if (const std::string_view package = package_path(plain); !package.empty()) {
    if (std::optional<MappedPath> installed = map_package(files, package, workspace))
      return *std::move(installed);
  }
  size_t longest = 0;
  std::vector<std::string> best;
  for (const std::string& path : workspace.with_name(base_name(plain))) {
    go_on(1 + (plain.size() + path.size()) / 64);
    const size_t shared = common_suffix(plain, path);
    if (shared < longest) continue;
    if (shared > longest) best.clear();
    longest = shared;
    best.push_back(path);
  }
  if (best.size() == 1) return {best.front(), {}};
  return {"", std::move(best)};
}

}  // namespace etlens
