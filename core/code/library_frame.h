// SPDX-License-Identifier: Apache-2.0
// Which files are the user's and which are the framework's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/framework_file.h"

namespace etlens {

// True for framework files and for files that match one of the user's globs, which are tried
// against the whole path and against its tail.
bool is_library_file(std::string_view recorded_path, const std::vector<std::string>& globs);

// True for framework files, for other packages that are installed (below `site-packages`,
// `dist-packages`) and for those that come with Python (below `lib/python…`).
bool is_installed_file(std::string_view recorded_path);

}  // namespace etlens
