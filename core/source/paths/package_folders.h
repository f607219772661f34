// SPDX-License-Identifier: Apache-2.0
// Where Python keeps installed packages, told by the layout of an environment alone: no interpreter
// is started.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/file_system.h"

namespace etlens {

// Whether a folder is an environment of its own: one with a pyvenv.cfg or a conda-meta.
bool is_python_environment(const std::vector<DirectoryEntry>& entries);

// "torchvision/models/resnet.py" of "/usr/lib/python3/dist-packages/torchvision/models/resnet.py",
// with slashes; "" of what was not installed.
std::string_view package_path(std::string_view recorded);

// The folders that hold packages of an environment: lib/python3.*/{site,dist}-packages below it,
// and the folders that .pth files there name. `environment`: absolute; a folder, or an interpreter
// in its bin. They exist, each once; at most kMaxPackageFolders.
std::vector<std::string> package_folders(const FileSystem& files, std::string_view environment);
inline constexpr size_t kMaxPackageFolders = 64;

}  // namespace etlens
