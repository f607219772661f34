// SPDX-License-Identifier: Apache-2.0
#include "core/base/output_system.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#if __has_include(<linux/fs.h>)
#include <linux/fs.h>
#endif

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>

#include "core/base/file_system.h"
#include "core/base/output_file.h"
#include "core/base/path.h"
#include "core/base/text.h"

namespace etlens {
namespace {

constexpr mode_t kRights = 0777;  // without those that make a program another user's
constexpr int kEnding[]{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};

// Names of unfinished files, where a signal handler finds them.
struct Unfinished {
  volatile std::sig_atomic_t is_used;
  pid_t owner;  // a process that is forked has the list, too
  char path[PATH_MAX];
};
constexpr size_t kMostUnfinished = 16;
Unfinished unfinished[kMostUnfinished];

// No signal comes while one of these is there.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_BLOCK, &all, &before_);
  }
  ~SignalsHeld() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

extern "C" void end_by_signal(int signal) {
  remove_unfinished_files();
  ::signal(signal, SIG_DFL);
  sigset_t just_this;
  ::sigemptyset(&just_this);
  ::sigaddset(&just_this, signal);
  ::raise(signal);
  ::sigprocmask(SIG_UNBLOCK, &just_this, nullptr);
}

// Signals that are ignored or handled elsewhere stay as they are.
void remove_at_signals() {
  for (const int signal : kEnding) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0 || (action.sa_flags & SA_SIGINFO) != 0 ||
        action.sa_handler != SIG_DFL)
      continue;
    action = {};
    action.sa_handler = end_by_signal;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
  }
}

void note_unfinished(const std::string& path) {
  if (path.size() >= PATH_MAX) return;
  Unfinished* const end = unfinished + kMostUnfinished;
  Unfinished* const free =
      std::find_if(unfinished, end, [](const Unfinished& one) { return one.is_used == 0; });
  if (free == end) return;
  std::copy_n(path.c_str(), path.size() + 1, free->path);
  free->owner = ::getpid();
  free->is_used = 1;
}

void forget_unfinished(const std::string& path) {
  for (Unfinished& one : unfinished) {
    if (one.is_used != 0 && path == one.path) one.is_used = 0;
  }
}

// The descriptor that a name like /dev/stdout stands for.
std::optional<int> open_descriptor(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const auto number = parse_int(std::string_view(path).substr(folder.size()));
    if (number && *number >= 0 && *number <= INT_MAX) return static_cast<int>(*number);
  }
  return std::nullopt;
}

OutputTarget problem(int code) {
  OutputTarget target;
  target.problem = std::strerror(code);
  return target;
}

OutputTarget direct(int descriptor) {
  if (descriptor < 0) return problem(errno);
  OutputTarget target;
  target.descriptor = descriptor;
  return target;
}

bool is_folder(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

}  // namespace

OutputTarget find_output_target(const std::string& path) {
  const std::string full = absolute_path(current_folder(), path);
  if (const std::optional<int> own = open_descriptor(full))
    return direct(::fcntl(*own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (path.ends_with('/') || is_folder(path)) return problem(EISDIR);
  struct stat there {};
  if (::lstat(path.c_str(), &there) != 0) return errno == ENOENT ? OutputTarget() : problem(errno);
  const bool is_of_system = full.starts_with("/dev/") && !full.starts_with("/dev/shm/");
  if (S_ISLNK(there.st_mode) && !is_of_system) return {};
  if (!S_ISREG(there.st_mode)) {
    const int follow = is_of_system ? 0 : O_NOFOLLOW;
    return direct(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | follow));
  }
  // Where folders may be written, a file that is protected from writing could be replaced as well.
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) return problem(errno);
  OutputTarget target;
  target.is_file = true;
  target.mode = there.st_mode & kRights;
  target.user = there.st_uid;
  target.group = there.st_gid;
  return target;
}

WriteEnd write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (written < 0 && errno == EAGAIN) {  // somebody made the pipe one that does not wait
      pollfd ready{descriptor, POLLOUT, 0};
      if (::poll(&ready, 1, -1) < 0 && errno != EINTR) return WriteEnd::Failed;
    } else if (written < 0 && errno != EINTR) {
      return errno == EPIPE ? WriteEnd::NoReader : WriteEnd::Failed;
    }
  }
  return WriteEnd::Written;
}

bool clone_into(int descriptor, const std::string& from) {
#ifdef FICLONE
  struct stat source {};
  const int opened = ::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (opened < 0) return false;
  const bool is_cloned = ::fstat(opened, &source) == 0 && S_ISREG(source.st_mode) &&
                         ::ioctl(descriptor, FICLONE, opened) == 0;
  ::close(opened);
  return is_cloned;
#else
  (void)descriptor, (void)from;
  return false;
#endif
}

int create_unfinished(const std::string& path, const OutputTarget& target, bool is_program) {
  constexpr mode_t kOwnOnly = 0600;
  constexpr mode_t kProgram = 0777;  // what of these a new file gets, umask says
  constexpr mode_t kText = 0666;
  const mode_t mode = target.is_file ? kOwnOnly : is_program ? kProgram : kText;
  remove_at_signals();
  const SignalsHeld held;
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (descriptor < 0) return -1;
  note_unfinished(path);
  if (!target.is_file) return descriptor;
  // Only root may give files away; for others the file becomes their own.
  if (::fchown(descriptor, target.user, target.group) != 0) errno = 0;
  if (::fchmod(descriptor, static_cast<mode_t>(target.mode)) == 0) return descriptor;
  const int code = errno;
  ::close(descriptor);
  ::unlink(path.c_str());
  forget_unfinished(path);
  errno = code;
  return -1;
}

namespace {

// link() never replaces. Where a file system has no links the name is taken first.
bool move_to_free_name(const std::string& from, const std::string& to) {
  if (::link(from.c_str(), to.c_str()) == 0) {
    ::unlink(from.c_str());
    return true;
  }
  if (errno == EEXIST) return false;
  const int taken = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (taken < 0) return false;
  ::close(taken);
  if (::rename(from.c_str(), to.c_str()) == 0) return true;
  const int code = errno;
  ::unlink(to.c_str());
  errno = code;
  return false;
}

}  // namespace

bool move_finished(const std::string& from, const std::string& to, bool replaces) {
  const SignalsHeld held;
  const bool is_moved =
      replaces ? ::rename(from.c_str(), to.c_str()) == 0 : move_to_free_name(from, to);
  if (is_moved) forget_unfinished(from);
  return is_moved;
}

void remove_unfinished(const std::string& path) {
  const SignalsHeld held;
  ::unlink(path.c_str());
  forget_unfinished(path);
}

void remove_unfinished_files() noexcept {
  const pid_t self = ::getpid();
  for (const Unfinished& one : unfinished) {
    if (one.is_used != 0 && one.owner == self) ::unlink(one.path);
  }
}

int open_to_append(const std::string& path) {
  return ::open(path.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
}

bool flush_to_disk(int descriptor) {
  return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
}

// After EINTR the descriptor is closed all the same.
bool close_descriptor(int descriptor) { return ::close(descriptor) == 0 || errno == EINTR; }

unsigned long process_id() { return static_cast<unsigned long>(::getpid()); }

std::string last_problem() { return std::strerror(errno); }

std::FILE* open_log_file(const std::string& path) { return std::fopen(path.c_str(), "ae"); }

}  // namespace etlens
