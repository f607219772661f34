// SPDX-License-Identifier: Apache-2.0
// The files below the roots of a workspace, and no others: wherever a path comes from (an agent, a
// folder's listing, an artifact) and whatever symbolic links it goes through, what lies outside is
// not there.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file_system.h"
#include "core/base/root_names.h"

namespace etlens::mcp {

// On this machine's disks.
std::unique_ptr<const FileSystem> open_roots(const RootNames& roots);

// How the roots are entered.
struct RootAccess {
  RealPath real_path = etlens::real_path;
  // The files below them, however links are exchanged. Null for files of tests, among which there
  // are no links: names say what is below.
  std::unique_ptr<const FileSystem> (*open)(const RootNames& roots) = open_roots;
};

class RootedFiles final : public FileSystem {
 public:
  // `roots`: absolute folders. `files`, which must outlive the object, are those of tests.
  RootedFiles(const FileSystem& files, const std::vector<std::string>& roots,
              const RootAccess& access);

  const std::vector<std::string>& roots() const { return roots_; }
  // What a person or an agent calls a file or folder: a path below a root, or absolute. Absolute,
  // and inside. NotFound, one sentence, for everything else.
  Result<std::string> resolve(std::string_view name) const;

  Result<FileStamp> stat(std::string_view path) const override;
  Result<Bytes> read(std::string_view path) const override;
  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override;
  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override;

 private:
  std::string inside_name(std::string path) const;

  const FileSystem& files_;
  const RootNames names_;
  std::vector<std::string> roots_;  // without symbolic links
  const RealPath real_path_;
  const std::unique_ptr<const FileSystem> below_;  // null: `files_` have no links
};

}  // namespace etlens::mcp
