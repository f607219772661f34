// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/folder_lock.h"

namespace etlens {
namespace {

constexpr int kStepMs = 20;

}  // namespace

Result<FolderLock> FolderLock::take(const std::string& path, int wait_ms) {
  const int descriptor =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
  if (descriptor < 0)
    return Error{ErrorCode::Io, "cannot write " + path + ": " + std::strerror(errno)};
  FolderLock lock(descriptor);
  for (int waited = 0; ::flock(descriptor, LOCK_EX | LOCK_NB) != 0;) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK)
      return Error{ErrorCode::Io, "cannot lock " + path + ": " + std::strerror(errno)};
    if (waited >= wait_ms)
      return Error{ErrorCode::Io,
                   "another etlens writes next to " + path + "; try again when it has ended"};
    ::poll(nullptr, 0, kStepMs);
    waited += kStepMs;
  }
  return lock;
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace etlens
