// SPDX-License-Identifier: Apache-2.0
#include "cli/python_profiles.h"

#include "core/base/file_system.h"
#include "core/base/path.h"
#include "core/formats/file_kind.h"
#include "core/pstats/print.h"
#include "core/pstats/stats.h"
#include "core/workspace/load_profile.h"

namespace etlens::cli {

Result<PythonProfiles> load_python_profiles(const std::vector<std::string>& paths) {
  PythonProfiles profiles;
  std::vector<std::string> order{paths.front()};
  order.insert(order.end(), paths.rbegin(), paths.rend() - 1);
  for (const std::string& path : order) {
    const std::string file = absolute_path(current_folder(), path);
    Result<PythonProfile> profile = load_profile(real_file_system(), file);
    if (!profile) return std::move(profile).error();
    const Result<FileStamp> stamp = real_file_system().stat(file);
    profiles.lines.push_back(stamp ? pstats::file_line(stamp->modified_ns, path) : path);
    const bool is_first = profiles.paths.empty();
    profiles.paths.push_back(path);
    profiles.all = is_first ? std::move(*profile) : pstats::merged(profiles.all, *profile);
  }
  return profiles;
}

bool is_python_profile(const std::string& path) {
  const Result<Bytes> front =
      real_file_system().read_range(absolute_path(current_folder(), path), 0, kKindBytes);
  return front && file_kind(front->span()) == FileKind::PythonProfile;
}

}  // namespace etlens::cli
