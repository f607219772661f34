// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/file_stamps.h"

#include <algorithm>

namespace etlens {

std::optional<FileStamp> stamp_of(const FileSystem& files, const std::string& path) {
  const Result<FileStamp> stamp = files.stat(path);
  return stamp ? std::optional(*stamp) : std::nullopt;
}

void look_at(const FileSystem& files, const std::string& path, FileStamps& stamps) {
  if (!path.empty() && !stamps.contains(path)) stamps.emplace(path, stamp_of(files, path));
}

bool is_current(const FileStamps& stamps, const FileSystem& files) {
  return std::ranges::all_of(
      stamps, [&](const auto& row) { return stamp_of(files, row.first) == row.second; });
}

}  // namespace etlens
