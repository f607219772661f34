// SPDX-License-Identifier: Apache-2.0
// A working tree as it was at a revision, seen as a file system: artifacts and sources of a commit
// are read like those on disk, and nothing is checked out.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/file_system.h"

namespace etlens {

struct GitRevision {
  std::string root;    // of the working tree, absolute
  std::string commit;  // 40 hexadecimal digits
};

// `revision`: HEAD, a branch, a tag, a remote's branch, a commit (also abbreviated), each with ^ or
// ~N behind it. `inside`: an absolute path in the working tree. NotFound, one sentence, if there is
// no repository around it or no such revision in it.
Result<GitRevision> find_git_revision(const FileSystem& files, std::string_view inside,
                                      std::string_view revision);

// Paths below the root are the commit's, all others (and .git) those of `files`, which must outlive
// the result. Stamps have the commit's time and, as inode, a number of the content. Files longer
// than 64 MB cannot be read. For one thread at a time.
Result<std::unique_ptr<const FileSystem>> open_git_revision(const FileSystem& files,
                                                            const GitRevision& revision);

}  // namespace etlens
