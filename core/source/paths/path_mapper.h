// SPDX-License-Identifier: Apache-2.0
// Maps a recorded path (of the exporting machine) to a file in the workspace (of this one).
//
//   1. the user's mappings FROM=TO, the first that fits and whose file exists
//   2. the recorded path itself, if such a Python file exists here
//   3. of an installed package the file in the environments that were named, the first that has it;
//      then in those below the roots, only if it is the only one
//   4. the file below the roots whose path shares the longest tail with it, only if it is the only
//      one
//
// Never a guess between two candidates.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"

namespace etlens {

struct PathMapping {
  std::string from;  // a prefix of recorded paths, whole components
  std::string to;    // an absolute folder or file here

  friend bool operator==(const PathMapping&, const PathMapping&) = default;
};

struct MappedPath {
  std::string path;                     // absolute; "" if nothing was found
  std::vector<std::string> candidates;  // if more than one file fits equally well
};

// Folder names that never hold the user's sources or artifacts.
bool is_skipped_folder(std::string_view name);

// What lies below the roots, by base name; made once, then asked for many paths.
class WorkspaceFiles {
 public:
  // Walks the roots (absolute) and keeps files with one of the wanted base names, or all Python
  // files if none are given. Skipped folders, virtual environments and links to folders are not
  // entered; after kMaxEntries entries the walk ends. `environments`: of Python, absolute, beside
  // those below the roots.
  static WorkspaceFiles find(const FileSystem& files, const std::vector<std::string>& roots,
                             const std::vector<std::string>& wanted, const CancelToken& cancel = {},
                             const std::vector<std::string>& environments = {});

  const std::vector<std::string>& with_name(std::string_view base_name) const;
  // Folders of installed packages: of the environments that were named, and of the others.
  const std::vector<std::string>& named_packages() const { return named_packages_; }
  const std::vector<std::string>& packages_below() const { return packages_below_; }

  static constexpr size_t kMaxEntries = 500'000;

 private:
  std::unordered_map<std::string, std::vector<std::string>> by_name_;
  std::vector<std::string> named_packages_;
  std::vector<std::string> packages_below_;
};

MappedPath map_path(const FileSystem& files, std::string_view recorded,
                    const std::vector<PathMapping>& mappings, const WorkspaceFiles& workspace);

}  // namespace etlens
