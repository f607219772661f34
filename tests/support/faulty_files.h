// SPDX-License-Identifier: Apache-2.0
// FaultyFiles: a disk on which one call goes wrong.
#pragma once

#include <algorithm>
#include <string>

#include "core/base/file_system.h"

namespace etlens::test {

enum class Fault {
  None,
  Error,   // the call fails (EIO)
  Short,   // half of what was asked for is read
  Shrunk,  // from then on the file is half as long
  Empty,   // from then on the file is empty
};

class FaultyFiles final : public FileSystem {
 public:
  // The `at`-th call (1-based) goes wrong; `files` must outlive this.
  FaultyFiles(const FileSystem& files, Fault fault, size_t at)
      : files_(files), fault_(fault), at_(at) {}

  size_t calls() const { return calls_; }

  Result<FileStamp> stat(std::string_view path) const override {
    if (fails()) return error(path);
    Result<FileStamp> stamp = files_.stat(path);
    if (stamp) stamp->size = left_of(stamp->size);
    return stamp;
  }
  Result<Bytes> read(std::string_view path) const override {
    return read_range(path, 0, UINT64_MAX);
  }
  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override {
    if (fails()) return error(path);
    const Result<FileStamp> stamp = files_.stat(path);
    if (!stamp) return stamp.error();
    const uint64_t left = left_of(stamp->size);
    offset = std::min(offset, left);
    size = std::min(size, left - offset);
    if (fault_ == Fault::Short && calls_ == at_) size /= 2;
    return files_.read_range(path, offset, size);
  }
  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override {
    if (fails()) return error(folder);
    return files_.list(folder);
  }

 private:
  bool fails() const { return ++calls_ == at_ && fault_ == Fault::Error; }
  uint64_t left_of(uint64_t size) const {
    if (calls_ < at_) return size;
    return fault_ == Fault::Shrunk ? size / 2 : fault_ == Fault::Empty ? 0 : size;
  }
  static Error error(std::string_view path) {
    return {ErrorCode::Io, "cannot read " + std::string(path) + ": Input/output error; try again"};
  }

  const FileSystem& files_;
  Fault fault_;
  size_t at_;
  mutable size_t calls_ = 0;
};

}  // namespace etlens::test
