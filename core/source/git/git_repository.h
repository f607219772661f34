// SPDX-License-Identifier: Apache-2.0
// Where the repository around a file is and what its HEAD names, read from the few small files that
// say so; nothing else of them is obeyed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/file_system.h"

namespace etlens {

struct GitRepository {
  std::string root;     // of the working tree
  std::string git;      // folder of HEAD and what else belongs to this working tree alone
  std::string common;   // folder of references and objects
  std::string objects;  // folder
  std::string head;     // the commit, 40 hexadecimal digits
  std::string branch;   // that HEAD is on; "" if it is on none
  std::string path;     // of the file, relative to the working tree, with slashes
};

// Nothing if the file (absolute path) is in no working tree, or HEAD names no commit.
std::optional<GitRepository> find_git_repository(const FileSystem& files, std::string_view path);

// The object that a branch, a tag, a remote's branch or a full name ("refs/…", "HEAD") names, 40
// hexadecimal digits; "" for names that there are not.
std::string find_git_reference(const FileSystem& files, const GitRepository& repository,
                               std::string_view name);

}  // namespace etlens
