// SPDX-License-Identifier: Apache-2.0
#include "core/code/library_frame.h"

#include <algorithm>

#include "core/base/path.h"
#include "core/base/text.h"

namespace etlens {

bool is_library_file(std::string_view recorded_path, const std::vector<std::string>& globs) {
  if (is_framework_file(recorded_path)) return true;
  std::string plain(recorded_path);
  std::replace(plain.begin(), plain.end(), '\\', '/');
  return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
    return glob_match(glob, plain) || glob_match("**/" + glob, plain);
  });
}

bool is_installed_file(std::string_view recorded_path) {
  if (is_framework_file(recorded_path)) return true;
  const std::vector<std::string_view> parts = path_components(recorded_path);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == "site-packages" || parts[i] == "dist-packages") return true;
    const bool is_library = parts[i] == "lib" || parts[i] == "lib64";
    if (is_library && i + 1 < parts.size() && parts[i + 1].starts_with("python")) return true;
  }
  return false;
}

}  // namespace etlens
