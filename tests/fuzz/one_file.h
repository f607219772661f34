// SPDX-License-Identifier: Apache-2.0
// OneFile: a file system whose every path is the fuzzer's input.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/base/file_system.h"

namespace etlens::test {

class OneFile final : public FileSystem {
 public:
  OneFile(const uint8_t* data, size_t size) : content_(reinterpret_cast<const char*>(data), size) {}

  Result<FileStamp> stat(std::string_view) const override {
    return FileStamp{content_.size(), 1, 1, false};
  }
  Result<Bytes> read(std::string_view) const override { return Bytes::copy_of(content_); }
  Result<Bytes> read_range(std::string_view, uint64_t offset, uint64_t size) const override {
    offset = std::min<uint64_t>(offset, content_.size());
    return Bytes::copy_of(
        content_.substr(offset, std::min<uint64_t>(size, content_.size() - offset)));
  }
  Result<std::vector<DirectoryEntry>> list(std::string_view) const override {
    return std::vector<DirectoryEntry>();
  }

 private:
  std::string_view content_;
};

}  // namespace etlens::test
