// SPDX-License-Identifier: Apache-2.0
// What a person names as a side of a comparison: dumps, folders of dumps, globs, or such of a git
// revision ("main:artifacts/runs").
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file_system.h"
#include "core/source/git/git_revision.h"
#include "core/workspace/discovery.h"

namespace etlens {

// Where the paths are.
struct SidePlace {
  std::vector<std::string> paths;           // absolute
  std::optional<GitRevision> revision;      // that they are of
  std::shared_ptr<const FileSystem> files;  // of the revision; null: as on disk
};

// `named`: paths, below `here` unless they are absolute, or REVISION:PATH in git's way, below the
// working tree around `here` (with ./ in front, below `here` itself). A path that exists is a path,
// whatever it looks like. Errors: NotFound for a revision that there is not; InvalidParams for two
// revisions at once. Only looks; `files` must outlive the result.
Result<SidePlace> find_side_place(const FileSystem& files, const std::string& here,
                                  const std::vector<std::string>& named);
// Fills in SidePlace::files.
Result<void> open_side_place(const FileSystem& files, SidePlace& place);

bool is_glob(std::string_view path);
// The folder that a glob names in full: "/a/b" of "/a/b/run-*.etdp".
std::string glob_folder(std::string_view path);
// The dump is what `path` (absolute: a file, a folder or a glob) names, or below it.
bool names_dump(std::string_view path, std::string_view dump);

struct SideFiles {
  std::vector<std::string> dumps;    // each once; those that were found the newest first
  std::vector<std::string> folders;  // among the paths
  std::string etrecord;              // among the paths, known by their content; "" without
  std::string pte;                   // likewise
  bool is_searched = false;          // some dumps were found, not named
};

// What the paths (absolute) name in `files`. An error if one does not exist.
Result<SideFiles> find_side_files(const FileSystem& files, const std::vector<std::string>& paths);

}  // namespace etlens
