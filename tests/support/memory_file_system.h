// SPDX-License-Identifier: Apache-2.0
// MemoryFileSystem: files that exist only in a test. Time passes when the test says so.
#pragma once

#include <map>
#include <string>

#include "core/base/file_system.h"

namespace etlens::test {

class MemoryFileSystem final : public FileSystem {
 public:
  // Writes a file (folders appear by themselves); a later write has a later time.
  void put(const std::string& path, std::string_view content);
  void put(const std::string& path, const Bytes& content) { put(path, content.text()); }
  // What is written from now on is of this time and later.
  void set_clock(int64_t ns_since_epoch) { clock_ns_ = ns_since_epoch; }
  void remove(const std::string& path) { entries_.erase(path); }
  // `from` is a symbolic link to the folder or file `to`. Lists do not have it.
  void link(const std::string& from, const std::string& to) { links_[from] = to; }

  Result<FileStamp> stat(std::string_view path) const override;
  Result<Bytes> read(std::string_view path) const override;
  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override;
  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override;
  std::string without_links(std::string_view path) const override;

 private:
  std::string resolved(std::string_view path) const;

  struct Entry {
    std::string content;
    int64_t modified_ns = 0;
  };
  std::map<std::string, Entry, std::less<>> entries_;
  std::map<std::string, std::string> links_;
  int64_t clock_ns_ = 1'000'000'000;
};

}  // namespace etlens::test
