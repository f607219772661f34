// SPDX-License-Identifier: Apache-2.0
// GatedFiles: a disk on which the background stays in the middle of reading one file until the test
// lets it go on. What a test does meanwhile comes before the end of that work, however fast it is.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "core/base/file_system.h"

namespace etlens::test {

class GatedFiles final : public FileSystem {
 public:
  // `path` as a whole waits; a look at its beginning does not. Made by the thread that never waits.
  // `files` must outlive this.
  GatedFiles(const FileSystem& files, std::string path)
      : files_(files), path_(std::move(path)), owner_(std::this_thread::get_id()) {}

  void open() { set_open(true); }
  void close() { set_open(false); }

  Result<FileStamp> stat(std::string_view path) const override { return files_.stat(path); }
  Result<Bytes> read(std::string_view path) const override {
    pass(path);
    return files_.read(path);
  }
  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override {
    const Result<FileStamp> stamp = files_.stat(path);
    if (stamp && offset == 0 && size >= stamp->size) pass(path);
    return files_.read_range(path, offset, size);
  }
  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override {
    return files_.list(folder);
  }

 private:
  void set_open(bool is_open) {
    {
      const std::lock_guard lock(mutex_);
      is_open_ = is_open;
    }
    changed_.notify_all();
  }
  void pass(std::string_view path) const {
    if (path != path_ || std::this_thread::get_id() == owner_) return;
    std::unique_lock lock(mutex_);
    // A test that forgets to open it fails rather than hangs.
    changed_.wait_for(lock, std::chrono::minutes(1), [&] { return is_open_; });
  }

  const FileSystem& files_;
  std::string path_;
  std::thread::id owner_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool is_open_ = true;
};

}  // namespace etlens::test
