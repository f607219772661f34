// SPDX-License-Identifier: Apache-2.0
#include <io.h>
#include <windows.h>

#include <utility>

#include "core/base/folder_lock.h"
#include "core/base/wide_text.h"

namespace etlens {
namespace {

constexpr int kStepMs = 20;

}  // namespace

// Nobody else may open the file meanwhile.
Result<FolderLock> FolderLock::take(const std::string& path, int wait_ms) {
  for (int waited = 0;; waited += kStepMs) {
    const HANDLE handle =
        ::CreateFileW(to_wide(path).c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_ALWAYS,
                      FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT, nullptr);
    if (handle != INVALID_HANDLE_VALUE) {
      const int descriptor = ::_open_osfhandle(reinterpret_cast<intptr_t>(handle), 0);
      if (descriptor >= 0) return FolderLock(descriptor);
      ::CloseHandle(handle);
      return Error{ErrorCode::Io, "cannot lock " + path + ": too many files are open"};
    }
    if (::GetLastError() != ERROR_SHARING_VIOLATION)
      return Error{ErrorCode::Io, "cannot write " + path + "; check the path and its rights"};
    if (waited >= wait_ms)
      return Error{ErrorCode::Io,
                   "another etlens writes next to " + path + "; try again when it has ended"};
    ::Sleep(kStepMs);
  }
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::_close(descriptor_);
}

}  // namespace etlens
