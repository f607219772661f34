// SPDX-License-Identifier: Apache-2.0
#include "core/base/path.h"
#include "core/gate/policy.h"

namespace etlens {
namespace {

// The folder with .git around `folder`, or `folder` itself where there is none.
std::string repository_around(const FileSystem& files, const std::string& folder) {
  for (std::string at = folder;;) {
    if (files.stat(join_path(at, ".git"))) return at;
    std::string above(parent_path(at));
    if (above.empty() || above == at) return folder;
    at = std::move(above);
  }
}

}  // namespace

std::string find_policy(const FileSystem& files, const std::string& folder) {
  const std::string top = repository_around(files, folder);
  for (std::string at = folder;;) {
    std::string path = join_path(at, kPolicyName);
    const Result<FileStamp> stamp = files.stat(path);
    if (stamp && !stamp->is_directory) return path;
    if (at == top) return "";
    at = std::string(parent_path(at));
  }
}

}  // namespace etlens
