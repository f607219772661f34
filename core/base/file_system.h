// SPDX-License-Identifier: Apache-2.0
// FileSystem: the seam through which core sees files, so that tests can bring their own. Files are
// read, never mapped: a mapping of a file that someone truncates kills the process.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/result.h"

namespace etlens {

// Two looks at a file that give equal stamps saw the same content, for all practical purposes.
struct FileStamp {
  uint64_t size = 0;
  int64_t modified_ns = 0;  // since the epoch
  uint64_t inode = 0;
  bool is_directory = false;

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

struct DirectoryEntry {
  std::string name;
  bool is_directory = false;  // symbolic links to folders are not followed and say false
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // Errors are Io or NotFound: a sentence that names the path, the reason and what to do.
  virtual Result<FileStamp> stat(std::string_view path) const = 0;
  virtual Result<Bytes> read(std::string_view path) const = 0;
  // Bytes [offset, offset + size); fewer only where the file ends.
  virtual Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const = 0;
  // In no particular order.
  virtual Result<std::vector<DirectoryEntry>> list(std::string_view folder) const = 0;
  // `path` (absolute) without symbolic links, "" if nothing is there: two paths that lead to one
  // file have one. The path itself where there are no links, or none is anybody's business.
  virtual std::string without_links(std::string_view path) const { return std::string(path); }
};

// The machine's own file system. Lives as long as the program.
const FileSystem& real_file_system();

// The process's working folder, absolute.
std::string current_folder();
// `path` (absolute) without symbolic links; "" if nothing is there.
std::string real_path(std::string_view path);

}  // namespace etlens
