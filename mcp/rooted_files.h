// SPDX-License-Identifier: Apache-2.0
// The files below the roots of a workspace, and no others: wherever a path comes from (an agent, a
// folder's listing, an artifact) and whatever symbolic links it goes through, what lies outside is
// not there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/file_system.h"

namespace etlens::mcp {

// A path (absolute) without symbolic links; "" if nothing is there.
using RealPath = std::string (*)(std::string_view path);

class RootedFiles final : public FileSystem {
 public:
  // `roots`: absolute folders. `files` must outlive the object.
  RootedFiles(const FileSystem& files, const std::vector<std::string>& roots, RealPath real_path);

  const std::vector<std::string>& roots() const { return roots_; }
  // What a person or an agent calls a file or folder: a path below a root, or absolute. Absolute,
  // and inside. NotFound, one sentence, for everything else.
  Result<std::string> resolve(std::string_view name) const;

  Result<FileStamp> stat(std::string_view path) const override;
  Result<Bytes> read(std::string_view path) const override;
  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override;
  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override;

 private:
  Result<void> check(std::string_view path) const;
  Error refusal(std::string_view path) const;

  const FileSystem& files_;
  std::vector<std::string> roots_;  // without symbolic links
  RealPath real_path_;
};

}  // namespace etlens::mcp
