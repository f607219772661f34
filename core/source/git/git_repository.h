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
  std::string objects;  // folder
  std::string head;     // the commit, 40 hexadecimal digits
  std::string path;     // of the file, relative to the working tree, with slashes
};

// Nothing if the file (absolute path) is in no working tree, or HEAD names no commit.
std::optional<GitRepository> find_git_repository(const FileSystem& files, std::string_view path);

}  // namespace etlens
