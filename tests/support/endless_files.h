// SPDX-License-Identifier: Apache-2.0
// EndlessFiles: a disk on which a load that reads one of the files never ends, and asks no more
// whether it may go on: what a loop would do that somebody forgot to ask in.
#pragma once

#include <atomic>
#include <string>

#include "core/base/budget.h"
#include "core/base/file_system.h"

namespace etlens::test {

class EndlessFiles final : public FileSystem {
 public:
  EndlessFiles(const FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}

  std::atomic<bool> is_endless = true;

  Result<FileStamp> stat(std::string_view path) const override { return files_.stat(path); }
  Result<Bytes> read(std::string_view path) const override {
    spin(path);
    return files_.read(path);
  }
  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override {
    spin(path);
    return files_.read_range(path, offset, size);
  }
  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override {
    return files_.list(folder);
  }

 private:
  // Not where somebody only asks what kind of file it is.
  void spin(std::string_view path) const {
    if (!is_endless || path != path_ || budget_detail::ledger == nullptr) return;
    volatile uint64_t turns = 0;
    while (true) turns = turns + 1;
  }

  const FileSystem& files_;
  std::string path_;
};

}  // namespace etlens::test
