// SPDX-License-Identifier: Apache-2.0
#include "core/base/open_beneath.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>

// Linux alone has these; elsewhere files are opened for reading at once, and folders are entered
// one after the other.
#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#endif

namespace etlens {
namespace {

#if __has_include(<linux/openat2.h>)
constexpr int kToLook = O_PATH | O_CLOEXEC;

Descriptor open_way(int folder, const std::string& path, int flags, uint64_t resolve) {
  open_how how{};
  how.flags = static_cast<uint64_t>(kToLook | flags);
  how.resolve = resolve;
  return Descriptor(
      static_cast<int>(::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how)));
}
#else
constexpr int kToLook = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
constexpr uint64_t RESOLVE_BENEATH = 0;
constexpr uint64_t RESOLVE_NO_MAGICLINKS = 0;
constexpr uint64_t RESOLVE_NO_SYMLINKS = 0;

Descriptor open_way(int, const std::string&, int, uint64_t) {
  errno = ENOSYS;
  return {};
}
#endif

}  // namespace

Descriptor open_beneath(const std::string& root, std::string_view rest) {
  const Descriptor folder =
      open_way(AT_FDCWD, root, O_DIRECTORY, RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
  if (!folder.is_open()) return {};
  while (rest.starts_with('/')) rest.remove_prefix(1);
  const std::string path(rest.empty() ? "." : rest);
  return open_way(folder.value(), path, 0, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);
}

bool is_for_walking(int error) {
  switch (error) {
    case EXDEV:   // a link leads up and out, or is absolute
    case ELOOP:   // it is in /proc, or one of the way to the root
    case EAGAIN:  // something was moved meanwhile
    case ENOSYS:
    case EINVAL:
    case EPERM:  // what a sandbox says of calls that it does not know
    case E2BIG:
      return true;
    default:
      return false;
  }
}

Descriptor open_to_look(const Descriptor& folder, const std::string& name) {
  return Descriptor(::openat(folder.value(), name.c_str(), kToLook | O_NOFOLLOW));
}

Descriptor open_top() { return Descriptor(::open("/", kToLook | O_DIRECTORY)); }

Descriptor open_again(const Descriptor& file) {
  const std::string name = "/proc/self/fd/" + std::to_string(file.value());
  return Descriptor(::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

}  // namespace etlens
