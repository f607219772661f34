// SPDX-License-Identifier: Apache-2.0
// A file system that counts what is asked of another.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/file_system.h"

namespace etlens::test {

class CountedFiles final : public FileSystem {
 public:
  explicit CountedFiles(const FileSystem& files) : files_(files) {}

  Result<FileStamp> stat(std::string_view path) const override {
    ++stats;
    return files_.stat(path);
  }
  Result<Bytes> read(std::string_view path) const override {
    ++reads;
    Result<Bytes> bytes = files_.read(path);
    if (bytes) bytes_of[std::string(path)] += bytes->size();
    return bytes;
  }
  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override {
    ++reads;
    Result<Bytes> bytes = files_.read_range(path, offset, size);
    if (bytes) bytes_of[std::string(path)] += bytes->size();
    return bytes;
  }
  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override {
    ++lists;
    return files_.list(folder);
  }

  mutable size_t stats = 0;
  mutable size_t reads = 0;
  mutable size_t lists = 0;
  mutable std::map<std::string, size_t> bytes_of;  // read, by path

 private:
  const FileSystem& files_;
};

}  // namespace etlens::test
