// SPDX-License-Identifier: Apache-2.0
// FolderLock: one process at a time writes below a folder.
#pragma once

#include <string>

#include "core/base/result.h"

namespace etlens {

// The lock ends with this, and with the process, however that ends.
class FolderLock {
 public:
  // `path`: of the lock's file, which is made and stays. Waits for another process for at most `wait_ms` milliseconds.
  // Error: Io.
  static Result<FolderLock> take(const std::string& path, int wait_ms);

  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;  // -1: moved from
};

}  // namespace etlens
