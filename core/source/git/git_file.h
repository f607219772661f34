// SPDX-License-Identifier: Apache-2.0
// Pieces of the files of a repository, read through the FileSystem as they are needed, and what is
// packed with zlib in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/base/bytes.h"
#include "core/base/file_system.h"

namespace etlens {

// No object that is read is larger, nor one that it is made from: a hostile pack claims any size.
inline constexpr size_t kMaxGitObjectBytes = 64 << 20;

// Keeps what was read last of all files. A file that changes meanwhile gives a mixture, which is
// why objects are held against their names.
class GitFiles {
 public:
  // `files` must outlive this.
  explicit GitFiles(const FileSystem& files) : files_(files) {}

  // What the file has at that place: at least one byte, or nothing where it ends or cannot be read.
  // Good until the next call.
  std::span<const uint8_t> at(const std::string& path, uint64_t offset);
  // Whether the file has as many bytes as `out` there.
  bool copy(const std::string& path, uint64_t offset, std::span<uint8_t> out);
  uint64_t big_endian(const std::string& path, uint64_t offset, size_t bytes, bool& is_there);

  // At most `size` bytes of what is packed there; fewer where it ends or is damaged.
  std::optional<std::string> unpack(const std::string& path, uint64_t offset, size_t size);
  // Just so many bytes, and nothing behind them.
  std::optional<std::string> unpack_all(const std::string& path, uint64_t offset, size_t size);

  void forget();

 private:
  std::optional<std::string> inflate(const std::string& path, uint64_t offset, size_t size,
                                     bool is_all);

  const FileSystem& files_;
  std::map<std::pair<std::string, uint64_t>, Bytes, std::less<>> blocks_;
  size_t bytes_ = 0;  // of these
};

}  // namespace etlens
